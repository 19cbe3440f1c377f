/**
 * Reads the ECB's documents: eurofxref-hist.zip (CSV with a row a day and a column a currency), the XML of one day or of 90 days, and the
 * EXR dataset as SDMX csvdata with versions. All three become figures; the files also become tables of the official rates.
 */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import { BrokenDocument } from "#domain/faults/upstream.ts";
import type { Figure } from "#domain/history/observation.ts";
import type { Reading, Window, Withdrawal } from "#domain/intake/reading.ts";
import { ecbObservedAt, isTargetDay } from "#domain/time/calendar.ts";
import { COVERAGE_START, type Day, dayOf, formatDay, type Instant } from "#domain/time/day.ts";
import type { UpstreamDocument } from "#ports/upstream.ts";
import { conclude, decimalsOf, readDay, readDigits } from "#sources/reading.ts";
import { type CsvTable, columnsOf, decodeText, quoted, readCsv } from "#sources/text.ts";
import { attributeOf, elementsOf, readElements, type XmlElement } from "#sources/xml.ts";
import { readZipEntry } from "#sources/zip.ts";

// ── One reference rate ───────────────────────────────────────────────────────────────────────────

const USUAL_DECIMALS = 4;
/** Decimals in the daily XML where they are not four. */
const DECIMALS: Partial<Record<CurrencyCode, number>> = {
  GBP: 5,
  CZK: 3,
  PHP: 3,
  THB: 3,
  HUF: 2,
  IDR: 2,
  ISK: 2,
  JPY: 2,
  KRW: 2,
};

/** The pound had four decimals until the end of 2000. */
const FIFTH_POUND_DECIMAL = dayOf(2001, 1, 1) as Day;

/** In the order of the ECB's own list. */
export const ECB_CURRENCIES = [
  ..."USD JPY CZK DKK GBP HUF PLN RON SEK CHF ISK NOK TRY AUD BRL".split(" "),
  ..."CAD CNY HKD IDR ILS INR KRW MXN MYR NZD PHP SGD THB ZAR".split(" "),
] as readonly CurrencyCode[];

const KNOWN = new Map<string, CurrencyCode>(ECB_CURRENCIES.map((code) => [code, code]));

/** The currency of a column or row; null for a currency outside the list (lats, kuna, lev …), which is skipped. */
export function ecbCurrency(code: string): CurrencyCode | null {
  return KNOWN.get(code) ?? null;
}

function readEcbDay(text: string, window: Window, what: string): Day {
  const day = readDay(text, window, what);
  if (day < COVERAGE_START) throw new BrokenDocument(`${what}: ${text} is before the first reference rates`);
  return day;
}

/**
 * 1 EUR = `printed` `quote`, observed at 14:15 Frankfurt on the day. A `publishedAt` before the observation becomes null: the SDMX
 * service has loaded figures with a VALID_FROM years too early.
 */
export function ecbFigure(
  date: Day,
  quote: CurrencyCode,
  printed: string,
  publishedAt: Instant | null,
): Figure {
  const published =
    quote === "GBP" && date < FIFTH_POUND_DECIMAL ? USUAL_DECIMALS : (DECIMALS[quote] ?? USUAL_DECIMALS);
  const observed = ecbObservedAt(date);
  return {
    date,
    base: "EUR",
    quote,
    printed,
    decimals: decimalsOf(published, printed),
    observedAt: observed,
    publishedAt: publishedAt !== null && publishedAt >= observed ? publishedAt : null,
  };
}

// ── Files: the zip and the XML ───────────────────────────────────────────────────────────────────

export interface EcbDay {
  readonly date: Day;
  /** As printed, in the order of the file; currencies without a rate are left out. */
  rates(): readonly (readonly [code: string, printed: string])[];
}

type ReadDay = (printed: string, what: string) => Day;

const HISTORY_CSV = "ECB history CSV";
const ENTRY = "eurofxref-hist.csv";
/** Sixteen times today's size: a century of growth. */
const MOST_UNPACKED_BYTES = 32 * 1024 * 1024;
const NO_RATE = new Set(["", "N/A"]);

/**
 * Every day of the zip, ascending. Throws BrokenDocument on a damaged archive, an unknown header, a ragged row, and a day or a currency
 * that is there twice.
 */
export function readEcbZip({ bytes }: UpstreamDocument, dateOf: ReadDay): readonly EcbDay[] {
  const csv = readZipEntry(bytes, ENTRY, MOST_UNPACKED_BYTES);
  const { header, rows } = readCsv(decodeText(csv, HISTORY_CSV), HISTORY_CSV);
  // The real header ends in a comma: its last column has no name.
  const codes = header.slice(1, header.at(-1) === "" ? -1 : undefined);
  if (header[0] !== "Date" || !codes.every((code) => /^[A-Z]{3}$/.test(code)) || !codes.includes("USD"))
    throw new BrokenDocument(`${HISTORY_CSV}: unknown header ${quoted(header.join(","))}`);
  const twice = codes.find((code, at) => codes.lastIndexOf(code) !== at);
  if (twice !== undefined) throw new BrokenDocument(`${HISTORY_CSV}: two columns ${twice}`);
  const days = rows.map(([printed = "", ...cells]) => ({
    date: dateOf(printed, HISTORY_CSV),
    rates: () => withRates(codes.map((code, column) => [code, cells[column] ?? ""] as const)),
  }));
  return ascending(days, HISTORY_CSV);
}

const ECB_XML = "ECB XML";
const ENVELOPE = "gesmes:Envelope";
const CUBE = "Cube";

/**
 * Every day of the XML, ascending. Throws BrokenDocument unless the envelope holds one frame of days, each day holds rates only, each day
 * and currency occurs once, and there are no other cubes.
 */
export function readEcbXml({ bytes }: UpstreamDocument, dateOf: ReadDay): readonly EcbDay[] {
  const envelope = readElements(decodeText(bytes, ECB_XML), ECB_XML);
  if (envelope.name !== ENVELOPE) throw new BrokenDocument(`${ECB_XML}: the document is not a ${ENVELOPE}`);
  const [frame, ...more] = elementsOf(envelope, CUBE);
  if (frame === undefined) throw new BrokenDocument(`${ECB_XML}: no Cube in it`);
  if (more.length > 0) throw new BrokenDocument(`${ECB_XML}: ${more.length + 1} frames of days`);
  for (const child of envelope.children) if (child !== frame) refuseCubesIn(child);
  const days = cubesOf(frame).map((cube) => {
    const date = dateOf(attributeOf(cube, "time", ECB_XML), ECB_XML);
    const rates = cubesOf(cube).map((rate) => {
      refuseCubesIn(rate);
      return [attributeOf(rate, "currency", ECB_XML), attributeOf(rate, "rate", ECB_XML).trim()] as const;
    });
    const twice = rates.find(([code], at) => rates.findLastIndex(([other]) => other === code) !== at);
    if (twice !== undefined) throw new BrokenDocument(`${ECB_XML}: ${quoted(twice[0])} twice on one day`);
    return { date, rates: () => withRates(rates) };
  });
  return ascending(days, ECB_XML);
}

function withRates(printed: ReturnType<EcbDay["rates"]>): ReturnType<EcbDay["rates"]> {
  return printed.filter(([, rate]) => !NO_RATE.has(rate));
}

function ascending(days: readonly EcbDay[], what: string): readonly EcbDay[] {
  const sorted = days.toSorted((a, b) => a.date - b.date);
  const twice = sorted.find(({ date }, at) => date === sorted[at - 1]?.date);
  if (twice !== undefined) throw new BrokenDocument(`${what}: ${formatDay(twice.date)} is there twice`);
  return sorted;
}

function cubesOf(element: XmlElement): readonly XmlElement[] {
  const cubes = elementsOf(element, CUBE);
  if (cubes.length === element.children.length) return cubes;
  throw new BrokenDocument(`${ECB_XML}: a ${CUBE} holds something else`);
}

function refuseCubesIn(element: XmlElement): void {
  for (const child of element.children) {
    if (child.name === CUBE) throw new BrokenDocument(`${ECB_XML}: a ${CUBE} inside ${quoted(element.name)}`);
    refuseCubesIn(child);
  }
}

export function parseEcbHistoryZip(document: UpstreamDocument, window: Window): Reading {
  return readingOf(readEcbZip(document, dayWithin(window)), window, HISTORY_CSV);
}

export function parseEcbXml(document: UpstreamDocument, window: Window): Reading {
  return readingOf(readEcbXml(document, dayWithin(window)), window, ECB_XML);
}

function dayWithin(window: Window): ReadDay {
  return (printed, what) => readEcbDay(printed, window, what);
}

function readingOf(days: readonly EcbDay[], window: Window, what: string): Reading {
  const figures = days.flatMap(({ date, rates }) =>
    rates().flatMap(([code, printed]) => {
      const quote = ecbCurrency(code);
      if (quote === null) return [];
      return [ecbFigure(date, quote, readDigits(printed, what, date, quote), null)];
    }),
  );
  return conclude(window, isTargetDay, figures, [], days.at(-1)?.date ?? null);
}

// ── SDMX with versions ───────────────────────────────────────────────────────────────────────────

const SDMX_CSV = "ECB SDMX CSV";
/** The dimension values that every row must have: the daily reference rates. */
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
 * Reads csvdata with or without the history columns. Every version of a figure becomes a figure, in order of publication.
 * When the newest version is a deletion, there is also a withdrawal. A row with an empty OBS_VALUE is skipped.
 * Throws BrokenDocument on another series, an unknown action, or two rows for the same version.
 *
 * The service answers 404 "No results found" when there are no rates, and also when it is out of order.
 * So a not_found fault never counts as a holiday: the next route is tried.
 */
export function parseEcbSdmx(document: UpstreamDocument, window: Window): Reading {
  const table = readCsv(decodeText(document.bytes, SDMX_CSV), SDMX_CSV);
  const versions = Map.groupBy(readVersions(table, window), ({ date, quote }) => `${date} ${quote}`);
  const figures: Figure[] = [];
  const withdrawals: Withdrawal[] = [];
  let newest: Day | null = null;
  for (const history of versions.values()) {
    newest = Math.max(newest ?? 0, history[0]?.date ?? 0);
    addVersions(history, figures, withdrawals);
  }
  figures.sort((a, b) => a.date - b.date);
  return conclude(window, isTargetDay, figures, withdrawals, newest);
}

function* readVersions(table: CsvTable, window: Window): Generator<Version> {
  const [currencyAt, dateAt, valueAt] = columnsOf(table, ["CURRENCY", "TIME_PERIOD", "OBS_VALUE"], SDMX_CSV);
  const seriesAt = columnsOf(table, Object.keys(SERIES), SDMX_CSV);
  const expected = Object.values(SERIES);
  const historyAt = table.header.includes("ACTION")
    ? columnsOf(table, ["ACTION", "VALID_FROM", "VALID_TO"], SDMX_CSV)
    : null;
  for (const row of table.rows) {
    const cell = (at: number | undefined) => row[at as number] as string;
    if (seriesAt.some((at, index) => cell(at) !== expected[index])) {
      throw new BrokenDocument(`${SDMX_CSV}: a series that was not requested: ${quoted(row.join(","))}`);
    }
    const quote = ecbCurrency(cell(currencyAt));
    if (quote === null) continue;
    const date = readEcbDay(cell(dateAt), window, SDMX_CSV);
    const [action = "Replace", from = "", to = ""] = historyAt?.map(cell) ?? [];
    if (action !== "Replace" && action !== "Delete") {
      throw new BrokenDocument(`${SDMX_CSV}: unknown action ${quoted(action)} on ${formatDay(date)}`);
    }
    const deleted = action === "Delete";
    const printed = cell(valueAt);
    if (printed === "" && !deleted) continue;
    // A deletion has no VALID_FROM: its time is in VALID_TO.
    const at = readInstant(from === "" && deleted ? to : from);
    yield { date, quote, deleted, printed: deleted ? "" : readDigits(printed, SDMX_CSV, date, quote), at };
  }
}

function addVersions(history: Version[], figures: Figure[], withdrawals: Withdrawal[]): void {
  // At the same instant the old value is deleted and the new one loaded, in this order.
  history.sort((a, b) => (a.at ?? 0) - (b.at ?? 0) || Number(b.deleted) - Number(a.deleted));
  history.forEach((version, index) => {
    const { date, quote, deleted, printed, at } = version;
    const before = history[index - 1];
    if (before !== undefined && before.at === at && before.deleted === deleted) {
      throw new BrokenDocument(`${SDMX_CSV}: ${quote} on ${formatDay(date)} twice`);
    }
    if (!deleted) figures.push(ecbFigure(date, quote, printed, at));
    else if (index === history.length - 1) withdrawals.push({ date, base: "EUR", quote, publishedAt: at });
  });
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

function readInstant(text: string): Instant | null {
  if (text === "") return null;
  const at = INSTANT.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at))
    throw new BrokenDocument(`${SDMX_CSV}: not an instant with an offset: ${quoted(text)}`);
  return at;
}
