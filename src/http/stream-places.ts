/** Who has how many streams open: one caller does not take the places of all others. */

import { Failure } from "#domain/errors.ts";
import type { Caller } from "#domain/limits/caller.ts";
import type { Subscription } from "#rates/stream/stream.ts";

export interface Places {
  /** What `subscribe` gives, with a place that is free again once it was left. Failure `rate_limited` when there is none. */
  held(caller: Caller | null, subscribe: () => Subscription): Subscription;
}

const TRY_AGAIN_SECONDS = 30;

/** `most` of each caller. Where nobody is told apart, nobody is refused. */
export function newPlaces(most: number): Places {
  const open = new Map<string, number>();
  return {
    held: (caller, subscribe) => {
      if (caller === null) return subscribe();
      const name = `${caller.kind} ${caller.id}`;
      if ((open.get(name) ?? 0) >= most) throw full(most);
      const subscription = subscribe();
      open.set(name, (open.get(name) ?? 0) + 1);
      let isLeft = false;
      return {
        drained: subscription.drained,
        leave: () => {
          subscription.leave();
          if (isLeft) return;
          isLeft = true;
          const left = (open.get(name) ?? 1) - 1;
          if (left === 0) open.delete(name);
          else open.set(name, left);
        },
      };
    },
  };
}

function full(most: number): Failure {
  return new Failure("rate_limited", {
    reason: `${most} streams of yours are open, and no more may be at once: close one, or have one with all the symbols`,
    retryAfterSeconds: TRY_AGAIN_SECONDS,
  });
}
