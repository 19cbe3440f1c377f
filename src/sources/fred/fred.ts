/**
 * The Federal Reserve's H.10 rates as FRED delivers them: the adapter, and its documents, fredgraph.csv (the keyless download, a column a
 * series) and series/observations (the API, JSON).
 */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import { BrokenDocument } from "#domain/faults/upstream.ts";
import type { Figure } from "#domain/history/observation.ts";
import type { Reading, Window } from "#domain/intake/reading.ts";
import { fredObservedAt, isUsFederalDay } from "#domain/time/calendar.ts";
import { COVERAGE_START, type Day, formatDay } from "#domain/time/day.ts";
import type { DailyAdapter, Route, UpstreamDocument, UpstreamRequest } from "#ports/upstream.ts";
import { digitsAt, objectsAt, readJsonObject, textAt } from "#sources/json.ts";
import { conclude, decimalsOf, get, readDay, readDigits } from "#sources/reading.ts";
import { columnsOf, decodeText, quoted, readCsv } from "#sources/text.ts";

// ── The H.10 series ──────────────────────────────────────────────────────────────────────────────

interface FredSeries {
  readonly id: string;
  readonly currency: CurrencyCode;
  /** per_usd: units of the currency for one dollar; usd_per: dollars for one unit (starred in the release). */
  readonly direction: "per_usd" | "usd_per";
  readonly decimals: number;
}

/** Ids begin with DEXUS where the figure is in dollars. */
const SERIES: readonly (readonly [currency: CurrencyCode, id: string, decimals: number])[] = [
  ["BRL", "DEXBZUS", 4],
  ["CAD", "DEXCAUS", 4],
  ["CHF", "DEXSZUS", 4],
  ["CNY", "DEXCHUS", 4],
  ["DKK", "DEXDNUS", 4],
  ["HKD", "DEXHKUS", 4],
  ["INR", "DEXINUS", 2],
  ["JPY", "DEXJPUS", 2],
  ["KRW", "DEXKOUS", 2],
  ["MXN", "DEXMXUS", 4],
  ["MYR", "DEXMAUS", 4],
  ["NOK", "DEXNOUS", 4],
  ["SEK", "DEXSDUS", 4],
  ["SGD", "DEXSIUS", 4],
  ["THB", "DEXTHUS", 2],
  ["TWD", "DEXTAUS", 2],
  ["ZAR", "DEXSFUS", 4],
  ["AUD", "DEXUSAL", 4],
  ["EUR", "DEXUSEU", 4],
  ["GBP", "DEXUSUK", 4],
  ["NZD", "DEXUSNZ", 4],
];

export const FRED_SERIES: readonly FredSeries[] = SERIES.map(([currency, id, decimals]) => {
  return { id, currency, direction: id.startsWith("DEXUS") ? "usd_per" : "per_usd", decimals };
});

/** The series of an id. Throws RangeError on an id that is not in the table: requests are built from the table. */
export function fredSeries(id: string): FredSeries {
  const series = FRED_SERIES.find((candidate) => candidate.id === id);
  if (series === undefined) throw new RangeError(`no such H.10 series: ${id}`);
  return series;
}

/** Days without a figure: federal holidays and closures. The mark differs by format and age of the download. */
function isMissing(value: string): boolean {
  return value === "." || value === "" || value === "ND";
}

/** The figure as printed, in the direction of its series, observed at noon in New York. FRED does not say when it was published. */
export function fredFigure(series: FredSeries, date: Day, printed: string): Figure {
  const perUsd = series.direction === "per_usd";
  return {
    date,
    base: perUsd ? "USD" : series.currency,
    quote: perUsd ? series.currency : "USD",
    printed,
    decimals: decimalsOf(series.decimals, printed),
    observedAt: fredObservedAt(date),
    publishedAt: null,
  };
}

// ── Documents ────────────────────────────────────────────────────────────────────────────────────

const FRED_CSV = "FRED CSV";
/** `DATE` until late 2024, `observation_date` since. */
const DATE_COLUMNS = ["observation_date", "DATE"];

/**
 * Reads the series that the document's own address names; further columns are ignored. A missing series is noted, because
 * one that has ended must not fail the others. Throws BrokenDocument when all are missing.
 */
export function parseFredCsv(document: UpstreamDocument, window: Window): Reading {
  const ids = (new URL(document.url).searchParams.get("id") ?? "").split(",");
  const table = readCsv(decodeText(document.bytes, FRED_CSV), FRED_CSV);
  if (!DATE_COLUMNS.includes(table.header[0] ?? ""))
    throw new BrokenDocument(`${FRED_CSV}: unknown header ${quoted(table.header.join(","))}`);
  const missing = ids.filter((id) => !table.header.includes(id));
  const present = missing.length === ids.length ? ids : ids.filter((id) => !missing.includes(id));
  const positions = columnsOf(table, present, FRED_CSV);
  const rows = table.rows.map((cells): Row => [cells[0] ?? "", positions.map((at) => cells[at] ?? "")]);
  const reading = readRows(rows, present.map(fredSeries), window, FRED_CSV);
  if (reading.outcome !== "figures" || missing.length === 0) return reading;
  const more = missing.length > 5 ? ` and ${missing.length - 5} more` : "";
  return { ...reading, note: `the document has no column for ${missing.slice(0, 5).join(", ")}${more}` };
}

const FRED_JSON = "FRED JSON";

/** Reads the one series that the document's own address names. Throws BrokenDocument on another shape or on a part of a series. */
export function parseFredJson(document: UpstreamDocument, window: Window): Reading {
  const series = fredSeries(new URL(document.url).searchParams.get("series_id") ?? "");
  const answer = readJsonObject(document.bytes, FRED_JSON);
  const error = textAt(answer, "error_message");
  if (error !== null) throw new BrokenDocument(`${FRED_JSON}: an error instead of data: ${quoted(error)}`);
  const observations = objectsAt(answer, "observations", FRED_JSON);
  if (textAt(answer, "units") !== "lin")
    throw new BrokenDocument(`${FRED_JSON}: units are not "lin", the plain values`);
  const count = digitsAt(answer, "count");
  if (count !== `${observations.length}`)
    throw new BrokenDocument(`${FRED_JSON}: ${observations.length} observations of ${count}`);
  const rows = observations.map((observation): Row => {
    const [day, value] = [textAt(observation, "date"), textAt(observation, "value")];
    if (day !== null && value !== null) return [day, [value]];
    throw new BrokenDocument(`${FRED_JSON}: an observation without date or value as text`);
  });
  return readRows(rows, [series], window, FRED_JSON);
}

type Row = readonly [day: string, values: readonly string[]];

/** Rows ascend by date. Every row counts as covered, also one without figures. */
function readRows(
  rows: readonly Row[],
  series: readonly FredSeries[],
  window: Window,
  what: string,
): Reading {
  const figures: Figure[] = [];
  let newest: Day | null = null;
  for (const [printed, values] of rows) {
    const date = readDay(printed, window, what);
    if (newest !== null && date <= newest)
      throw new BrokenDocument(`${what}: ${printed} is there twice or out of order`);
    newest = date;
    if (date < COVERAGE_START) continue;
    for (const [column, one] of series.entries()) {
      const value = values[column] ?? "";
      if (!isMissing(value)) figures.push(fredFigure(one, date, readDigits(value, what, date, one.id)));
    }
  }
  return conclude(window, isUsFederalDay, figures, [], newest);
}

const API = "https://api.stlouisfed.org/fred/series/observations";
const DOWNLOAD = "https://fred.stlouisfed.org/graph/fredgraph.csv";

/** Days to look back at least. H.10 is released weekly and a holiday delays it, so the newest figures may be ten days old. */
const LOOKBACK_DAYS: Record<Window["reach"], number> = { history: 0, recent: 90, latest: 21 };

/**
 * The adapter. With an API key the API comes first, one request a series; without one, or when the API fails,
 * all series come in one download. Should that be refused, they are downloaded one by one.
 */
export function fredAdapter({ fredApiKey }: { readonly fredApiKey: string | null }): DailyAdapter {
  const all = FRED_SERIES.map((series) => series.id);
  const api = (ids: readonly string[], start: Day): readonly Route[] => {
    if (fredApiKey === null) return [];
    const requests = ids.map((id) => apiRequest(id, start, fredApiKey));
    return [{ name: "API", requests, parse: parseFredJson }];
  };
  const csv = (start: Day): Route => ({
    name: "CSV",
    requests: [download(all.join(","), start)],
    parse: parseFredCsv,
  });
  return {
    id: "fred_daily",
    authority: "Board of Governors of the Federal Reserve System, H.10 release, via FRED",
    terms:
      "Source: Board of Governors of the Federal Reserve System (US), H.10 Foreign Exchange Rates. " +
      "This product uses the FRED® API but is not endorsed or certified by the Federal Reserve Bank of St. Louis.",
    currencies: FRED_SERIES.map((series) => series.currency),

    routes(window) {
      const start = Math.max(COVERAGE_START, Math.min(window.from, window.to - LOOKBACK_DAYS[window.reach]));
      const pieces = all.map((id) => download(id, start));
      const bySeries = { name: "CSV per series", voice: "CSV", requests: pieces, parse: parseFredCsv };
      return [...api(all, start), csv(start), bySeries];
    },

    /** The API and the download confirm each other. The download in pieces is left out: it has the same figures. */
    secondRoutes({ from, currencies }) {
      const ids = FRED_SERIES.filter(({ currency }) => currencies.includes(currency)).map(({ id }) => id);
      return [...api(ids, from), csv(from)];
    },
  };
}

/** Commas stay as written: the address is stored as provenance and should read like one. */
function download(ids: string, start: Day): UpstreamRequest {
  const url = `${DOWNLOAD}?id=${ids}&cosd=${formatDay(start)}`;
  return { ...get("csv", url, { kilobytes: 8192, seconds: 60 }), accept: "text/csv, application/csv" };
}

function apiRequest(id: string, start: Day, apiKey: string): UpstreamRequest {
  const url = `${API}?series_id=${id}&file_type=json&observation_start=${formatDay(start)}`;
  return { ...get("json", url, { kilobytes: 8192, seconds: 30 }), secretQuery: { api_key: apiKey } };
}
