/** Converts many amounts, each at the rate of its own day: by the daily reference rates, or by an official table where an item names one. */

import { currencyIndex } from "#domain/currency/currency.ts";
import { provenanceOf, simulatedMark, type View } from "#domain/dataset/dataset.ts";
import { citationOf } from "#domain/explain/explanation.ts";
import { type ErrorCode, Failure, type ValidationIssue } from "#domain/faults/errors.ts";
import type { AsOf } from "#domain/history/observation.ts";
import { type DatedConversion, type DatedItem, refusedItems } from "#domain/rates/dated.ts";
import { marketSession } from "#domain/time/calendar.ts";
import type { Day } from "#domain/time/day.ts";
import { crossOn, refuseUncertain, times } from "./convert.ts";
import { dailyLegs, type FigureDeps } from "./explain.ts";
import {
  anyReconstructed,
  type DailyDeps,
  openView,
  refuseFuture,
  refusePendingDays,
  viewAsOf,
  windowFor,
} from "./query.ts";

export interface ConvertDatedDeps extends DailyDeps, Pick<FigureDeps, "giver"> {
  /** Resolves when other requests had their turn. */
  readonly turn: () => Promise<void>;
  /** Converts an item that names an official table. Called for one item at a time. */
  readonly officially: (item: DatedItem, table: readonly [string, string]) => Promise<DatedConversion>;
}

export interface DatedQuery {
  /** At least one. */
  readonly items: readonly DatedItem[];
  readonly asOf: AsOf | null;
}

/** Items between two turns. An official item takes up to a millisecond, and reads of the ledger do not yield. */
const STEP_ITEMS = 10;

/** Failures of a single item. Any other failure ends the whole batch. */
const OF_ITEM: ReadonlySet<ErrorCode> = new Set(["no_data_for_date", "not_found", "invalid_request"]);

/**
 * One conversion for each item, in order; daily rates come from one dataset. Failures: `validation_error` names every item without
 * a rate, and nothing is converted; `invalid_request` for an `asOf` after now; `data_unavailable`, `source_unavailable`,
 * `service_unavailable`.
 */
export async function convertDated(deps: ConvertDatedDeps, { items, asOf }: DatedQuery) {
  if (asOf !== null) refuseFuture("as_of", asOf.instant, deps.clock.now());
  const issues: ValidationIssue[] = [];
  const conversions: DatedConversion[] = [];
  let daily: DailyConverter | null = null;
  for (const [index, item] of items.entries()) {
    if (index % STEP_ITEMS === 0) await deps.turn();
    try {
      if (item.table !== null) conversions.push(await deps.officially(item, item.table));
      else {
        daily ??= dailyConverter(deps, items, asOf);
        conversions.push(daily.convert(item));
      }
    } catch (thrown) {
      if (!(thrown instanceof Failure) || !OF_ITEM.has(thrown.code)) throw thrown;
      issues.push({ path: item.place, message: thrown.message });
    }
  }
  if (issues.length > 0) throw refusedItems(issues);
  const reconstructed = daily?.anyReconstructed() ?? false;
  return {
    conversions,
    asOf: asOf === null ? null : { ...asOf, reconstructed },
    session: marketSession(deps.clock.now()),
  };
}

export type DatedBatch = Awaited<ReturnType<typeof convertDated>>;

type DailyConverter = ReturnType<typeof dailyConverter>;

function dailyConverter(deps: ConvertDatedDeps, items: readonly DatedItem[], asOf: AsOf | null) {
  const present = openView(deps);
  const view = asOf === null ? present : viewAsOf(present, asOf, windowOf(items, present));
  const { date } = view.dataset.history.observations;
  let reconstructed = false;
  return {
    anyReconstructed: () => reconstructed,
    convert: (item: DatedItem): DatedConversion => {
      const { day, amount } = item;
      const [base, quote] = [currencyIndex(item.from), currencyIndex(item.to)];
      if (asOf === null) refuseUncertain(present, day, base, quote);
      else refusePendingDays(present, { base, symbols: [quote], start: day, end: day, asOf });
      const cross = crossOn(view, day, base, quote, { present, asOf });
      const { rows, legs, text: rate, derived } = cross;
      const origin = provenanceOf(view, day, base, [[quote, cross]]);
      const { source, forwardFilled: isFilled, simulated } = origin;
      const missing =
        asOf === null && origin.stale[item.to]
          ? " (the publication of the day asked is overdue and missing here)"
          : "";
      reconstructed ||= asOf !== null && anyReconstructed(view.dataset, rows);
      return {
        ...{ item, rate, derived, source, isFilled },
        converted: times(rate, amount),
        rateDay: Math.min(...rows.map((row) => date[row] as Day)),
        simulated: simulated.codes.length > 0,
        citation:
          simulatedMark(simulated.codes.length > 0) +
          citationOf(dailyLegs(deps, view.dataset, legs)) +
          missing,
      };
    },
  };
}

function windowOf(items: readonly DatedItem[], { now }: View) {
  const days = items.flatMap(({ table, day }) => (table === null ? [day] : []));
  return windowFor(Math.min(...days), Math.max(...days), now);
}
