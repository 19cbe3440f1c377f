/** Faults that Redis itself answers with: a right that is missing, a full memory. No outage shows them, so they are told. */

import type { Tell } from "#telemetry.ts";

export interface Refusals {
  /** Tells of it once, until it works again. A connection that fails is no refusal: others tell of that. */
  failed(fault: unknown): void;
  works(): void;
}

/** `consequence` is the beginning of the sentence that an operator reads. */
export function tellRefusals(tell: Tell, consequence: string): Refusals {
  let isTold = false;
  return {
    failed: (fault) => {
      if (isTold || !(fault instanceof Error) || fault.name !== "ReplyError") return;
      isTold = true;
      tell({ kind: "notice", text: `${consequence}, Redis: ${fault.message}` });
    },
    works: () => {
      isTold = false;
    },
  };
}
