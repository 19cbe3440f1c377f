/** Refuses answers that need a daily source which was never collected; see docs/contract.md, "Availability". */

import type { CurrencyIndex } from "#domain/currency/currency.ts";
import type { DailySource } from "#domain/currency/source.ts";
import type { Dataset, View } from "#domain/dataset/dataset.ts";
import type { AsOf } from "#domain/history/observation.ts";
import { givenOn, pendingOf, refusePending } from "#domain/intake/pending-sources.ts";
import type { SpotTable } from "#domain/spot/table.ts";
import { COVERAGE_START, type Day, dayAt } from "#domain/time/day.ts";
import type { DailyDeps } from "./query.ts";

interface Wanted {
  readonly base: CurrencyIndex;
  /** null: every other currency. */
  readonly symbols: readonly CurrencyIndex[] | null;
}

/** Failure `data_unavailable` for latest rates that need such a source. */
export function refusePendingLatest({ pending, chains }: SpotTable, wanted: Wanted): void {
  const given = (currency: CurrencyIndex) => chains[currency]?.[0]?.figure.source ?? null;
  refusePending(pending, { ...wanted, given });
}

/**
 * The same for daily rates of a window, both days inclusive: currencies need the source that would give them a value on
 * its first or its last day. What this server held at a past instant (`as_of_basis=retrieved`) needs nothing that it did
 * not hold.
 */
export function refusePendingDays(
  { dataset, now }: View,
  wanted: Wanted & { readonly start: Day; readonly end: Day; readonly asOf?: AsOf | null },
): void {
  if (dataset.pending === undefined || wanted.asOf?.basis === "retrieved") return;
  const first = Math.max(wanted.start, COVERAGE_START);
  const last = Math.min(wanted.end, dayAt(now));
  if (first > last) return;
  refusePending(dataset.pending, { ...wanted, given: givenOn(dataset.history, [first, last]) });
}

/** The dependencies of an answer from one source only: it does not wait for the others. Null: of all sources. */
export function forSource<Deps extends DailyDeps>(deps: Deps, only: DailySource | null): Deps {
  const dataset = (): Dataset | null => {
    const whole = deps.dataset();
    if (whole?.pending === undefined || only === null) return whole;
    return { ...whole, pending: pendingOf(whole.pending, only) };
  };
  return { ...deps, dataset };
}
