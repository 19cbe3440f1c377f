/** Narodowy Bank Polski: tables A (every working day) and B (weekly) with mean rates, table C with what the bank pays and asks. */

import type { OfficialTable } from "#domain/official/publication.ts";
import { type Day, dayOf, formatDay } from "#domain/time/day.ts";
import type { OfficialAdapter } from "#ports/official.ts";
import { type NbpTable, parseNbp } from "./nbp-json.ts";
import { askedOf, stretches } from "./reading.ts";

const API = "https://api.nbp.pl/api/exchangerates/tables";
/** The archive's first day. */
const BEGAN = dayOf(2002, 1, 2) as Day;
/** The API's own limit: "93 days". */
const DAYS_A_REQUEST = 93;

/** Valid from the effective date until the next table; Polish tax takes the last table before the day of the event. */
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

/** Made of the market of the trading day, which is the one before, and valid from the effective date. */
const TABLE_C: OfficialTable = {
  ...TABLE_A,
  id: "pol_c",
  types: ["c"],
  title: "Table C: buying and selling rates of major currencies, in złoty",
  terms: "Source: Narodowy Bank Polski, exchange rates table C, reproduced as published.",
};

export const POL_A = adapter(TABLE_A, "A", 14);
export const POL_C = adapter(TABLE_C, "C", 14);
/** Wednesday's table moves with holidays: three weeks always hold one. */
export const POL_B = adapter(TABLE_B, "B", 21);

function adapter(table: OfficialTable, letter: NbpTable["letter"], lookbackDays: number): OfficialAdapter {
  return {
    ...table,
    routes(window) {
      const asked = askedOf(window, BEGAN, lookbackDays);
      if (asked === null) return [];
      const requests = stretches(asked.from, asked.to, DAYS_A_REQUEST).map(({ from, to }) => ({
        url: `${API}/${letter}/${formatDay(from)}/${formatDay(to)}/?format=json`,
        // A window without a table is told with 404, and so is a wrong address: the words tell them apart.
        alsoReads: [404],
        accept: "application/json",
        maxBytes: 2 * 1024 * 1024,
        timeoutSeconds: 30,
      }));
      return [{ name: "API", requests, parse: (document) => parseNbp(document, asked, { table, letter }) }];
    },
  };
}
