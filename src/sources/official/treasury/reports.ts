/** Lines of the US Treasury's dataset become tables: a report at the end of each quarter, and one more for every amendment of it. */

import { periodEnd } from "#domain/history/periods.ts";
import type { OfficialReading, OfficialRow } from "#domain/official/publication.ts";
import { canonicalRate } from "#domain/official/versions.ts";
import { type Day, formatDay } from "#domain/time/day.ts";
import { publicationOf } from "#sources/official/reading.ts";

/** `rate` units of `currency` for a dollar, as the report calls it by `name`. */
export interface TreasuryLine {
  readonly name: string;
  readonly currency: string;
  /** The quarter's end that the line belongs to. */
  readonly recorded: Day;
  /** The same day, or a later one where the rate was amended within the following quarter. */
  readonly effective: Day;
  readonly rate: string;
}

const QUARTER_ENDS = new Set(["03-31", "06-30", "09-30", "12-31"]);

/**
 * A report is named by its record date, `2023-06-30`, and valid from its effective date as printed, which is the same day,
 * to the end of the quarter after it; on that last day the next report is valid, too, and is the newer one. Where a rate moves by a tenth
 * the Treasury amends it in a line with a later effective date. The report was in force until then, so an amendment is
 * no correction: it makes a further table, `2023-06-30-from-2023-07-31`, of the report with every line amended by that
 * day in its new form, valid from that day; a table of the amended lines alone would hide all others from its day on.
 * `leave` receives what is in no table.
 */
export function reportsOf(
  lines: readonly TreasuryLine[],
  leave: (what: string) => void,
): readonly OfficialReading[] {
  const byReport = new Map<Day, TreasuryLine[]>();
  for (const line of lines) {
    if (isInForce(line)) byReport.set(line.recorded, [...(byReport.get(line.recorded) ?? []), line]);
    else leave(`${line.name} of ${formatDay(line.recorded)} from ${formatDay(line.effective)}`);
  }
  return [...byReport].flatMap(([recorded, all]) => tablesOf(recorded, all, leave));
}

function isInForce({ recorded, effective }: TreasuryLine): boolean {
  return (
    QUARTER_ENDS.has(formatDay(recorded).slice(5)) &&
    effective >= recorded &&
    effective <= lastDayOf(recorded)
  );
}

/** The end of the quarter after a quarter's end. */
function lastDayOf(recorded: Day): Day {
  return periodEnd("1mo", periodEnd("1mo", periodEnd("1mo", recorded + 1) + 1) + 1);
}

function tablesOf(
  recorded: Day,
  lines: readonly TreasuryLine[],
  leave: (what: string) => void,
): readonly OfficialReading[] {
  const days = [...new Set(lines.map(({ effective }) => effective))].sort((a, b) => a - b);
  if (days[0] !== recorded) {
    leave(`amendments of ${formatDay(recorded)}, which is not there itself`);
    return [];
  }
  const inForce = new Map<string, readonly TreasuryLine[]>();
  return days.map((day) => {
    const amended = byName(lines.filter(({ effective }) => effective === day));
    for (const [name, same] of amended) inForce.set(name, same);
    const id = formatDay(recorded);
    const atTwoRates = (currency: string) => leave(`${currency} of ${id}, at two rates`);
    const rows = rowsOf([...inForce.values()].flat(), atTwoRates);
    const name = day === recorded ? id : `${id}-from-${formatDay(day)}`;
    return publicationOf(name, day, rows, lastDayOf(recorded));
  });
}

function byName(lines: readonly TreasuryLine[]): ReadonlyMap<string, readonly TreasuryLine[]> {
  const names = new Map<string, TreasuryLine[]>();
  for (const line of lines) names.set(line.name, [...(names.get(line.name) ?? []), line]);
  return names;
}

/** Countries that share a currency have a line each; where these differ it is unknown which rate is the currency's. */
function rowsOf(lines: readonly TreasuryLine[], leave: (currency: string) => void): readonly OfficialRow[] {
  const rates = new Map<string, Set<string>>();
  for (const { currency, rate } of lines) {
    rates.set(currency, (rates.get(currency) ?? new Set()).add(canonicalRate(rate)));
  }
  const rows: OfficialRow[] = [];
  for (const { currency, rate } of lines) {
    if (rates.get(currency)?.size !== 1) leave(currency);
    else rows.push({ base: "USD", quote: currency, rate, unit: 1, kind: "mid" });
  }
  return rows;
}
