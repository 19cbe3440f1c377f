/** Completions that come while one is being written are written together: one commit, so one flush of the disk, for many. */

import { LedgerUnavailable } from "#domain/account/ledger-faults.ts";
import type { Outbox } from "#ports/webhooks.ts";
import type { Engine } from "#store/ledger/engine/engine.ts";
import { checkCompletion, complete } from "./complete.ts";

type Completion = Parameters<Outbox["complete"]>;

interface Waiting {
  readonly completion: Completion;
  readonly done: (isNoted: boolean) => void;
  readonly failed: (fault: unknown) => void;
}

/** So few that others' writes get in between. */
const MOST_TOGETHER = 64;

/** The first of them, but of two for the same delivery one: the second then finds what the first has made of it. */
function together(waiting: readonly Waiting[]): ReadonlySet<Waiting> {
  const some = new Map<string, Waiting>();
  for (const one of waiting) {
    const [{ id }] = one.completion;
    if (some.size < MOST_TOGETHER && !some.has(id)) some.set(id, one);
  }
  return new Set(some.values());
}

/** Each resolves once its own is on the disk. One that the ledger refuses fails alone; a ledger out of reach is so for all. */
export function completions({ write }: Engine): Outbox["complete"] {
  let waiting: Waiting[] = [];
  let isWriting = false;

  const note = async (some: readonly Waiting[]): Promise<void> => {
    try {
      const asked = some.map(({ completion }) => completion);
      const noted = await write((transaction) => complete(transaction, asked));
      for (const [nth, { done }] of some.entries()) done(noted[nth] === true);
    } catch (fault) {
      const isForAll = some.length === 1 || fault instanceof LedgerUnavailable;
      for (const one of some) {
        if (isForAll) one.failed(fault);
        else await note([one]);
      }
    }
  };
  const noteAll = async (): Promise<void> => {
    isWriting = true;
    while (waiting.length > 0) {
      const some = together(waiting);
      waiting = waiting.filter((one) => !some.has(one));
      await note([...some]);
    }
    isWriting = false;
  };

  return async (...completion) => {
    checkCompletion(completion);
    return await new Promise<boolean>((done, failed) => {
      waiting.push({ completion, done, failed });
      if (!isWriting) void noteAll();
    });
  };
}
