/** Česká národní banka: the daily fixing of the koruna. */

import type { OfficialReading, OfficialRow } from "#domain/official/publication.ts";
import { type Day, formatDay } from "#domain/time/day.ts";
import type { UpstreamDocument } from "#ports/upstream.ts";
import { digitsAt, textAt } from "#sources/json.ts";
import { get } from "#sources/reading.ts";
import {
  daysSince,
  publicationOf,
  tableReader,
  tableSource,
  weekdaysOf,
  withoutExponent,
  yearsOf,
} from "./reading.ts";

const API = "https://api.cnb.cz/cnbapi/exrates";
const LOOKBACK_DAYS = 14;

/**
 * Declared after 14:30 on working days, valid on that day and on the holidays after it. Named by its day: a year's list prints no
 * numbers, and counted numbers would all shift when one fixing is missing or added.
 */
export const CZE_FIXING = tableSource({
  id: "cze_fixing",
  country: "CZE",
  types: ["fixing", "daily"],
  title: "Central bank exchange rate fixing, in koruna",
  authority: "Česká národní banka",
  homepage:
    "https://www.cnb.cz/en/financial-markets/foreign-exchange-market/central-bank-exchange-rate-fixing/",
  terms:
    "Source: Czech National Bank, central bank exchange rate fixing, reproduced as published. " +
    "The bank declares it for accounting and for assessing taxes and customs duties.",
  cadence: "daily",
  zone: "Europe/Prague",
  currency: "CZK",
  // The first fixing in Czech koruna; earlier ones are in Czechoslovak koruna.
  days: daysSince("1993-02-08", LOOKBACK_DAYS),

  /** latest: the list valid on the last day, else the year's. Otherwise a list per year, else, for short windows, one per weekday. */
  routes(days, reach) {
    const route = (name: string, queries: readonly string[]) => {
      return {
        name,
        requests: queries.map((query) => get("json", `${API}/${query}&lang=EN`)),
        read: readCnb,
      };
    };
    const years = route(
      "year",
      yearsOf(days).map((year) => `daily-year?year=${year}`),
    );
    /** The bank answers with the fixing that is valid on the day. */
    const byDay = (of: readonly Day[]) =>
      route(
        "day",
        of.map((day) => `daily?date=${formatDay(day)}`),
      );
    if (reach === "latest") return [byDay([days.to]), years];
    const weekdays = weekdaysOf(days);
    return weekdays.length <= LOOKBACK_DAYS ? [years, byDay(weekdays)] : [years];
  },
});

const reader = tableReader("CNB rates", CZE_FIXING.zone, { hour: 14 });

/** One publication a day; a year without a fixing yet is an empty list. Throws BrokenDocument. */
function readCnb(document: UpstreamDocument): readonly OfficialReading[] {
  const listed = reader.objects(reader.json(document), "rates");
  const byDay = Map.groupBy(listed, (line) => textAt(line, "validFor") ?? "");
  return [...byDay].map(([printedDay, lines]) => {
    const day = reader.day(document, printedDay);
    const name = formatDay(day);
    const rows = lines.map((line): OfficialRow => {
      const base = reader.code(textAt(line, "currencyCode") ?? "");
      const of = `${base} of ${name}`;
      const rate = reader.rate(withoutExponent(digitsAt(line, "rate") ?? ""), of);
      const unit = reader.unit(digitsAt(line, "amount") ?? "", of);
      return { base, quote: "CZK", rate, unit, kind: "mid" };
    });
    return publicationOf(name, day, rows);
  });
}
