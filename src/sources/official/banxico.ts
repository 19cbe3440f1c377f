/** Banco de México: the FIX by the day on which it is determined, and by the day on which dollars are settled with it. */

import type { OfficialTable } from "#domain/official/publication.ts";
import { type Day, dayOf, formatDay } from "#domain/time/day.ts";
import type { OfficialAdapter } from "#ports/official.ts";
import { parseBanxico } from "./banxico-json.ts";
import { askedOf, stretches } from "./reading.ts";

const API = "https://www.banxico.org.mx/SieAPIRest/service/v1/series";
/** The FIX exists since. */
const BEGAN = dayOf(1991, 11, 12) as Day;
/** Longer than any run of Mexican bank holidays, Holy Week included. */
const LOOKBACK_DAYS = 14;
/** 2,500 values and about 100 kilobytes a request; the whole FIX in four. Banxico allows 200 in five minutes. */
const DAYS_A_REQUEST = 3653;
/** A FIX is settled with two bank days later: six days over Easter, and what is added for a holiday that nobody foresaw. */
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
      const asked = askedOf(window, BEGAN, LOOKBACK_DAYS);
      if (asked === null) return [];
      const reached = { ...asked, to: asked.to + daysAhead };
      const requests = stretches(reached.from, reached.to, DAYS_A_REQUEST).map(({ from, to }) => ({
        url: `${API}/${series}/datos/${formatDay(from)}/${formatDay(to)}`,
        secretHeaders: { "Bmx-Token": token },
        // A refused token and a used-up limit are told with 400, and only the body says which.
        alsoReads: [400],
        accept: "application/json",
        maxBytes: 1024 * 1024,
        timeoutSeconds: 30,
      }));
      return [
        {
          name: "SIE",
          requests,
          parse: (document) => parseBanxico(document, reached, { series, table, daysAhead }),
        },
      ];
    },
  };
}
