/** The Hungarian central bank's answer: XML inside XML, decimals with a comma, amounts beside the currency. */

import { describe, expect, test } from "bun:test";
import { UpstreamFault } from "#domain/faults/upstream.ts";
import { HUN_OFFICIAL } from "#sources/official/mnb.ts";
import { reasonOf, windowOf } from "#test/sources/documents.ts";
import { testOn } from "#test/support/shared-data.ts";
import { answer, namesOf, publicationsOf, realText, routeOf, rowsOf } from "./tables.ts";

const week = windowOf("recent", "2026-06-01", "2026-06-05");
const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const envelope = (result: string) =>
  `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${result}</s:Body></s:Envelope>`;
const response = (inner: string) =>
  envelope(
    `<GetExchangeRatesResponse xmlns="http://www.mnb.hu/webservices/"><GetExchangeRatesResult>${escaped(inner)}</GetExchangeRatesResult></GetExchangeRatesResponse>`,
  );
const rate = (currency: string, unit: string, value: string) =>
  `<Rate unit="${unit}" curr="${currency}">${value}</Rate>`;
const days = (...list: readonly (readonly [string, string])[]) =>
  `<MNBExchangeRates>${list.map(([date, rates]) => `<Day date="${date}">${rates}</Day>`).join("")}</MNBExchangeRates>`;
const RATES = rate("EUR", "1", "402,60") + rate("JPY", "100", "248,17");

const parse = (text: string, window = week, came = "2026-06-05") =>
  routeOf(HUN_OFFICIAL, window).parse(answer(text, "http://example.org/soap", came), window);

test("every day is named by its date and valid until the next, oldest first; commas become points, zeros stay", () => {
  const parsed = parse(response(days(["2026-06-05", RATES], ["2026-06-04", rate("EUR", "1", "401")])));
  expect(namesOf(parsed)).toEqual(["2026-06-04 2026-06-04…", "2026-06-05 2026-06-05…"]);
  expect(publicationsOf(parsed).map(rowsOf)).toEqual([
    ["1 EUR = 401 HUF mid"],
    ["1 EUR = 402.60 HUF mid", "100 JPY = 248.17 HUF mid"],
  ]);
});

test("no day is nothing published; days outside the window are passed over", () => {
  expect(parse(response("<MNBExchangeRates />")).outcome).toBe("empty");
  expect(parse(response(days(["2026-05-29", RATES]))).outcome).toBe("empty");
});

test("the service's own fault is a fault, with its text", () => {
  const fault = envelope(
    "<s:Fault><faultcode>s:Client</faultcode><faultstring>Bad date</faultstring></s:Fault>",
  );
  expect(() => parse(fault)).toThrow(UpstreamFault);
  expect(() => parse(fault)).toThrow("Bad date");
});

describe("questions", () => {
  const requestsFor = (reach: "latest" | "recent" | "history", from: string, to: string) =>
    HUN_OFFICIAL.routes(windowOf(reach, from, to)).flatMap(({ requests }) => requests);
  const daysOf = (requests: ReturnType<typeof requestsFor>) =>
    requests.map(({ post }) =>
      /<startDate>(.*)<\/startDate><endDate>(.*)<\/endDate>/
        .exec(post?.body ?? "")
        ?.slice(1)
        .join(".."),
    );

  test("one is a SOAP POST without credentials to the service, which has no TLS", () => {
    const [request, ...more] = requestsFor("recent", "2026-06-01", "2026-06-05");
    expect(more).toEqual([]);
    expect(request).toMatchObject({
      url: "http://www.mnb.hu/arfolyamok.asmx",
      withoutTls: true,
      post: {
        contentType: "text/xml; charset=utf-8",
        headers: { SOAPAction: '"http://www.mnb.hu/webservices/MNBArfolyamServiceSoap/GetExchangeRates"' },
      },
    });
    expect(request?.post?.body).toContain("<startDate>2026-06-01</startDate><endDate>2026-06-05</endDate>");
    expect(request?.post?.body).toMatch(/<currencyNames>(?:[A-Z]{3},)+[A-Z]{3}<\/currencyNames>/);
    expect(HUN_OFFICIAL.terms).toContain("no TLS");
  });

  test("the newest is looked for over a pause of the bank; a longer time takes a question a year", () => {
    expect(daysOf(requestsFor("latest", "2026-06-05", "2026-06-05"))).toEqual(["2026-05-26..2026-06-05"]);
    expect(daysOf(requestsFor("recent", "2025-01-01", "2026-06-05"))).toEqual([
      "2025-01-01..2026-01-01",
      "2026-01-02..2026-06-05",
    ]);
    expect(daysOf(requestsFor("history", "1998-01-01", "1999-12-31"))).toEqual(["1999-01-01..1999-12-31"]);
    expect(requestsFor("history", "1990-01-01", "1998-12-31")).toEqual([]);
  });

  testOn("official/mnb-soap.xml")("all currencies of the real answer are requested", () => {
    const text = realText("mnb-soap.xml");
    const body = requestsFor("recent", "2026-06-01", "2026-06-05")[0]?.post?.body ?? "";
    const names = /<currencyNames>(.*)<\/currencyNames>/.exec(body)?.[1]?.split(",") ?? [];
    expect(new Set(names).size).toBe(names.length);
    for (const [, code = ""] of text.matchAll(/curr="([A-Z]{3})"/g)) expect(names).toContain(code);
  });
});

const one = (rates: string) => response(days(["2026-06-05", rates]));
const whole = response(days(["2026-06-05", RATES]));
test.each<readonly [string, string, string]>([
  ["a cut-off envelope", whole.slice(0, -20), "not well-formed"],
  [
    "a cut-off inner document",
    response(days(["2026-06-05", RATES]).slice(0, -19)),
    "Missing end tag for element MNBExchangeRates",
  ],
  [
    "another answer",
    envelope("<GetInfoResponse/>"),
    "GetInfoResponse where GetExchangeRatesResponse belongs",
  ],
  ["an empty envelope", envelope(""), "0 elements in s:Body"],
  ["an empty result", response(""), "Root element is missing"],
  [
    "a result that is left out",
    envelope("<GetExchangeRatesResponse/>"),
    "0 elements in GetExchangeRatesResponse",
  ],
  [
    "days without currencies, as for names that are unknown",
    response(days(["2026-06-05", ""])),
    "without rates",
  ],
  [
    "an inner document that is not escaped",
    envelope(
      "<GetExchangeRatesResponse><GetExchangeRatesResult><x/></GetExchangeRatesResult></GetExchangeRatesResponse>",
    ),
    "Root element is missing",
  ],
  ["another inner document", response("<MNBCurrencies/>"), "the answer is a MNBCurrencies"],
  ["a day in the future", response(days(["2026-06-08", RATES])), "in the future"],
  ["no date", response(days(["2026.06.05", RATES])), "not a date"],
  ["a day without rates", one(""), "without rates"],
  [
    "a day twice with other rates",
    response(days(["2026-06-05", RATES], ["2026-06-05", rate("EUR", "1", "1,0")])),
    "that differ",
  ],
  ["a decimal point", one(rate("EUR", "1", "402.60")), "EUR on 2026-06-05 is not a rate"],
  ["points for thousands", one(rate("KWD", "1", "1.217,42")), "KWD on 2026-06-05 is not a rate"],
  ["a unit of no power of ten", one(rate("JPY", "12", "29,78")), "not by a power of ten"],
  ["a doubled row with another rate", one(RATES + rate("EUR", "1", "402,61")), "EUR HUF mid is there twice"],
])("%s is refused", (_, text, reason) => expect(reasonOf(() => parse(text))).toContain(reason));

testOn("official/mnb-soap.xml")("the real answer", () => {
  const text = realText("mnb-soap.xml");
  const window = windowOf("recent", "2025-03-24", "2025-03-28");
  const parsed = parse(text, window, "2025-03-28");
  expect(namesOf(parsed).map((name) => name.slice(0, 10))).toEqual([
    "2025-03-24",
    "2025-03-25",
    "2025-03-26",
    "2025-03-27",
    "2025-03-28",
  ]);
  const readings = publicationsOf(parsed);
  expect(readings.map(({ rows }) => rows.length)).toEqual([32, 32, 32, 32, 32]);
  const friday = rowsOf(readings.at(-1) ?? { rows: [] });
  for (const row of [
    "1 EUR = 402.61 HUF mid",
    "1 GBP = 484.00 HUF mid",
    "100 JPY = 248.17 HUF mid",
    "100 IDR = 2.26 HUF mid",
  ]) {
    expect(friday).toContain(row);
  }
});
