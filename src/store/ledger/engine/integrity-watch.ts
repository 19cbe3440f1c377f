/** Has a ledger that is too large for the start looked through by a thread, while it is served. */

import { LedgerDamaged } from "#domain/account/ledger-faults.ts";
import type { Tell } from "#telemetry.ts";
import type { IntegrityAnswer, IntegrityAsked } from "./integrity-thread.ts";

/**
 * `report` hears of damage; a look that did not come to an end is told as a failed job. The returned function ends the
 * thread, which holds no process up.
 */
export function lookThroughLater(
  path: string,
  report: (damage: LedgerDamaged) => void,
  tell: Tell,
): () => void {
  const thread = new Worker(new URL("./integrity-thread.ts", import.meta.url), {
    smol: true,
    ref: false,
  });
  const failed = (error: string) => tell({ kind: "job_failed", job: "ledger-integrity", error });
  thread.addEventListener("message", ({ data }: MessageEvent<IntegrityAnswer>) => {
    thread.terminate();
    if (data.kind === "damaged") report(new LedgerDamaged(data.message));
    if (data.kind === "failed") failed(data.reason);
  });
  thread.addEventListener("error", ({ message }) => failed(message));
  thread.postMessage({ path } satisfies IntegrityAsked);
  return () => thread.terminate();
}
