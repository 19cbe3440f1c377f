/** The official rates of the Hungarian central bank: identity, and the SOAP questions that cover a window. Answers are read in mnb-xml.ts. */

import type { OfficialTable } from "#domain/official/publication.ts";
import { type Day, dayOf, formatDay } from "#domain/time/day.ts";
import type { OfficialAdapter } from "#ports/official.ts";
import type { UpstreamRequest } from "#ports.ts";
import { parseMnbAnswer } from "./mnb-xml.ts";
import { askedOf, stretches } from "./reading.ts";

/** The service is offered on plain HTTP alone: its description names this address, and the one with https has no service. */
const SERVICE = "http://www.mnb.hu/arfolyamok.asmx";
const ACTION = "http://www.mnb.hu/webservices/MNBArfolyamServiceSoap/GetExchangeRates";
/** The service goes back to 1949, in other forints and with codes that are not those of ISO; the euro begins here. */
const BEGAN = dayOf(1999, 1, 1) as Day;
/** Longer than Christmas with the days given around it. */
const LOOKBACK_DAYS = 10;
/** A year with every currency is less than a megabyte. */
const DAYS_A_QUESTION = 366;

/**
 * The service answers for the currencies that are named, and with empty days when none is: those of ISO 4217 that its
 * list of currencies has for the time since 1999.
 */
const CURRENCIES = [
  "AUD,BGN,BRL,CAD,CHF,CNY,CZK,DKK,EUR,GBP,HKD,HRK,IDR,ILS,INR,ISK,JPY,KRW,MXN,MYR,NOK,NZD,PHP,PLN,RON,RSD,RUB,SEK,SGD,THB",
  "TRY,UAH,USD,ZAR,ATS,BEF,BGL,CSD,DEM,EEK,EGP,ESP,FIM,FRF,GRD,IEP,ITL,KWD,LTL,LUF,LVL,NLG,PTE,ROL,SIT,SKK,YUD",
].join(",");

const MNB_TABLE: OfficialTable = {
  id: "hun_official",
  country: "HUN",
  types: ["official", "daily", "mnb"],
  title: "MNB official exchange rates",
  authority: "Magyar Nemzeti Bank",
  homepage: "https://www.mnb.hu/en/arfolyamok",
  terms:
    "Source: Magyar Nemzeti Bank, official foreign exchange rates, reproduced as published. " +
    "Its service has no TLS: what comes is checked for form and plausibility, not for its sender.",
  cadence: "daily",
  zone: "Europe/Budapest",
  currency: "HUF",
};

/** One question a year at most. Days on which the bank sets no rates are not in its answer. */
export const HUN_OFFICIAL: OfficialAdapter = {
  ...MNB_TABLE,
  routes(window) {
    const asked = askedOf(window, BEGAN, LOOKBACK_DAYS);
    if (asked === null) return [];
    const requests = stretches(asked.from, asked.to, DAYS_A_QUESTION).map(({ from, to }) =>
      request(from, to),
    );
    return [
      { name: "SOAP service", requests, parse: (document) => parseMnbAnswer(document, asked, MNB_TABLE) },
    ];
  },
};

function request(from: Day, to: Day): UpstreamRequest {
  return {
    url: SERVICE,
    withoutTls: true,
    post: {
      contentType: "text/xml; charset=utf-8",
      headers: { SOAPAction: `"${ACTION}"` },
      body:
        '<?xml version="1.0" encoding="utf-8"?>' +
        '<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>' +
        '<GetExchangeRates xmlns="http://www.mnb.hu/webservices/">' +
        `<startDate>${formatDay(from)}</startDate><endDate>${formatDay(to)}</endDate>` +
        `<currencyNames>${CURRENCIES}</currencyNames></GetExchangeRates></soap:Body></soap:Envelope>`,
    },
    accept: "text/xml, application/xml",
    maxBytes: 4 * 1024 * 1024,
    timeoutSeconds: 60,
  };
}
