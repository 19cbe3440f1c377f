/** Asks what an identity has used of its month: once for all who wait, and not longer than a request can. */

import type { Day } from "#domain/time/day.ts";
import type { MonthUsed } from "#ports/counters.ts";

export interface MonthFigures {
  /** Calls used; null when nobody could say in time. Never rejects. */
  ask(ownerId: string, month: Day): Promise<number | null>;
  /** Why the last question had no answer; null when it had one. */
  fault(): string | null;
}

/** A ledger that takes longer has no answer. */
const DEADLINE_MILLISECONDS = 1000;

export function monthFigures(
  monthUsed: MonthUsed,
  later: (milliseconds: number, run: () => void) => () => void,
): MonthFigures {
  const asking = new Map<string, Promise<number | null>>();
  let fault: string | null = null;

  const answer = async (ownerId: string, month: Day): Promise<number | null> => {
    let callOff = () => {};
    const deadline = new Promise<never>((_, reject) => {
      callOff = later(DEADLINE_MILLISECONDS, () => reject(new Error("the ledger does not answer")));
    });
    try {
      const used = await Promise.race([monthUsed(ownerId, month), deadline]);
      if (!Number.isSafeInteger(used) || used < 0) throw new Error(`not a number of calls: ${used}`);
      fault = null;
      return used;
    } catch (reason) {
      fault = reason instanceof Error ? reason.message : String(reason);
      return null;
    } finally {
      callOff();
    }
  };

  return {
    fault: () => fault,
    ask: (ownerId, month) => {
      const key = `${month} ${ownerId}`;
      let answering = asking.get(key);
      if (answering === undefined) {
        answering = answer(ownerId, month).finally(() => asking.delete(key));
        asking.set(key, answering);
      }
      return answering;
    },
  };
}
