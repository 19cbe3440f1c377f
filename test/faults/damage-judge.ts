/** Whether a server on damaged data answered as the intact one, or refused as documented, named the file, and left all as it was. */

import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type Damage, filesBelow } from "./damage-kinds.ts";
import type { SentRequest } from "./damage-requests.ts";

export interface Answered {
  readonly refusal: string | null;
  readonly answers: readonly Answer[];
  readonly reported: string;
  readonly verified: string;
  readonly damage: Damage | null;
  readonly changed: readonly string[];
}

export interface Answer {
  readonly status: number;
  readonly code: string | null;
  readonly digest: string;
  readonly body: string;
}

/** Codes of docs/errors.md that say "not now, because of this server", not "there is nothing". */
const REFUSALS = new Set([
  "data_unavailable",
  "service_unavailable",
  "source_unavailable",
  "auth_unavailable",
  "quota_unavailable",
]);

/** Entries of logs; one that is gone may have been cleaned up. */
const LOG_ENTRY = /^lake\/\w+\/_delta_log\/.*\.(json|parquet)$/;

export interface Judgement {
  readonly outcome: "equal" | "refused answers" | "refused to start" | "lost and reported";
  /** One sentence each; none is as it must be. */
  readonly faults: readonly string[];
}

export function judge(
  damage: Damage,
  requests: readonly SentRequest[],
  intact: Answered,
  found: Answered,
): Judgement {
  const faults: string[] = [];
  const names = [damage.path, ...(damage.other === null ? [] : [damage.other])].map(nameOf);
  const isNamed = (text: string) => names.some((name) => text.includes(name));
  const isPart = damage.path.includes("/part-") && requests.some(({ path }) => path === `/v1/${damage.path}`);
  const isSeen = isPart || (LOG_ENTRY.test(damage.path) && damage.kind !== "removed");
  if (isSeen && damage.kind !== "doubled" && !isNamed(found.verified))
    faults.push("crossrate verify does not name it");
  if (found.refusal !== null) {
    if (!isNamed(found.refusal)) faults.push(`does not start, and names no damaged file: ${found.refusal}`);
    return { outcome: "refused to start", faults };
  }
  let refused = 0;
  for (const [nth, { path }] of requests.entries()) {
    const [was, is] = [intact.answers[nth], found.answers[nth]];
    if (was === undefined || is === undefined) throw new Error(`${path} was not requested`);
    if (is.status === was.status && is.digest === was.digest) continue;
    const mayRefuse = REFUSALS.has(is.code ?? "") && is.status === 503;
    // Walks begin again where the version of their cursors is not whole, or the secret is another.
    const isForeignCursor = is.code === "invalid_request" && path.includes("cursor=");
    if (mayRefuse || isForeignCursor) refused += 1;
    else
      faults.push(`${path} answers ${is.status} ${is.code ?? "with other content"} instead of ${was.status}`);
  }
  // A directory without this file is as good as a new one.
  const isNew = damage.kind === "removed" && damage.path === "cursor.key";
  if (refused > 0 && !isNew && !isNamed(found.reported))
    faults.push(`${refused} answers are refused, and nothing names the damaged file`);
  // Quotes that are in no file yet cannot be known by the log: what is left of the journal is read, and the rest is reported.
  if (damage.path.includes(".journal/") && faults.length > 0 && isNamed(found.reported))
    return { outcome: "lost and reported", faults: [] };
  return { outcome: refused > 0 || faults.length > 0 ? "refused answers" : "equal", faults };
}

/** A file below current/ is one of the table under a second name: a writer into it changes both. */
function nameOf(path: string): string {
  const [, partition] = /^lake\/current\/(.*)\/[^/]*$/.exec(path) ?? [];
  return partition === undefined ? basename(path) : `${partition}/part-`;
}

export type Digests = ReadonlyMap<string, string>;

export function digestsBelow(directory: string): Digests {
  return new Map(
    filesBelow(directory).map((path) => [
      path,
      new Bun.CryptoHasher("sha256").update(readFileSync(join(directory, path))).digest("hex"),
    ]),
  );
}

/** Caches, locks and the ledger's own files, the journal, what is derived, finished exports. */
const CHANGES = /\.cache$|\.sqlite(-wal|-shm)?$|\.journal\/|^lake\/current\/|^exports\//;
/** Made again from other files, as docs/operations.md describes. */
const MADE_AGAIN =
  /\.cache$|(writer|owner)\.sqlite|^lake\/current\/|^exports\/|^installation\.json$|\.length$/;
/** A start brings the quotes of the journal into the table. */
const COMMITS = /^lake\/intraday\/_delta_log\/(\.head\.json|_last_checkpoint)$/;

/** Files that were changed or removed although nothing may do that. Damaged ones keep their bytes, wherever they lie. */
export function changedFiles(damage: Damage, before: Digests, after: Digests): readonly string[] {
  const contents = new Set(after.values());
  const faults: string[] = [];
  for (const [path, digest] of before) {
    const now = after.get(path);
    if (now === digest) continue;
    const isDamaged = path === damage.path || path === damage.other;
    if (!isDamaged && (CHANGES.test(path) || COMMITS.test(path))) continue;
    // The damaged file stays for the operator; a journal that was brought in is no longer needed.
    const isBroughtIn = damage.kind === "doubled" && path.includes(".journal/");
    if (isDamaged && (MADE_AGAIN.test(path) || contents.has(digest) || isBroughtIn)) continue;
    faults.push(`${path} was ${now === undefined ? "removed" : "overwritten"}`);
  }
  return faults;
}
