/** The EXR dataset as SDMX csvdata with versions: each row is one version of a figure, with the time it was loaded or deleted. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import { BrokenDocument } from "#domain/faults/upstream.ts";
import type { Figure } from "#domain/history/observation.ts";
import type { Reading, Window, Withdrawal } from "#domain/intake/reading.ts";
import { isTargetDay } from "#domain/time/calendar.ts";
import { type Day, formatDay, type Instant } from "#domain/time/day.ts";
import type { UpstreamDocument } from "#ports/upstream.ts";
import { type CsvTable, columnsOf, readCsv } from "#sources/csv.ts";
import { conclude, readDigits } from "#sources/reading.ts";
import { decodeText, quoted } from "#sources/text.ts";
import { ecbCurrency, ecbFigure, readEcbDay } from "./figure.ts";

const WHAT = "ECB SDMX CSV";
/** Dimensions of the daily reference rates, and what each row must say. */
const SERIES: Readonly<Record<string, string>> = {
  FREQ: "D",
  CURRENCY_DENOM: "EUR",
  EXR_TYPE: "SP00",
  EXR_SUFFIX: "A",
};

interface Version {
  readonly date: Day;
  readonly quote: CurrencyCode;
  readonly deleted: boolean;
  readonly printed: string;
  /** When it was loaded or deleted; null where the answer has no version history. */
  readonly at: Instant | null;
}

/**
 * Reads csvdata with or without the history columns. All versions of a figure become figures in the order of their
 * publication; one whose newest version is a deletion is a withdrawal as well. An empty OBS_VALUE is no figure.
 * Throws BrokenDocument on another series, an unknown action, or two rows for the same version.
 *
 * The service answers 404 "No results found" when there is nothing, but also when a route of it is out of order:
 * the client's not_found fault is therefore never read as a holiday, and the next route is tried.
 */
export function parseEcbSdmx(document: UpstreamDocument, window: Window): Reading {
  const table = readCsv(decodeText(document.bytes, WHAT), WHAT);
  const versions = new Map<string, Version[]>();
  let newest: Day | null = null;
  for (const version of readVersions(table, window)) {
    if (newest === null || version.date > newest) newest = version.date;
    const key = `${version.date} ${version.quote}`;
    const known = versions.get(key);
    if (known === undefined) versions.set(key, [version]);
    else known.push(version);
  }
  const figures: Figure[] = [];
  const withdrawals: Withdrawal[] = [];
  for (const history of versions.values()) settle(history, figures, withdrawals);
  figures.sort((a, b) => a.date - b.date);
  return conclude(window, isTargetDay, figures, withdrawals, newest);
}

function* readVersions(table: CsvTable, window: Window): Generator<Version> {
  const [currencyAt, dateAt, valueAt] = columnsOf(table, ["CURRENCY", "TIME_PERIOD", "OBS_VALUE"], WHAT);
  const seriesAt = columnsOf(table, Object.keys(SERIES), WHAT);
  const expected = Object.values(SERIES);
  const historyAt = table.header.includes("ACTION")
    ? columnsOf(table, ["ACTION", "VALID_FROM", "VALID_TO"], WHAT)
    : null;
  for (const row of table.rows) {
    const cell = (at: number | undefined) => row[at as number] as string;
    if (seriesAt.some((at, index) => cell(at) !== expected[index])) {
      throw new BrokenDocument(`${WHAT}: a series that was not requested: ${quoted(row.join(","))}`);
    }
    const quote = ecbCurrency(cell(currencyAt));
    if (quote === null) continue;
    const date = readEcbDay(cell(dateAt), window, WHAT);
    const [action = "Replace", from = "", to = ""] = historyAt?.map(cell) ?? [];
    if (action !== "Replace" && action !== "Delete") {
      throw new BrokenDocument(`${WHAT}: unknown action ${quoted(action)} on ${formatDay(date)}`);
    }
    const deleted = action === "Delete";
    const printed = cell(valueAt);
    if (printed === "" && !deleted) continue;
    // A deletion has no VALID_FROM: it begins where the validity of what it deletes ends.
    const at = readInstant(from === "" && deleted ? to : from);
    yield { date, quote, deleted, printed: deleted ? "" : readDigits(printed, WHAT, date, quote), at };
  }
}

/** One figure's versions, oldest first, into figures and perhaps a withdrawal. */
function settle(history: Version[], figures: Figure[], withdrawals: Withdrawal[]): void {
  // At the same instant the old value is deleted and the new one loaded, in this order.
  history.sort((a, b) => (a.at ?? 0) - (b.at ?? 0) || Number(b.deleted) - Number(a.deleted));
  history.forEach((version, index) => {
    const { date, quote, deleted, printed, at } = version;
    const before = history[index - 1];
    if (before !== undefined && before.at === at && before.deleted === deleted) {
      throw new BrokenDocument(`${WHAT}: ${quote} on ${formatDay(date)} twice`);
    }
    if (!deleted) figures.push(ecbFigure(date, quote, printed, at));
    else if (index === history.length - 1) withdrawals.push({ date, base: "EUR", quote, publishedAt: at });
  });
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

function readInstant(text: string): Instant | null {
  if (text === "") return null;
  const at = INSTANT.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) throw new BrokenDocument(`${WHAT}: not an instant with an offset: ${quoted(text)}`);
  return at;
}
