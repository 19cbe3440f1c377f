/** Banco de México: the FIX by the day on which it is determined, and by the day on which dollars are settled with it. */

import { UpstreamFault } from "#domain/faults/upstream.ts";
import type { OfficialReading, OfficialTable } from "#domain/official/publication.ts";
import { type Day, dayOf, formatDay, weekdayOf } from "#domain/time/day.ts";
import type { OfficialAdapter, OfficialParsed } from "#ports/official.ts";
import type { UpstreamDocument } from "#ports/upstream.ts";
import { digitsAt, type JsonObject, textAt } from "#sources/json.ts";
import { quoted } from "#sources/text.ts";
import { tableReader } from "./reader.ts";
import { conclude, dayMonthYear, publicationOf, requestedWindow, type Span, stretches } from "./reading.ts";

const API = "https://www.banxico.org.mx/SieAPIRest/service/v1/series";
/** The FIX exists since. */
const BEGAN = dayOf(1991, 11, 12) as Day;
/** Longer than any run of Mexican bank holidays, Holy Week included. */
const LOOKBACK_DAYS = 14;
/** 2,500 values and about 100 kilobytes a request; the whole FIX in four. Banxico allows 200 in five minutes. */
const DAYS_A_REQUEST = 3653;
/** A FIX is settled with two bank days later: six days over Easter, and a margin for unforeseen holidays. */
const SETTLEMENT_DAYS_AHEAD = 10;

const TERMS =
  "Source: Banco de México, Sistema de Información Económica, reproduced as published. " +
  "Banco de México neither endorses this service nor answers for it.";

/**
 * Valid from the day of determination until the next one. The same number is published in the Diario Oficial at its next
 * issue (mex_dof) and settles debts in dollars the bank day after (mex_settlement): three tables, three validities.
 */
export const MEX_FIX: OfficialTable = {
  id: "mex_fix",
  country: "MEX",
  types: ["fix", "banxico"],
  title: "FIX: pesos per US dollar, by day of determination",
  authority: "Banco de México",
  homepage: "https://www.banxico.org.mx/tipcamb/main.do?page=tip&idioma=en",
  terms: TERMS,
  cadence: "daily",
  zone: "America/Mexico_City",
  currency: "MXN",
};

/** Published ahead of its validity. */
export const MEX_SETTLEMENT: OfficialTable = {
  ...MEX_FIX,
  id: "mex_settlement",
  types: ["settlement"],
  title: "Pesos per US dollar for settling obligations in foreign currency, by day of settlement",
};

/** Both tables; `token` is Banxico's own, free, sent as a header and nowhere else. */
export function banxicoAdapters(token: string): readonly OfficialAdapter[] {
  return [
    adapter(MEX_FIX, "SF43718", token, 0),
    adapter(MEX_SETTLEMENT, "SF60653", token, SETTLEMENT_DAYS_AHEAD),
  ];
}

function adapter(table: OfficialTable, series: string, token: string, daysAhead: number): OfficialAdapter {
  return {
    ...table,
    routes(window) {
      const requested = requestedWindow(window, BEGAN, LOOKBACK_DAYS);
      if (requested === null) return [];
      const reached = { ...requested, to: requested.to + daysAhead };
      const requests = stretches(reached, DAYS_A_REQUEST).map(({ from, to }) => ({
        url: `${API}/${series}/datos/${formatDay(from)}/${formatDay(to)}`,
        secretHeaders: { "Bmx-Token": token },
        // A refused token and a used-up limit both have status 400; only the body distinguishes them.
        alsoReads: [400],
        accept: "application/json",
        maxBytes: 1024 * 1024,
        timeoutSeconds: 30,
      }));
      const parse = (document: UpstreamDocument) =>
        parseBanxico(document, reached, { series, table, daysAhead });
      return [{ name: "SIE", requests, parse }];
    },
  };
}

const WHAT = "Banxico SIE";
const NO_VALUE = "N/E";
const WITH_THOUSANDS = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;

interface BanxicoSeries {
  /** Such as `SF43718`: titles change their spaces, names do not change. */
  readonly series: string;
  readonly table: OfficialTable;
  /** Days by which a value may be published before its own day. */
  readonly daysAhead: number;
}

/**
 * One series of an answer, a publication a day; days without a value (`N/E`) have none. Throws UpstreamFault for Banxico's
 * own error message, BrokenDocument when the series is not in the answer, and on a rate at a weekend, when banks are
 * closed: there is none since 1991, so it would be a day and a month in the wrong order.
 */
export function parseBanxico(
  document: UpstreamDocument,
  window: Span,
  { series, table, daysAhead }: BanxicoSeries,
): OfficialParsed {
  const reader = tableReader(WHAT, table, daysAhead);
  const answer = reader.json(document);
  const error = answer.get("error");
  if (error instanceof Map) throw faultOf(error);
  const found = reader
    .objects(reader.object(answer, "bmx"), "series")
    .filter((one) => textAt(one, "idSerie") === series);
  const [only] = found;
  if (only === undefined || found.length > 1)
    throw reader.broken(`${series} is there ${found.length} times, not once`);
  // A series without a value in the window comes without the list.
  const values = only.has("datos") ? reader.objects(only, "datos") : [];
  return conclude(window, values.flatMap(readingOf), `${WHAT}: ${series}`);

  function readingOf(value: JsonObject): readonly OfficialReading[] {
    const printedDay = textAt(value, "fecha") ?? "";
    const day = reader.day(document, dayMonthYear(printedDay), printedDay);
    const printed = textAt(value, "dato")?.trim() ?? "";
    if (printed === NO_VALUE) return [];
    const name = formatDay(day);
    if (weekdayOf(day) % 6 === 0) throw reader.broken(`${series} has a rate on ${name}, a weekend`);
    const digits = WITH_THOUSANDS.test(printed) ? printed.replaceAll(",", "") : printed;
    const rate = reader.rate(digits, `${series} of ${name}`);
    const row = { base: "USD", quote: "MXN", rate, unit: 1, kind: "mid" } as const;
    return [publicationOf(name, day, [row])];
  }
}

/** A refused token and a used-up limit both come with status 400; the text and the seconds distinguish them. */
function faultOf(error: JsonObject): UpstreamFault {
  const reported = textAt(error, "mensaje") ?? "";
  const detail = `${WHAT}: an error instead of data: ${quoted(reported)}`;
  const seconds = digitsAt(error, "secondsToReset") ?? "";
  if (seconds !== "" || /l[ií]mite/i.test(reported)) {
    return new UpstreamFault("rate_limited", detail, /^\d{1,6}$/.test(seconds) ? Number(seconds) : null);
  }
  return new UpstreamFault(/token/i.test(reported) ? "refused_credentials" : "status", detail);
}
