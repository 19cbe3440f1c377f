/** www.mnb.hu: the SOAP service of the Hungarian central bank, XML as text inside XML, the newest day first, decimals with a comma. */

import { type OfficialSheet, officialSheet } from "#demo/official-sheet.ts";
import { type Answer, type DemoRequest, notFound } from "#demo/request.ts";
import { atWallTime } from "#domain/time/calendar.ts";
import { type Day, formatDay, parseDay } from "#domain/time/day.ts";
import { dailyTable, isOpenDay, linesOf } from "./tables.ts";

const CODES =
  "AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD IDR ILS INR ISK JPY KRW MXN MYR NOK NZD PHP PLN RON RSD RUB SEK SGD THB TRY UAH USD ZAR";
const UNITS = { IDR: 100, JPY: 100, KRW: 100 };
const ACTION = /^"?http:\/\/www\.mnb\.hu\/webservices\/MNBArfolyamServiceSoap\/GetExchangeRates"?$/;

/** At eleven in Budapest, where it is as late as in Frankfurt. */
const MNB_TABLE = dailyTable({
  id: "hun_official",
  currency: "HUF",
  lines: linesOf(CODES, 2, UNITS),
  sixteenths: -2,
  isDay: isOpenDay,
  publishedAt: (day) => atWallTime("Europe/Berlin", day, 11, 0),
});

/** A question that is none is answered with a fault and status 500; days are empty where no known currency is named. */
export function mnb(request: DemoRequest): Answer {
  if (request.url.pathname !== "/arfolyamok.asmx") return notFound();
  const { question } = request;
  if (question === null) return { status: 405, contentType: "text/plain", body: () => "POST only" };
  if (!ACTION.test(request.headers.get("soapaction") ?? "")) return refusal("The action is not known.");
  const from = parseDay(memberOf(question, "startDate"));
  const to = parseDay(memberOf(question, "endDate"));
  if (from === null || to === null) return refusal("A date is not a date.");
  const names = new Set(memberOf(question, "currencyNames").split(","));
  const sheet = officialSheet(request, MNB_TABLE);
  const days = sheet.days(from, to).reverse();
  return soap(() => {
    const inner = `<MNBExchangeRates>${days.map((day) => dayText(sheet, day, names)).join("")}</MNBExchangeRates>`;
    const result = `<GetExchangeRatesResult>${escaped(inner)}</GetExchangeRatesResult>`;
    return `<GetExchangeRatesResponse xmlns="http://www.mnb.hu/webservices/" xmlns:i="http://www.w3.org/2001/XMLSchema-instance">${result}</GetExchangeRatesResponse>`;
  });
}

function dayText(sheet: OfficialSheet, day: Day, names: ReadonlySet<string>): string {
  const rates = MNB_TABLE.lines
    .filter(({ code }) => names.has(code))
    .map((line) => {
      const printed = sheet.printed(line, day).replace(".", ",");
      return `<Rate unit="${line.unit}" curr="${line.code}">${printed}</Rate>`;
    });
  return `<Day date="${formatDay(sheet.printedDay(day))}">${rates.join("")}</Day>`;
}

function memberOf(question: string, name: string): string {
  return new RegExp(`<(?:\\w+:)?${name}>([^<]*)</`).exec(question)?.[1] ?? "";
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function refusal(reason: string): Answer {
  const fault = `<s:Fault><faultcode>s:Client</faultcode><faultstring xml:lang="hu-HU">${reason}</faultstring></s:Fault>`;
  return { ...soap(() => fault), status: 500 };
}

function soap(content: () => string): Answer {
  return {
    contentType: "text/xml; charset=utf-8",
    body: () =>
      `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${content()}</s:Body></s:Envelope>`,
  };
}
