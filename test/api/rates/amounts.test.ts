/** Amounts of conversions: judged by their value, exact to the last digit, and never made up where one was broken. */

import { describe, expect, test } from "bun:test";
import { openTestApp, post } from "#test/api/harness.ts";

const app = openTestApp();
/** The body as text: parsed numbers would not show every digit. */
const text = async (path: string, init?: RequestInit) => await (await app.visit(path, init)).text();

describe("a slash at the end is an amount that got lost", () => {
  // URL parsers remove dot segments: "/EUR/.", "/EUR/%2e" and "/EUR/5/.." arrive as "/EUR/".
  test.each(["/", "/.", "/%2e", "/5/..", "/?amount=5"])("/v1/convert/USD/EUR%s is refused", async (end) => {
    const response = await app.refused(`/v1/convert/USD/EUR${end}`, "invalid_request");
    expect(response.status).toBe(400);
    expect(((await response.json()) as { message: string }).message).toContain("amount");
  });
  test("without one an omitted amount is 1, and one in the query is taken", async () => {
    expect((await app.get("/v1/convert/USD/EUR")).amount).toBe(1);
    expect((await app.get("/v1/convert/USD/EUR?amount=5")).amount).toBe(5);
    expect((await app.get("/v1/convert/USD/EUR/5.")).amount).toBe(5);
    expect((await app.get("/v1/convert/USD/JPY?amount=-2.50")).amount).toBe(-2.5);
    expect((await app.get("/v1/convert/USD/JPY/+0002")).amount).toBe(2);
  });
});

const LEADING = `${"0".repeat(250)}12.5`;
const FRACTION = `0.${"0".repeat(200)}1`;

describe("a well-formed amount of up to 256 characters is judged by its value", () => {
  test.each([LEADING, `+${LEADING}`, `12.5${"0".repeat(252)}`])(
    "in a path and a query: %s",
    async (amount) => {
      expect((await app.get(`/v1/convert/USD/EUR/${amount}`)).amount).toBe(12.5);
      const encoded = encodeURIComponent(amount);
      expect((await app.get(`/v1/convert/USD/EUR?amount=${encoded}`)).amount).toBe(12.5);
    },
  );
  test("in a batch", async () => {
    const init = post({
      from: "USD",
      pairs: [
        ["EUR", LEADING],
        ["EUR", FRACTION],
      ],
    });
    const body = await (await app.ask("/v1/convert", init)).json();
    expect(body).toMatchObject({ conversions: [{ amount: 12.5 }, { amount: 1e-201 }] });
  });
  test("every digit comes back", async () => {
    expect(await text(`/v1/convert/USD/EUR/${FRACTION}`)).toContain(`"amount":${FRACTION},`);
  });
  test.each([
    "1000000000000001",
    "9".repeat(256),
    `-${"9".repeat(255)}`,
    `${"0".repeat(200)}1000000000000000.1`,
  ])("out of range is 422 everywhere: %s", async (amount) => {
    for (const path of [`/v1/convert/USD/EUR/${amount}`, `/v1/convert/USD/EUR?amount=${amount}`])
      expect((await app.refused(path, "invalid_amount")).status).toBe(422);
    const batch = post({ from: "USD", pairs: [["EUR", amount]] });
    expect((await app.refused("/v1/convert", "invalid_amount", batch)).status).toBe(422);
  });
  test("a longer amount is refused, and the message states how long it may be", async () => {
    const long = "0".repeat(257);
    expect(await app.reason(`/v1/convert/USD/EUR/${long}`, "invalid_request")).toContain("256 characters");
    const batch = post({ from: "USD", pairs: [["EUR", long]] });
    const body = await (await app.refused("/v1/convert", "invalid_amount", batch)).json();
    expect((body as { message: string }).message).toContain("256 characters");
  });
});

/** A batch whose amounts are written as given: a number object would lose its digits before it is sent. */
const written = (...amounts: string[]) =>
  post(`{"from":"USD","pairs":[${amounts.map((amount) => `["EUR",${amount}]`).join(",")}]}`);

describe("the digits of a JSON number in a batch are preserved", () => {
  test.each([
    ["123456789012345.678901", "123456789012345.678901"],
    ["-999999999999999.99999999999999999", "-999999999999999.99999999999999999"],
    ["0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827"],
    ["12.50", "12.5"],
    ["1e5", "100000"],
    ["125e-2", "1.25"],
    ["1E-7", "0.0000001"],
    ["0e999999999", "0"],
    ["10000000000000000e-1", "1000000000000000"],
  ])("%s", async (amount, digits) => {
    expect(await text("/v1/convert", written(amount, '"7"'))).toContain(`"amount":${digits},`);
  });
  test.each([
    "12345678901234567890.123",
    "1000000000000000.0000000000000001",
    "-1e300",
    "1e999999999999",
    "1e-400",
  ])("%s is 422 invalid_amount, named as it was sent", async (amount) => {
    expect(await app.reason("/v1/convert", "invalid_amount", written("5", amount))).toContain(amount);
  });
  test("a number in another member is still a wrong shape", async () => {
    for (const body of [
      '{"from":5,"pairs":[["EUR",1]]}',
      '{"from":"USD","pairs":[[1,"EUR"]]}',
      "1",
      "[1e400]",
    ])
      await app.refused("/v1/convert", "validation_error", post(body));
  });
});
