/** Work that an answer does not wait for: done once it is out, bounded, and told to the operator when it fails. */

import type { Tell } from "#telemetry.ts";

export interface Afterwards {
  readonly run: (work: () => Promise<void>) => void;
  /** Resolves when everything that was given so far is done: before a process ends. Never rejects. */
  settled(): Promise<void>;
}

/** Letters take seconds where the mail server is slow; beyond these the next ones are dropped, and told. */
const MOST_WAITING = 200;

/** `later` runs its work after what is under way, and after the answer with it: a timer. */
export function openAfterwards(
  tell: Tell,
  later: (milliseconds: number, run: () => void) => unknown,
): Afterwards {
  const underWay = new Set<Promise<void>>();
  const fail = (fault: unknown) => tell({ kind: "job_failed", job: "mail", error: String(fault) });
  return {
    run: (work) => {
      if (underWay.size >= MOST_WAITING) {
        fail("too many letters wait to be written; one was dropped");
        return;
      }
      const done = new Promise<void>((resolve) => later(0, resolve))
        .then(work)
        .catch(fail)
        .finally(() => underWay.delete(done));
      underWay.add(done);
    },
    settled: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
