/** Counts the calls that limits grant, refuse and give back. */

import type { Registry } from "prom-client";
import { type Caller, WINDOWS } from "#domain/limits/caller.ts";
import type { Taken } from "#domain/limits/taken.ts";
import { type Counted, tally } from "#metrics/instruments.ts";
import type { Counters } from "#ports/counters.ts";

/** Who calls, as the labels say it. */
const CALLERS = { org: "key", address: "address" } as const satisfies Record<Caller["kind"], string>;
/**
 * How a call was paid for: counted by this process only, from a lease on the shared counts, or by a call to the shared
 * store for it. Only the last one waits.
 */
const PAID_BY = ["process", "lease", "store"] as const;
/** A window that is used up, a cost above a limit, or counters that are unavailable. */
export const REFUSAL_REASONS = [...WINDOWS, "too_large", "unavailable"] as const;

type Counts = Record<(typeof PAID_BY)[number] | (typeof REFUSAL_REASONS)[number] | "refunded", number>;

export function watchLimits(registry: Registry): (counters: Counters) => Counters {
  const tallies = { org: newCounts(), address: newCounts() };
  let isWatching = false;
  /** Of both kinds of callers; nothing before there is something to watch. */
  const ofCallers = <Label extends string>(
    of: (counts: Counts, caller: string) => readonly Counted<Label>[],
  ): readonly Counted<Label>[] =>
    isWatching ? [...of(tallies.org, CALLERS.org), ...of(tallies.address, CALLERS.address)] : [];
  tally(
    registry,
    "crossrate_limit_granted_calls_total{caller,by} Calls that limits granted, as they count: a batch of so many pairs is so many.",
    () => ofCallers((counts, caller) => PAID_BY.map((by) => [{ caller, by }, counts[by]])),
  );
  tally(
    registry,
    "crossrate_limit_refunded_calls_total{caller} Granted calls that were given back, because their requests were refused for another reason or failed.",
    () => ofCallers((counts, caller) => [[{ caller }, counts.refunded]]),
  );
  tally(
    registry,
    "crossrate_limit_refusals_total{caller,reason} Requests that limits refused, by the window that was used up or by why it could not be granted.",
    () =>
      ofCallers((counts, caller) => REFUSAL_REASONS.map((reason) => [{ caller, reason }, counts[reason]])),
  );

  return (counters) => {
    isWatching = true;
    return {
      ...counters,
      take: (caller, cost) => {
        const taken = counters.take(caller, cost);
        // A cost of 0 only reads the quota status.
        if (cost === 0) return taken;
        const counts = tallies[caller.kind];
        if (!(taken instanceof Promise)) {
          note(counts, taken, "lease");
          return taken;
        }
        return taken.then((later) => {
          note(counts, later, "store");
          return later;
        });
      },
      refund: (caller, granted) => {
        tallies[caller.kind].refunded += granted.cost;
        counters.refund(caller, granted);
      },
    };
  };
}

function note(counts: Counts, taken: Taken, shared: "lease" | "store"): void {
  switch (taken.outcome) {
    case "granted":
      counts[taken.by === "process" ? "process" : shared] += taken.cost;
      return;
    case "refused":
      counts[taken.quota.window] += 1;
      return;
    case "never":
      counts.too_large += 1;
      return;
    case "unavailable":
      counts.unavailable += 1;
      return;
    default:
      taken satisfies never;
  }
}

function newCounts(): Counts {
  return {
    ...{ process: 0, lease: 0, store: 0, refunded: 0 },
    ...{ minute: 0, hour: 0, month: 0, too_large: 0, unavailable: 0 },
  };
}
