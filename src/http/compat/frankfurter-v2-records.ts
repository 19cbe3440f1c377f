/** Records of Frankfurter's second version: one a pair and date, the base against itself among them. */

import { type CurrencyCode, currencyCode } from "#domain/currency.ts";
import { type Day, dayAt } from "#domain/day.ts";
import type { RangeDeps } from "#rates/range.ts";
import { NO_ORIGIN, type Origin } from "./answer.ts";
import { type Snapshot, snapshot } from "./frankfurter-snapshot.ts";
import type { RatesQuestion } from "./frankfurter-v2-query.ts";
import { type SeriesQuestion, walkSeries } from "./series.ts";

export type Emit = (day: Day, quote: CurrencyCode, text: string) => void;

/** Emits every record in the order of the answer; resolves with what they rest on. Nothing to say is an empty answer. */
export async function emitRecords(deps: RangeDeps, question: RatesQuestion, emit: Emit): Promise<Origin> {
  const { only, range, group, date } = question;
  if (only === "none") return NO_ORIGIN;
  const today = dayAt(deps.clock.now());
  if (range === null) return emitSnapshot(snapshotOf(deps, question, date ?? today), question, emit);
  const { base, quotes } = question;
  const [start, end] = [range.from, range.to ?? today];
  if (start > end || start > today) return NO_ORIGIN;
  const shared = { base, symbols: quotes, end, only, fill: "none" } as const;
  if (group !== null) {
    const interval = group === "week" ? "1w" : "1mo";
    return emitRows(deps, { ...shared, start, interval, aggregate: "mean" }, emit);
  }
  // What stands on the first day opens the series, each record with its own date.
  const opening = snapshotOf(deps, question, start);
  const rows: Parameters<Emit>[] = [];
  const openingOrigin = emitSnapshot(opening, question, (...record) => rows.push(record));
  rows.sort(([a], [b]) => a - b);
  for (const [day, quote, text] of rows) emit(day, quote, text);
  if (start === end) return openingOrigin;
  const rest = await emitRows(deps, { ...shared, start: start + 1 }, emit);
  // The opening is never younger than what follows it.
  return openingOrigin.source === null ? rest : openingOrigin;
}

function snapshotOf(deps: RangeDeps, { base, quotes, only }: RatesQuestion, day: Day): Snapshot {
  return snapshot(deps, day, base, quotes, only === "none" ? null : only);
}

/** The base's own record is dated like the newest of the others. */
function emitSnapshot({ rates, origin }: Snapshot, { base }: RatesQuestion, emit: Emit): Origin {
  const own = currencyCode(base);
  const others = rates.filter(({ code }) => code !== own).map(({ day }) => day);
  for (const { code, day, text } of rates) {
    emit(code === own && others.length > 0 ? Math.max(...others) : day, code, text);
  }
  return origin;
}

/** The base's own record accompanies others, it does not stand for a day alone unless it is all that is wanted. */
function emitRows(deps: RangeDeps, question: SeriesQuestion, emit: Emit): Promise<Origin> {
  const { base, symbols } = question;
  const alone = symbols.length === 1 && symbols[0] === base;
  return walkSeries(deps, question, (day, rates) => {
    if (!alone && rates.length === 1 && rates[0]?.currency === base) return;
    for (const { currency, text } of rates) emit(day, currencyCode(currency), text);
  });
}
