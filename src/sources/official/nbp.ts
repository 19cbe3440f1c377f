/** Narodowy Bank Polski: tables A (every working day) and B (weekly) with mean rates, table C with the bank's bid and ask. */

import type { OfficialReading, OfficialRow, OfficialTable } from "#domain/official/publication.ts";
import { formatDay } from "#domain/time/day.ts";
import type { OfficialAdapter } from "#ports/official.ts";
import type { UpstreamDocument } from "#ports/upstream.ts";
import { digitsAt, type JsonObject, textAt } from "#sources/json.ts";
import { get } from "#sources/reading.ts";
import { quoted } from "#sources/text.ts";
import { daysSince, publicationOf, stretches, tableReader, tableSource, withoutExponent } from "./reading.ts";

const API = "https://api.nbp.pl/api/exchangerates/tables";
/** The API's own limit: "93 days". */
const DAYS_A_REQUEST = 93;

/** Valid from the effective date until the next table; Polish tax law uses the last table before the day of the event. */
const TABLE_A: OfficialTable = {
  id: "pol_a",
  country: "POL",
  types: ["a", "daily"],
  title: "Table A: mean rates of major currencies, in złoty",
  authority: "Narodowy Bank Polski",
  homepage: "https://nbp.pl/en/statistic-and-financial-reporting/rates/",
  terms: "Source: Narodowy Bank Polski, exchange rates table A, reproduced as published.",
  cadence: "daily",
  zone: "Europe/Warsaw",
  currency: "PLN",
};

const TABLE_B: OfficialTable = {
  ...TABLE_A,
  id: "pol_b",
  types: ["b", "weekly"],
  title: "Table B: mean rates of other currencies, in złoty",
  terms: "Source: Narodowy Bank Polski, exchange rates table B, reproduced as published.",
  cadence: "weekly",
};

/** Determined on the trading day before the effective date, and valid from the effective date. */
const TABLE_C: OfficialTable = {
  ...TABLE_A,
  id: "pol_c",
  types: ["c"],
  title: "Table C: buying and selling rates of major currencies, in złoty",
  terms: "Source: Narodowy Bank Polski, exchange rates table C, reproduced as published.",
};

/** Members of a rate entry with the kind of each: a mean, or the bank's bid and ask. */
const MEAN = [["mid", "mid"]] as const;
const BID_AND_ASK = [
  ["bid", "buy"],
  ["ask", "sell"],
] as const;
type Figures = readonly (readonly [member: string, kind: OfficialRow["kind"]])[];

const NUMBER = /^\d{1,4}\/([ABC])\/NBP\/\d{4}$/;
/** NBP's text with status 404 for a window without a table. Any other text with 404 is a fault. */
const NOTHING = /^404 NotFound - Not Found - Brak danych\s*$/;

export const POL_A = nbpTable(TABLE_A, "A", MEAN, 14);
export const POL_C = nbpTable(TABLE_C, "C", BID_AND_ASK, 14);
/** Wednesday's table moves with holidays: three weeks always hold one. */
export const POL_B = nbpTable(TABLE_B, "B", MEAN, 21);

function nbpTable(
  table: OfficialTable,
  letter: string,
  figures: Figures,
  lookbackDays: number,
): OfficialAdapter {
  const reader = tableReader(`NBP table ${letter}`, table.zone);
  return tableSource({
    ...table,
    // The archive's first day.
    days: daysSince("2002-01-02", lookbackDays),
    routes: (days) => [
      {
        name: "API",
        requests: stretches(days, DAYS_A_REQUEST).map(({ from, to }) => ({
          ...get("json", `${API}/${letter}/${formatDay(from)}/${formatDay(to)}/?format=json`),
          // A window without a table and a wrong address both have status 404: the text distinguishes them.
          alsoReads: [404],
        })),
        read: (document) => (isNothing(document) ? [] : reader.jsonList(document).map(readingIn(document))),
      },
    ],
  });

  /** Named by NBP's own number: `041/A/NBP/2026` is `041-A-NBP-2026`. Throws BrokenDocument. */
  function readingIn(document: UpstreamDocument) {
    return (one: JsonObject): OfficialReading => {
      const number = textAt(one, "no") ?? "";
      if (textAt(one, "table") !== letter || NUMBER.exec(number)?.[1] !== letter)
        throw reader.broken(`not such a table: ${quoted(number)}`);
      const validFrom = reader.day(document, textAt(one, "effectiveDate"));
      const rows = reader.objects(one, "rates").flatMap((rate) => {
        const base = reader.code(textAt(rate, "code") ?? "");
        return figures.map(([member, kind]) => {
          const digits = withoutExponent(digitsAt(rate, member) ?? "");
          const printed = reader.rate(digits, `${base} ${member} in ${number}`);
          return { base, quote: "PLN", rate: printed, unit: 1, kind };
        });
      });
      return publicationOf(number, validFrom, rows);
    };
  }
}

function isNothing({ bytes }: UpstreamDocument): boolean {
  return NOTHING.test(new TextDecoder("latin1").decode(bytes.subarray(0, 100)));
}
