/** One document of an upstream, fetched and read, each fault named; and when faults speak for the whole host. */

import { BrokenDocument, UpstreamFault } from "#domain/faults/faults.ts";
import type { Upstream, UpstreamDocument, UpstreamRequest } from "#ports.ts";

export interface DocumentRead<Said> {
  readonly document: UpstreamDocument;
  readonly said: Said;
}

export interface DocumentFault {
  /** Kind of the upstream's fault, or `broken_document`. */
  readonly kind: string;
  /** One sentence with the document's address. */
  readonly detail: string;
}

export type DocumentAnswer<Said> = DocumentRead<Said> | DocumentFault | "unchanged";

/** "unchanged" where a validator matched. Upstream trouble is part of the answer; only errors of the program are thrown. */
export async function readDocument<Said>(
  upstream: Upstream,
  request: UpstreamRequest,
  parse: (document: UpstreamDocument) => Said,
): Promise<DocumentAnswer<Said>> {
  try {
    const document = await upstream.get(request);
    if (document === "unchanged") return "unchanged";
    return { document, said: parse(document) };
  } catch (error) {
    if (error instanceof UpstreamFault) return { kind: error.kind, detail: error.message };
    if (error instanceof BrokenDocument) {
      return { kind: "broken_document", detail: `${request.url}: ${error.message}` };
    }
    throw error;
  }
}

/** Faults of the host rather than of one document: asking it for the next document would only wait again. */
const HOST_FAULTS: ReadonlySet<string> = new Set([
  "connection",
  "timeout",
  "refused_credentials",
  "rate_limited",
]);
/** So many refusals in a row are the host's fault too; a document that is missing or broken speaks only for itself. */
const MOST_REFUSALS_IN_A_ROW = 3;
const OWN_FAULTS: ReadonlySet<string> = new Set(["broken_document", "not_found"]);

/** Whether a fault is of its document alone, so that the host may well have others. */
export function isOwnFault({ kind }: DocumentFault): boolean {
  return OWN_FAULTS.has(kind);
}

/** To be told each answer of a host, in order; true once the rest need not be asked for. */
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
