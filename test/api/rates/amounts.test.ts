/** Amounts of conversions: judged by their value, exact to the last digit, and never made up where one was broken. */

import { describe, expect, test } from "bun:test";
import { openTestApp, post } from "#test/api/harness.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

const app = openTestApp();
/** The body as text: parsed numbers would not show every digit. */
const text = async (path: string, init?: RequestInit) => await (await app.visit(path, init)).text();

describe("a slash at the end is an amount that got lost", () => {
  // URL parsers remove dot segments: "/EUR/.", "/EUR/%2e" and "/EUR/5/.." arrive as "/EUR/".
  test.each(["/", "/.", "/%2e", "/5/..", "/?amount=5"])("/v1/convert/USD/EUR%s is refused", async (end) => {
    const response = await app.refused(`/v1/convert/USD/EUR${end}`, "invalid_request");
    expect(response.status).toBe(400);
    expect((await response.json()).message).toContain("amount");
  });
  test("without one an omitted amount is 1, and one in the query is taken", async () => {
    expect((await app.get("/v1/convert/USD/EUR")).amount).toBe(1);
    expect((await app.get("/v1/convert/USD/EUR?amount=5")).amount).toBe(5);
    expect((await app.get("/v1/convert/USD/EUR/5.")).amount).toBe(5);
    expect((await app.get("/v1/convert/USD/JPY?amount=-2.50")).amount).toBe(-2.5);
    expect((await app.get("/v1/convert/USD/JPY/+0002")).amount).toBe(2);
  });
});

test("a ready body is printed for every amount as if it were made for that one, and is sent for no other URL", async () => {
  const body = async (path: string) => (await text(path)).replace(/"timestamp":"[^"]*"/, "");
  const random = seededRandom(31);
  const rounds = Array.from({ length: 80 }, () => String(random() * 10 ** Math.floor(random() * 16)));
  for (const amount of ["0", "0.0", "007.50", "1.", "999999999999999.9999999999", "0.0000000001", ...rounds])
    for (const form of ["USD/EUR/#", "CHF/CHF?amount=#", "JPY/usd?dp=2&amount=#&date=2026-04-10"]) {
      const path = `/v1/convert/${form}`;
      // An encoded digit takes the whole way.
      const whole = path.replace("#", amount.replace(/^./, "%3$&"));
      expect(await body(path.replace("#", amount))).toBe(await body(whole));
    }
  for (const lost of ["/", "?amount=", "?amount=5&amount=6", "?amount=1,5"])
    await app.refused(`/v1/convert/USD/EUR${lost}`, "invalid_request");
});

const LEADING = `${"0".repeat(250)}12.5`;
const FRACTION = `0.${"0".repeat(200)}1`;

/** A batch whose amounts are written as given: a number object would lose its digits before it is sent. */
const written = (...amounts: string[]) =>
  post(`{"from":"USD","pairs":[${amounts.map((amount) => `["EUR",${amount}]`).join(",")}]}`);

test("a well-formed amount is judged by its value, and every digit comes back", async () => {
  expect((await app.get(`/v1/convert/USD/EUR/${LEADING}`)).amount).toBe(12.5);
  expect((await app.get(`/v1/convert/USD/EUR?amount=%2B${LEADING}`)).amount).toBe(12.5);
  expect(await text(`/v1/convert/USD/EUR/${FRACTION}`)).toContain(`"amount":${FRACTION},`);
  const batch = await app.ask("/v1/convert", written(`"${LEADING}"`, `"${FRACTION}"`));
  expect(await batch.json()).toMatchObject({ conversions: [{ amount: 12.5 }, { amount: 1e-201 }] });
});

test("with dp the rate is rounded first, of the latest rates too", async () => {
  for (const date of ["", "&date=2026-04-13"])
    expect((await app.get(`/v1/convert/EUR/USD/1000?dp=1${date}`)).converted).toBe(1200);
});

test("out of range is 422 everywhere, and a longer one is told how long it may be", async () => {
  const [large, long] = ["9".repeat(256), "0".repeat(257)];
  for (const path of [`/v1/convert/USD/EUR/${large}`, `/v1/convert/USD/EUR?amount=${large}`])
    await app.refused(path, "invalid_amount");
  await app.refused("/v1/convert", "invalid_amount", written(`"${large}"`));
  expect(await app.reason(`/v1/convert/USD/EUR/${long}`, "invalid_request")).toContain("256 characters");
  expect(await app.reason("/v1/convert", "invalid_amount", written(`"${long}"`))).toContain("256 characters");
});

test.each([
  ["-999999999999999.99999999999999999", "-999999999999999.99999999999999999"],
  ["0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827"],
  ["12.50", "12.5"],
  ["125e-2", "1.25"],
])("the digits of the JSON number %s in a batch are preserved", async (amount, digits) => {
  expect(await text("/v1/convert", written(amount, '"7"'))).toContain(`"amount":${digits},`);
});

test.each(["1000000000000000.0000000000000001", "1e999999999999", "1e-400"])(
  "the JSON number %s is 422 invalid_amount, named as it was sent",
  async (amount) => {
    expect(await app.reason("/v1/convert", "invalid_amount", written("5", amount))).toContain(amount);
  },
);
