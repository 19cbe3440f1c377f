/** Fetches and reads one document of an upstream. Each fault has a name; some faults concern the whole host. */

import { BrokenDocument, UpstreamFault } from "#domain/faults/upstream.ts";
import type { Upstream, UpstreamDocument, UpstreamRequest } from "#ports/upstream.ts";

export interface DocumentRead<Content> {
  readonly document: UpstreamDocument;
  readonly content: Content;
}

export interface DocumentFault {
  /** Kind of the upstream's fault, or `broken_document`. */
  readonly kind: string;
  /** One sentence with the document's address. */
  readonly detail: string;
}

type DocumentAnswer<Content> = DocumentRead<Content> | DocumentFault | "unchanged";

/** "unchanged" where a validator matched. Upstream trouble is part of the answer; only errors of the program are thrown. */
export async function readDocument<Content>(
  upstream: Upstream,
  request: UpstreamRequest,
  parse: (document: UpstreamDocument) => Content,
): Promise<DocumentAnswer<Content>> {
  try {
    const document = await upstream.get(request);
    if (document === "unchanged") return "unchanged";
    return { document, content: parse(document) };
  } catch (error) {
    if (error instanceof UpstreamFault) return { kind: error.kind, detail: error.message };
    if (error instanceof BrokenDocument) {
      return { kind: "broken_document", detail: `${request.url}: ${error.message}` };
    }
    throw error;
  }
}

/** Faults of the host rather than of one document: the next request would only wait again. */
const HOST_FAULTS: ReadonlySet<string> = new Set([
  "connection",
  "timeout",
  "refused_credentials",
  "rate_limited",
  "clock",
]);
/** This many refusals in a row are the host's fault too; a missing or broken document is a separate fault. */
const MOST_REFUSALS_IN_A_ROW = 3;
const OWN_FAULTS: ReadonlySet<string> = new Set(["broken_document", "not_found"]);

/** Whether a fault is of its document alone, so that the host may well have others. */
export function isOwnFault({ kind }: DocumentFault): boolean {
  return OWN_FAULTS.has(kind);
}

/** Called with each answer of a host, in order; true once the remaining documents need not be requested. */
export function hostTrouble(): (answer: DocumentAnswer<unknown>) => boolean {
  let refusals = 0;
  return (answer) => {
    if (answer === "unchanged" || !("kind" in answer) || OWN_FAULTS.has(answer.kind)) {
      refusals = 0;
      return false;
    }
    refusals += 1;
    return HOST_FAULTS.has(answer.kind) || refusals === MOST_REFUSALS_IN_A_ROW;
  };
}

const MOST_FAULTS_LISTED = 3;

/** `daily XML: timeout: https://… is not complete after 20 s`; of many faults the first few. */
export function sentence({ route, faults, requests, abandoned = false }: FaultyRoute): string {
  const listed = faults.slice(0, MOST_FAULTS_LISTED).map(({ kind, detail }) => `${kind}: ${detail}`);
  if (faults.length > MOST_FAULTS_LISTED) listed.push(`and ${faults.length - MOST_FAULTS_LISTED} more`);
  const share = requests === 1 ? "" : ` (${faults.length} of ${requests} documents failed)`;
  return `${route}${share}${abandoned && requests > 1 ? ", given up" : ""}: ${listed.join("; ")}`;
}

interface FaultyRoute {
  readonly route: string;
  readonly faults: readonly DocumentFault[];
  readonly requests: number;
  /** The remaining documents were not requested. */
  readonly abandoned?: boolean;
}
