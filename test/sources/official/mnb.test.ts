/** The Hungarian central bank's answer: XML inside XML, decimals with a comma, amounts beside the currency. */

import { describe, expect, test } from "bun:test";
import type { Window } from "#domain/intake/reading.ts";
import { HUN_OFFICIAL } from "#sources/official/mnb.ts";
import { windowOf } from "#test/sources/documents.ts";
import { realDocument, realText, testOn } from "#test/support/shared-data.ts";
import { faultOf, publicationsOf, rowsOf, testsOf } from "./tables.ts";

const hungarian = testsOf(HUN_OFFICIAL, {
  window: windowOf("recent", "2026-06-01", "2026-06-05"),
  at: "2026-06-05",
});
const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const envelope = (result: string) =>
  `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${result}</s:Body></s:Envelope>`;
const response = (inner: string) =>
  envelope(
    `<GetExchangeRatesResponse xmlns="http://www.mnb.hu/webservices/"><GetExchangeRatesResult>${inner}</GetExchangeRatesResult></GetExchangeRatesResponse>`,
  );
const rate = (currency: string, unit: string, value: string) =>
  `<Rate unit="${unit}" curr="${currency}">${value}</Rate>`;
type Days = (readonly [date: string, rates: string])[];
const listOf = (...days: Days) =>
  `<MNBExchangeRates>${days.map(([date, rates]) => `<Day date="${date}">${rates}</Day>`).join("")}</MNBExchangeRates>`;
const daysOf = (...days: Days) => response(escaped(listOf(...days)));
const RATES = rate("EUR", "1", "402,60") + rate("JPY", "100", "248,17");
const DAY = "2026-06-05";

test("every day is named by its date and valid until the next, oldest first; commas become points, zeros stay", () => {
  expect(hungarian.lines(daysOf([DAY, RATES], ["2026-06-04", rate("EUR", "1", "401")]))).toEqual([
    "2026-06-04 2026-06-04…: 1 EUR = 401 HUF mid",
    "2026-06-05 2026-06-05…: 1 EUR = 402.60 HUF mid, 100 JPY = 248.17 HUF mid",
  ]);
});

test("no day is nothing published; days outside the window are passed over", () => {
  expect(hungarian.parse(response(escaped("<MNBExchangeRates />"))).outcome).toBe("empty");
  expect(hungarian.parse(daysOf(["2026-05-29", RATES])).outcome).toBe("empty");
});

test("the service's own fault is a fault, with its text", () => {
  const fault = envelope(
    "<s:Fault><faultcode>s:Client</faultcode><faultstring>Bad date</faultstring></s:Fault>",
  );
  expect(faultOf(() => hungarian.parse(fault)).message).toContain("Bad date");
});

describe("questions", () => {
  const requests = (reach: Window["reach"], from: string, to: string) =>
    HUN_OFFICIAL.routes(windowOf(reach, from, to)).flatMap((route) => route.requests);
  const spans = (...question: Parameters<typeof requests>) =>
    requests(...question).map(({ post }) =>
      post?.body.replace(/^.*<startDate>(.*)<\/startDate><endDate>(.*)<\/endDate>.*$/, "$1..$2"),
    );
  const namesIn = (body = "") => /<currencyNames>(.*)<\/currencyNames>/.exec(body)?.[1]?.split(",") ?? [];

  test("one is a SOAP POST without credentials to the service, which has no TLS", () => {
    const [request, ...more] = requests("recent", "2026-06-01", DAY);
    expect(more).toEqual([]);
    expect(request).toMatchObject({
      url: "http://www.mnb.hu/arfolyamok.asmx",
      withoutTls: true,
      post: {
        contentType: "text/xml; charset=utf-8",
        headers: { SOAPAction: '"http://www.mnb.hu/webservices/MNBArfolyamServiceSoap/GetExchangeRates"' },
      },
    });
    const names = namesIn(request?.post?.body);
    expect(names.every((name) => /^[A-Z]{3}$/.test(name))).toBe(true);
    expect(new Set(names).size).toBe(names.length);
    expect(HUN_OFFICIAL.terms).toContain("no TLS");
  });

  test("the newest is looked for over a pause of the bank; a longer time takes a question a year", () => {
    expect(spans("latest", DAY, DAY)).toEqual(["2026-05-26..2026-06-05"]);
    expect(spans("recent", "2025-01-01", DAY)).toEqual(["2025-01-01..2026-01-01", "2026-01-02..2026-06-05"]);
    expect(spans("history", "1998-01-01", "1999-12-31")).toEqual(["1999-01-01..1999-12-31"]);
    expect(requests("history", "1990-01-01", "1998-12-31")).toEqual([]);
  });

  testOn("official/mnb-soap.xml")("all currencies of the real answer are requested", () => {
    const text = realText("official/mnb-soap.xml");
    const names = namesIn(requests("recent", "2026-06-01", DAY)[0]?.post?.body);
    for (const [, code = ""] of text.matchAll(/curr="([A-Z]{3})"/g)) expect(names).toContain(code);
  });
});

hungarian.keepsContract(daysOf([DAY, RATES]), "402,60");
hungarian.refuses([
  ["a cut-off inner document", response(escaped(listOf([DAY, RATES]).slice(0, -19))), "Missing end tag"],
  [
    "another answer",
    envelope("<GetInfoResponse/>"),
    "GetInfoResponse where GetExchangeRatesResponse belongs",
  ],
  ["an empty envelope", envelope(""), "0 elements in s:Body"],
  ["an empty result", response(""), "Root element is missing"],
  ["no result", envelope("<GetExchangeRatesResponse/>"), "0 elements in GetExchangeRatesResponse"],
  ["a day without rates, as for names that are unknown", daysOf([DAY, ""]), "without rates"],
  ["an inner document that is not escaped", response("<x/>"), "Root element is missing"],
  ["another inner document", response(escaped("<MNBCurrencies/>")), "the answer is a MNBCurrencies"],
  ["no date", daysOf(["2026.06.05", RATES]), "not a date"],
  ["a day twice with other rates", daysOf([DAY, RATES], [DAY, rate("EUR", "1", "1,0")]), "that differ"],
  ["a decimal point", daysOf([DAY, rate("EUR", "1", "402.60")]), "EUR on 2026-06-05 is not a rate"],
  ["points for thousands", daysOf([DAY, rate("KWD", "1", "1.217,42")]), "KWD on 2026-06-05 is not a rate"],
  ["a unit of no power of ten", daysOf([DAY, rate("JPY", "12", "29,78")]), "not by a power of ten"],
  ["a unit above a million", daysOf([DAY, rate("JPY", "10000000", "29,78")]), "not by a power of ten"],
  ["another rate of a row", daysOf([DAY, RATES + rate("EUR", "1", "402,61")]), "EUR HUF mid is there twice"],
]);

testOn("official/mnb-soap.xml")("the real answer: five days of 32 currencies", () => {
  const window = windowOf("recent", "2025-03-24", "2025-03-28");
  const readings = publicationsOf(
    hungarian.parse(realDocument("official/mnb-soap.xml"), { window, at: "2025-03-28" }),
  );
  expect(readings.map(({ publication, rows }) => `${publication} ${rows.length}`)).toEqual(
    ["24", "25", "26", "27", "28"].map((date) => `2025-03-${date} 32`),
  );
  const friday = readings.map(rowsOf).at(-1);
  for (const row of ["1 EUR = 402.61", "1 GBP = 484.00", "100 JPY = 248.17", "100 IDR = 2.26"])
    expect(friday).toContain(`${row} HUF mid`);
});
