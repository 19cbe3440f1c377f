import { describe, expect, test } from "bun:test";
import { errorExample } from "#api/errors.ts";
import type { ErrorCode } from "#domain/faults/errors.ts";
import { openTestApp, post } from "./harness.ts";

const app = openTestApp();
const window = "start_date=2026-03-31&end_date=2026-04-13";

describe("400", () => {
  test.each<[string, ErrorCode]>([
    ["/v1/latest/XXX", "unsupported_base"],
    ["/v1/latest/%00", "unsupported_base"],
    ["/v1/latest/%zz", "unsupported_base"],
    ["/v1/2026-04-10/XXX", "unsupported_base"],
    ["/v1/latest/EUR?base=USD", "base_conflict"],
    ["/v1/latest/EUR?path_base=USD", "base_conflict"],
    ["/v1/latest?base=EUR&path_base=GBP", "base_conflict"],
    ["/v1/latest?symbols=EUR,XXX", "invalid_request"],
    ["/v1/latest?symbols=EUR,,GBP", "invalid_request"],
    [`/v1/latest?symbols=${"EUR,".repeat(300)}`, "invalid_request"],
    ["/v1/latest?dp=2.5", "invalid_request"],
    ["/v1/2026-4-1", "bad_date"],
    ["/v1/2026-04-10T00:00:00Z", "bad_date"],
    ["/v1/today", "bad_date"],
    ["/v1/key", "bad_date"],
    ["/v1/%zz", "bad_date"],
    ["/v1/USD/EUR", "bad_date"],
    ["/v1/convert/XXX/USD/5", "invalid_pair"],
    ["/v1/convert/USD/EUR/abc", "invalid_request"],
    ["/v1/convert/USD/EUR?amount=1e5", "invalid_request"],
    ["/v1/convert/USD/EUR?amount=.", "invalid_request"],
    ["/v1/convert/USD/EUR?date=yesterday", "bad_date"],
    ["/v1/rate/usdeur", "invalid_pair"],
    ["/v1/rate/usd-usd", "invalid_pair"],
    ["/v1/rate/usd-mxn-fix", "invalid_pair"],
    ["/v1/range", "missing_parameter"],
    ["/v1/range?symbols=EUR&start_date=2026-04-31&end_date=2026-05-01", "bad_date"],
    ["/v1/range?symbols=EUR&start_date=2026-04-10&end_date=2026-04-09", "invalid_request"],
    [`/v1/range?symbols=EUR&${window}&limit=0`, "invalid_request"],
    [`/v1/range?symbols=EUR&${window}&limit=367`, "invalid_request"],
    [`/v1/range?symbols=EUR&${window}&format=pdf`, "invalid_request"],
    [`/v1/range?symbols=EUR&${window}&fill=forward`, "invalid_request"],
    [`/v1/range?symbols=EUR&${window}&cursor=abc`, "invalid_request"],
  ])("%s → %s", (path, code) => app.refused(path, code));
  const time = "2024-12-23T10:00:00Z";
  test.each([
    [`/v1/latest?as_of=${time}`, "as_of", "/v1/{date} has the rates of a day"],
    ["/v1/latest/EUR?date=2024-12-23", "date", "/v1/{date} has the rates of a day"],
    ["/v1/stream?date=2024-12-23", "date", "/v1/{date} has the rates of a day"],
    ["/v1/rate/usd-eur?date=2024-12-23", "date", "/v1/{date} has the rates of a day"],
    ["/v1/2026-04-10?date=2026-04-09", "date", "this call takes as_of"],
    [`/v1/convert/USD/EUR?date=2024-12-23&as_of=${time}`, "as_of", "this call takes date"],
    ["/v1/convert/USD/EUR/5?on=2024-12-23", "on", "this call takes date"],
    [`/v1/explain/USD/EUR?date=2024-12-23&as_of=${time}`, "as_of", "this call takes date"],
  ])("%s: no call answers of another time than the one that was sent", async (path, name, instead) => {
    const { message } = await (await app.refused(path, "invalid_request")).json();
    expect(message).toBe(
      `${name} is no parameter of this call, and would change its answer: leave it out; ${instead}`,
    );
  });
  test.each([
    "/v1/latest?api_key=",
    "/v1/latest?key=",
    "/v1/rate/usd-eur?token=",
    "/v1/convert/USD/EUR?access_token=",
    "/v1/2024-12-23?apikey=",
    "/v1/convert/USD/EUR/5?access_key=",
    `/v1/range?symbols=EUR&${window}&app_id=`,
  ])("%s: a key in an address is not ignored", async (path) => {
    const answer = await app.visit(`${path}fxk_0123`);
    expect([answer.status, await answer.text()]).toEqual([
      400,
      expect.stringContaining("Authorization: Bearer"),
    ]);
  });
  const batch = post({ from: "USD", pairs: [["EUR", 1]] });
  test("nor does a batch", () => app.refused("/v1/convert?date=2024-12-23", "invalid_request", batch));
  /** A question that has pages, and others that differ from it in one thing. */
  test.each([
    ["", ["&fill=previous", "&order=desc", "&interval=1w", "&symbols=USD,GBP", "&base=GBP"]],
    ["&order=asc", ["&start_date=2026-04-01", "&end_date=2026-04-12"]],
    ["&interval=1w", ["&interval=1w&aggregate=mean"]],
    [
      "&as_of=2026-04-13T09:00:00Z",
      ["", "&as_of=2026-04-13T09:00:01Z", "&as_of=2026-04-13T09:00:00Z&as_of_basis=retrieved"],
    ],
  ])(
    "a cursor of a range%s is refused with another question, or a changed character",
    async (own, others) => {
      const range = (more: string) => {
        const asked = new URLSearchParams(`base=EUR&symbols=USD&${window}&limit=1`);
        for (const [name, value] of new URLSearchParams(more)) asked.set(name, value);
        return `/v1/range?${asked}`;
      };
      const { next_cursor: cursor } = await app.get(range(own));
      expect((await app.get(`${range(own)}&cursor=${cursor}`)).data).toHaveLength(1);
      for (const other of others) await app.refused(`${range(other)}&cursor=${cursor}`, "invalid_request");
      await app.refused(`${range(own)}&cursor=${cursor.replace(/^./, "Z")}`, "invalid_request");
    },
  );
  test("a batch with an unknown pair, or with too many", async () => {
    await app.refused("/v1/convert", "invalid_pair", post({ from: "USD", pairs: [["XXX", 1]] }));
    await app.refused("/v1/convert", "invalid_pair", post({ from: "XXX", pairs: [["USD", 1]] }));
    await app.refused(
      "/v1/convert",
      "invalid_request",
      post({ from: "USD", pairs: Array.from({ length: 101 }, () => ["EUR", 1]) }),
    );
  });
});

test.each<[string, ErrorCode]>([
  ["/v1/account/keys", "not_found"],
  ["/v1/keys/mine", "not_found"],
  ["/v1/convert/USD", "not_found"],
  ["/v1/currencies/EUR", "not_found"],
  ["/v1/", "not_found"],
  ["/v1/2026-04-10/EUR/USD", "not_found"],
  ["/v3/latest", "not_found"],
  ["/v1/latest/EUR/USD", "not_found"],
  ["/.env", "not_found"],
])("404: %s → %s", (path, code) => app.refused(path, code));

describe("bodies", () => {
  test.each([
    [{ from: "USD", pairs: [["EUR"]] }],
    [{ from: "USD", pairs: [["EUR", 1, 2]] }],
    [{ from: "USD", pairs: [["EUR", true]] }],
  ])("422 for %j, with the path of each violation", async (body) => {
    const response = await app.refused("/v1/convert", "validation_error", post(body));
    const { errors } = (await response.json()) as { errors: unknown[] };
    expect(errors.length).toBeGreaterThan(0);
  });
  test.each(["1e5", "..", "--1", "1000000000000001", 1e300])("422 for the amount %p", (amount) =>
    app.refused("/v1/convert", "invalid_amount", post({ from: "USD", pairs: [["EUR", amount]] })),
  );
});

test.each(["/v1/latest?x=", "/v1/nowhere/", "/compat/frankfurter/v1/latest?x=", "/v1/currencies?x="])(
  "414 for a URL of more than 8,192 characters, %p",
  async (path) => {
    const whole = path.padEnd(8192 - "http://localhost".length, "x");
    expect((await app.ask(`${whole}x`)).status).toBe(414);
    expect((await app.ask(whole)).status).not.toBe(414);
  },
);

describe("421", () => {
  test.each(["a/b", "", ".", "[::1", "evil host", "h:99999999"])("for the Host %p", (host) =>
    app.refused("/v1/latest", "misdirected_request", { headers: { host } }),
  );
  test("for a name that is not in ALLOWED_HOSTS, and not for one that is", async () => {
    const strict = openTestApp({ allowedHosts: ["rates.example"] });
    await strict.refused("/v1/latest", "misdirected_request", { headers: { host: "other.example" } });
    expect((await strict.ask("/v1/latest", { headers: { host: "Rates.Example:8080" } })).status).toBe(200);
  });
});

describe("examples", () => {
  const batch = (pairs: unknown[]) => post({ from: "USD", pairs });
  test.each<[ErrorCode, string, RequestInit?]>([
    ["invalid_request", "/v1/latest?dp=11"],
    ["unsupported_base", "/v1/latest?base=XYZ"],
    ["bad_date", "/v1/2026-02-30"],
    ["invalid_pair", "/v1/convert/USD/XYZ"],
    ["missing_parameter", "/v1/range?symbols=EUR&end_date=2026-01-01"],
    ["base_conflict", "/v1/2024-12-23/EUR?base=GBP"],
    ["no_data_for_date", "/v1/1998-12-31"],
    ["not_found", "/nowhere"],
    ["method_not_allowed", "/v1/latest", { method: "DELETE" }],
    ["payload_too_large", "/v1/convert", { ...batch([]), body: " ".repeat(70_000) }],
    ["uri_too_long", `/v1/latest?x=${"x".repeat(9000)}`],
    ["unsupported_media_type", "/v1/convert", { method: "POST", body: "{}" }],
    ["misdirected_request", "/v1/latest", { headers: { host: "evil host" } }],
    ["invalid_amount", "/v1/convert", batch([["EUR", "1e400"]])],
    ["validation_error", "/v1/convert", post({ pairs: [["EUR", 1]] })],
  ])("%s is answered as the document shows it", async (code, path, init) => {
    const answered = await (await app.refused(path, code, init)).json();
    expect(answered).toEqual(JSON.parse(JSON.stringify(errorExample(code))));
  });
});

test("refusals are never stored, carry an id, and follow RFC 9457 on request", async () => {
  const plain = await app.ask("/v1/latest/XXX", { headers: { "x-request-id": "mine-1" } });
  expect(plain.headers.get("cache-control")).toBe("no-store");
  expect(plain.headers.get("x-request-id")).toBe("mine-1");
  const problem = await app.ask("/v1/latest/XXX", { headers: { accept: "application/problem+json" } });
  expect(problem.headers.get("content-type")).toBe("application/problem+json");
  expect(await problem.json()).toMatchObject({
    status: 400,
    code: "unsupported_base",
    detail: "unsupported base: XXX",
  });
  const faulty = post({ from: "USD", pairs: [] }, { accept: "application/problem+json" });
  const listed = await app.refused("/v1/convert", "validation_error", faulty);
  expect(await listed.json()).toMatchObject({ status: 422, errors: [{ path: "/pairs" }] });
});
