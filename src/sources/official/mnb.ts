/** The official rates of the Hungarian central bank: SOAP requests, and answers that are XML as text inside XML. */

import { UpstreamFault } from "#domain/faults/upstream.ts";
import type { OfficialReading, OfficialRow } from "#domain/official/publication.ts";
import { formatDay } from "#domain/time/day.ts";
import type { UpstreamDocument, UpstreamRequest } from "#ports/upstream.ts";
import { quoted } from "#sources/text.ts";
import { elementsOf, readElements, type XmlElement } from "#sources/xml.ts";
import { daysSince, publicationOf, type Span, stretches, tableReader, tableSource } from "./reading.ts";

/** Plain HTTP: the service description names this address, and https has no service there. */
const SERVICE = "http://www.mnb.hu/arfolyamok.asmx";
const ACTION = "http://www.mnb.hu/webservices/MNBArfolyamServiceSoap/GetExchangeRates";
/** A year with every currency is less than a megabyte. */
const DAYS_A_REQUEST = 366;

/**
 * The service's currencies since 1999 that have ISO 4217 codes. A request must name its currencies: without names, the days come
 * back empty.
 */
const CURRENCIES = [
  "AUD,BGN,BRL,CAD,CHF,CNY,CZK,DKK,EUR,GBP,HKD,HRK,IDR,ILS,INR,ISK,JPY,KRW,MXN,MYR,NOK,NZD,PHP,PLN,RON,RSD,RUB,SEK,SGD,THB",
  "TRY,UAH,USD,ZAR,ATS,BEF,BGL,CSD,DEM,EEK,EGP,ESP,FIM,FRF,GRD,IEP,ITL,KWD,LTL,LUF,LVL,NLG,PTE,ROL,SIT,SKK,YUD",
].join(",");

export const HUN_OFFICIAL = tableSource({
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
  // The service goes back to 1949, with earlier forints and codes outside ISO 4217; the euro begins here. Ten days are longer than
  // the closure at Christmas.
  days: daysSince("1999-01-01", 10),
  routes: (days) => [
    { name: "SOAP service", requests: stretches(days, DAYS_A_REQUEST).map(request), read: readMnb },
  ],
});

function request({ from, to }: Span): UpstreamRequest {
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

const reader = tableReader("MNB rates", HUN_OFFICIAL.zone);
const COMMA_DECIMAL = /^\d+(?:,\d+)?$/;
/** Element names from the envelope to the text that holds the inner document. */
const PATH = ["Envelope", "Body", "GetExchangeRatesResponse", "GetExchangeRatesResult"];

/** Every day of an answer, named by its date and valid from that date until the next. The answer omits days without rates. */
function readMnb(document: UpstreamDocument): readonly OfficialReading[] {
  const list = readElements(innerText(reader.xml(document)), reader.what);
  if (list.name !== "MNBExchangeRates") throw reader.broken(`the answer is a ${list.name}`);
  return elementsOf(list, "Day").map((line) => {
    const printed = reader.attribute(line, "date");
    const day = reader.day(document, printed);
    return publicationOf(
      printed,
      day,
      elementsOf(line, "Rate").map((rate) => rowOf(rate, printed)),
    );
  });
}

function innerText(envelope: XmlElement): string {
  let element = envelope;
  for (const [depth, name] of PATH.entries()) {
    if (depth > 0) element = soleChild(element);
    if (localName(element) === "Fault") {
      const reason = element.children.find((child) => localName(child) === "faultstring")?.text ?? "fault";
      throw new UpstreamFault("status", `${reader.what}: ${quoted(reason)}`);
    }
    if (localName(element) !== name) throw reader.broken(`${element.name} where ${name} belongs`);
  }
  return element.text;
}

function soleChild(element: XmlElement): XmlElement {
  const [child, ...more] = element.children;
  if (child !== undefined && more.length === 0) return child;
  throw reader.broken(`${element.children.length} elements in ${element.name}`);
}

function localName({ name }: XmlElement): string {
  return name.slice(name.indexOf(":") + 1);
}

/** The bank writes a decimal comma, and no thousands separators. */
function rowOf(element: XmlElement, date: string): OfficialRow {
  const base = reader.code(reader.attribute(element, "curr"));
  const of = `${base} on ${date}`;
  if (!COMMA_DECIMAL.test(element.text)) throw reader.broken(`${of} is not a rate: ${quoted(element.text)}`);
  const rate = reader.rate(element.text.replace(",", "."), of);
  const unit = reader.unit(reader.attribute(element, "unit"), of);
  return { base, quote: "HUF", rate, unit, kind: "mid" };
}
