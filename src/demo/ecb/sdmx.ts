/** data-api.ecb.europa.eu: the EXR series as SDMX-CSV, with versions and their load times on request. */

import { withoutTrailingZeros } from "#demo/print.ts";
import { frankfurtText } from "#demo/publication.ts";
import type { Answer, DemoRequest } from "#demo/request.ts";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import { COVERAGE_START, type Day, dayOf, formatDay, type Instant, parseDay } from "#domain/time/day.ts";
import { ECB_CURRENCIES, type EcbSheet, ecbDecimals, ecbSheet } from "./sheet.ts";

const KEY = /^\/service\/data\/EXR\/D\.([A-Z+]*)\.EUR\.SP00\.A$/;

export function ecbSdmx(request: DemoRequest): Answer {
  const key = KEY.exec(request.url.pathname);
  const query = readQuery(request);
  if (key === null) return nothing();
  if (query === null) return { status: 400, contentType: "text/plain", body: () => "Syntax error" };
  const wanted = (key[1] as string).split("+").filter((code) => code !== "");
  const series = [...ECB_CURRENCIES].sort().filter((code) => wanted.length === 0 || wanted.includes(code));
  const sheet = ecbSheet(request);
  const blocks = series.map((code) => rowsOf(sheet, code, query)).filter((rows) => rows !== "");
  if (blocks.length === 0) return nothing();
  return {
    contentType: "application/vnd.sdmx.data+csv;version=1.0.0",
    body: () => header(query) + blocks.join(""),
    lastModified: sheet.changedAt,
  };
}

interface Query {
  readonly from: Day;
  readonly to: Day;
  readonly lastN: number;
  readonly full: boolean;
  readonly versions: boolean;
  readonly updatedAfter: Instant;
}

/** null when a parameter is malformed or another format than CSV is wanted. */
function readQuery({ url, headers }: DemoRequest): Query | null {
  const of = (name: string) => url.searchParams.get(name);
  const csv = of("format") === "csvdata" || (headers.get("accept") ?? "").includes("csv");
  const from = of("startPeriod") === null ? COVERAGE_START : edge(of("startPeriod") ?? "", "start");
  const to = of("endPeriod") === null ? Number.POSITIVE_INFINITY : edge(of("endPeriod") ?? "", "end");
  const updatedAfter = of("updatedAfter") === null ? -1 : Date.parse(of("updatedAfter") ?? "");
  const lastN = Number(of("lastNObservations") ?? Number.POSITIVE_INFINITY);
  if (!csv || from === null || to === null || Number.isNaN(updatedAfter) || !(lastN >= 0)) return null;
  const versions = of("includeHistory") === "true";
  return { from, to, lastN, full: of("detail") !== "dataonly", versions, updatedAfter };
}

/** First or last day of `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. */
function edge(period: string, which: "start" | "end"): Day | null {
  if (/^\d{4}$/.test(period)) return parseDay(`${period}${which === "start" ? "-01-01" : "-12-31"}`);
  const month = /^(\d{4})-(\d{2})$/.exec(period);
  if (month === null) return parseDay(period);
  const [year, number] = [Number(month[1]), Number(month[2])];
  if (which === "start") return dayOf(year, number, 1);
  const next = number === 12 ? dayOf(year + 1, 1, 1) : dayOf(year, number + 1, 1);
  return next === null ? null : next - 1;
}

/** Oldest first; with versions, each in the order of its load. */
function rowsOf(sheet: EcbSheet, code: CurrencyCode, query: Query): string {
  const prefix = `EXR.D.${code}.EUR.SP00.A,D,${code},EUR,SP00,A,`;
  const attributes = query.full ? attributesOf(code) : "";
  const withTimes = query.versions || query.updatedAfter >= 0;
  const rows: string[] = [];
  let observations = 0;
  for (const day of sheet.days(query.from)) {
    if (observations >= query.lastN) break;
    const printedOn = sheet.printedDay(day);
    if (printedOn > query.to) continue;
    const start = `${prefix}${formatDay(printedOn)},`;
    const row = (value: string, at: Instant) =>
      `${start}${withoutTrailingZeros(value)}${query.versions ? `,Replace,${sheet.isReal(day) ? "" : frankfurtText(at)},` : ""}${attributes}\n`;
    if (!withTimes) {
      const printed = sheet.printed(code, day);
      if (printed === null) continue;
      rows.push(row(printed, 0));
      observations++;
      continue;
    }
    const newer = sheet.versions(code, day).filter(({ loadedAt }) => loadedAt > query.updatedAfter);
    if (newer.length === 0) continue;
    // Pushed newest first: the whole list is turned around at the end.
    const listed = query.versions ? newer.reverse() : newer.slice(-1);
    for (const version of listed) rows.push(row(version.printed, version.loadedAt));
    observations++;
  }
  return rows.reverse().join("");
}

const DATA_COLUMNS = "KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE";
const VERSION_COLUMNS = ",ACTION,VALID_FROM,VALID_TO";
const ATTRIBUTE_COLUMNS =
  ",OBS_STATUS,OBS_CONF,OBS_PRE_BREAK,OBS_COM,TIME_FORMAT,BREAKS,COLLECTION,COMPILING_ORG,DISS_ORG," +
  "DOM_SER_IDS,PUBL_ECB,PUBL_MU,PUBL_PUBLIC,UNIT_INDEX_BASE,COMPILATION,COVERAGE,DECIMALS,NAT_TITLE," +
  "SOURCE_AGENCY,SOURCE_PUB,TITLE,TITLE_COMPL,UNIT,UNIT_MULT";

function header({ full, versions }: Query): string {
  return `${DATA_COLUMNS}${versions ? VERSION_COLUMNS : ""}${full ? ATTRIBUTE_COLUMNS : ""}\n`;
}

function attributesOf(code: CurrencyCode): string {
  const title = `${code}/Euro ECB reference exchange rate`;
  const complete = `"ECB reference exchange rate, ${code}/Euro, 2.15 pm (C.E.T.)"`;
  return `,A,F,,,P1D,,A,,,,,,,99Q1=100,,,${ecbDecimals(code)},,4F0,,${title},${complete},${code},0`;
}

function nothing(): Answer {
  return { status: 404, contentType: "text/plain", body: () => "No results found" };
}
