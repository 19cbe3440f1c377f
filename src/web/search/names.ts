/** What people call currencies: countries, symbols, short and old names. The code and the name of ISO 4217 are not repeated. */

import type { CurrencyCode } from "#domain/currency/currency.ts";

/** Separated by commas. The euro's names include its member states and the currencies that it replaced. */
const NAMES: Readonly<Record<CurrencyCode, string>> = {
  AUD: "australia, a$, $, aussie dollar, nauru, kiribati, tuvalu",
  BRL: "brazil, brasil, r$, reais",
  CAD: "canada, c$, $, loonie",
  CHF: "switzerland, liechtenstein, fr, sfr, swiss franc, swissie, schweiz, suisse",
  CNY: "china, ¥, cn¥, rmb, renminbi, yuan, cnh",
  CZK: "czechia, czech republic, kč, koruna, crown",
  DKK: "denmark, greenland, faroe islands, kr, krone, crown",
  EUR: "€, euro area, eurozone, austria, belgium, bulgaria, croatia, cyprus, estonia, finland, france, germany, greece, ireland, italy, latvia, lithuania, luxembourg, malta, netherlands, portugal, slovakia, slovenia, spain, montenegro, kosovo, deutsche mark, german mark, dem, french franc, frf, italian lira, itl, peseta, esp, escudo, pte, guilder, nlg, belgian franc, bef, schilling, ats, markka, fim, punt, iep, drachma, grd, tolar, sit, slovak koruna, skk, kroon, eek, lats, lvl, litas, ltl, kuna, hrk, lev, bgn, ecu, xeu",
  GBP: "united kingdom, uk, great britain, britain, england, scotland, wales, northern ireland, £, pound, sterling, quid, cable",
  HKD: "hong kong, hk$, $",
  HUF: "hungary, ft, hungarian forint",
  IDR: "indonesia, rp, indonesian rupiah",
  ILS: "israel, ₪, shekel, nis",
  INR: "india, bhutan, ₹, rs",
  ISK: "iceland, kr, krona, crown",
  JPY: "japan, ¥, jp¥, japanese yen",
  KRW: "south korea, korea, ₩, korean won",
  MXN: "mexico, méxico, mx$, $, peso, mxp",
  MYR: "malaysia, rm, ringgit",
  NOK: "norway, svalbard, kr, krone, crown",
  NZD: "new zealand, nz$, $, kiwi dollar, cook islands",
  PHP: "philippines, ₱, peso, piso",
  PLN: "poland, polska, zł, zloty, plz",
  RON: "romania, lei, leu, rol",
  SEK: "sweden, sverige, kr, krona, crown",
  SGD: "singapore, s$, $",
  THB: "thailand, ฿, thai baht",
  TRY: "turkey, türkiye, ₺, lira, trl, tl",
  TWD: "taiwan, nt$, $, ntd",
  USD: "united states, usa, us, america, us$, $, greenback, buck, ecuador, el salvador, panama, puerto rico",
  ZAR: "south africa, lesotho, namibia, eswatini, r, south african rand",
};

export function namesOf(code: CurrencyCode): readonly string[] {
  return NAMES[code].split(", ");
}
