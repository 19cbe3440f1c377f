/** Refusal of answers that need a daily source of which nothing was ever collected; see docs/contract.md, "Availability". */

import type { CurrencyIndex } from "#domain/currency/currency.ts";
import type { DailySource } from "#domain/currency/source.ts";
import type { Dataset, View } from "#domain/history/dataset.ts";
import { awaitedOf, givenOn, refuseAwaited } from "#domain/intake/awaited.ts";
import type { AsOf } from "#domain/point-in-time/known.ts";
import type { SpotTable } from "#domain/spot/table.ts";
import { COVERAGE_START, type Day, dayAt } from "#domain/time/day.ts";
import type { DailyDeps } from "./query.ts";

interface Wanted {
  readonly base: CurrencyIndex;
  /** null: every other currency. */
  readonly symbols: readonly CurrencyIndex[] | null;
}

/** Failure `data_unavailable` for latest rates that need such a source. */
export function refuseAwaitedLatest({ awaited, chains }: SpotTable, wanted: Wanted): void {
  const given = (currency: CurrencyIndex) => chains[currency]?.[0]?.figure.source ?? null;
  refuseAwaited(awaited, { ...wanted, given });
}

/**
 * The same for daily rates of a window, both days inclusive: currencies need the source that would give them a value on
 * its first or its last day. What this server held at a past instant (`as_of_basis=retrieved`) needs nothing that it did
 * not hold.
 */
export function refuseAwaitedDays(
  { dataset, now }: View,
  wanted: Wanted & { readonly start: Day; readonly end: Day; readonly asOf?: AsOf | null },
): void {
  if (dataset.awaited === undefined || wanted.asOf?.basis === "retrieved") return;
  const first = Math.max(wanted.start, COVERAGE_START);
  const last = Math.min(wanted.end, dayAt(now));
  if (first > last) return;
  refuseAwaited(dataset.awaited, { ...wanted, given: givenOn(dataset.history, [first, last]) });
}

/** The dependencies of an answer that one source alone makes: it does not wait for the others. Null: of all sources. */
export function forSource<Deps extends DailyDeps>(deps: Deps, only: DailySource | null): Deps {
  const dataset = (): Dataset | null => {
    const whole = deps.dataset();
    if (whole?.awaited === undefined || only === null) return whole;
    return { ...whole, awaited: awaitedOf(whole.awaited, only) };
  };
  return { ...deps, dataset };
}
