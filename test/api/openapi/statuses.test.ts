/** The description names 422 and the foreign refusals only where they can come: each has a request that meets it. */

import { expect, test } from "bun:test";
import { ERRORS } from "#domain/faults/errors.ts";
import { openTestApp, post } from "#test/api/harness.ts";
import { collectedForEach } from "#test/official/collected.ts";
import { OPERATIONS } from "./valid.ts";

const world = collectedForEach();
const V1 = "/compat/frankfurter/v1";
const V2 = "/compat/frankfurter/v2";
const OXR = "/compat/oxr";

/** By operation. Accounts have their own tests, and callers are refused everywhere alike. */
const EXAMPLES: Readonly<Record<string, Readonly<Record<number, string | [string, RequestInit]>>>> = {
  convertPair: { 422: "/v1/convert/USD/EUR?amount=1000000000000001" },
  convertAmount: { 422: "/v1/convert/USD/EUR/1000000000000001" },
  convertPairs: { 422: ["/v1/convert", post("{}")] },
  convertDatedItems: { 422: ["/v1/convert/dated", post("{}")] },
  convertOfficially: { 422: "/v1/official/MEX/fix/convert/USD/MXN?amount=1000000000000001" },
  convertAmountOfficially: { 422: "/v1/official/MEX/fix/convert/USD/MXN/1000000000000001" },
  frankfurterV1Latest: { 404: `${V1}/latest?base=XXX`, 422: `${V1}/latest?amount=0` },
  frankfurterV1Period: { 404: `${V1}/1998-01-01`, 422: `${V1}/2026-02-30` },
  frankfurterV2Rates: { 422: `${V2}/rates?base=XXX` },
  frankfurterV2RatesCsv: { 422: `${V2}/rates.csv?base=XXX` },
  frankfurterV2Rate: { 404: `${V2}/rate/EUR/ISK`, 422: `${V2}/rate/EUR/XXX` },
  frankfurterV2Currencies: { 422: `${V2}/currencies?providers=FRED` },
  frankfurterV2Currency: { 404: `${V2}/currency/XXX`, 422: `${V2}/currency/GBp` },
  oxrLatest: { 400: `${OXR}/latest.json?base=XXX` },
  oxrHistorical: { 400: `${OXR}/historical/2026-02-30.json` },
  oxrTimeSeries: { 400: `${OXR}/time-series.json` },
  oxrConvert: { 400: `${OXR}/convert/x/USD/EUR` },
  oxrConvertQuery: { 400: `${OXR}/convert.json` },
  oxrOhlc: { 400: `${OXR}/ohlc.json` },
};

const ACCOUNTS = new Set(["Account", "Billing", "Sign-in"]);
const LOOKED_AT = [400, 404, 422];

/** The statuses that the document has for an operation, of those looked at here. */
function described(operation: (typeof OPERATIONS)[number]): number[] {
  const foreign = Object.keys(operation.foreign?.byStatus ?? {}).map(Number);
  const own = operation.refusals.map((code) => ERRORS[code].status);
  return operation.foreign === undefined
    ? [...new Set(own.filter((status) => status === 422))]
    : foreign.filter((status) => LOOKED_AT.includes(status));
}

test("an operation has a request here for every such status, and for no other", () => {
  const wanted = OPERATIONS.filter(({ id, tag }) => !ACCOUNTS.has(tag) && !id.endsWith("UnderApi"))
    .map((operation) => [operation.id, described(operation)] as const)
    .filter(([, statuses]) => statuses.length > 0);
  const here = Object.entries(EXAMPLES).map(([id, byStatus]) => [id, Object.keys(byStatus).map(Number)]);
  expect(Object.fromEntries(wanted)).toEqual(Object.fromEntries(here));
});

test.each(
  Object.entries(EXAMPLES).flatMap(([id, byStatus]) =>
    Object.entries(byStatus).map(([status, request]) => [id, Number(status), request] as const),
  ),
)("%s can answer with %i", async (_, status, request) => {
  const [path, init] = typeof request === "string" ? [request, {}] : request;
  const app = openTestApp({ official: world.deps() });
  expect((await app.ask(path, init)).status).toBe(status);
});
