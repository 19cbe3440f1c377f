/** Refusals as the TypeScript client reports them: every documented code, the members of each, and waits as the server wants them. */

import { describe, expect, test } from "bun:test";
import { Crossrate, CrossrateError } from "#clients/typescript/src/crossrate.ts";
import { ERRORS, type ErrorCode, Failure } from "#domain/faults/errors.ts";
import { openTestApp } from "#test/api/harness.ts";
import { from } from "#test/metered/client.ts";
import { listen } from "#test/support/listen.ts";
import { openClientServer } from "./server.ts";

const server = await openClientServer("latest");

async function refusal(call: Promise<unknown>): Promise<CrossrateError> {
  const fault = await call.then(
    () => new Error("it was not refused"),
    (reason: unknown) => reason,
  );
  if (fault instanceof CrossrateError) return fault;
  throw fault;
}

const visitor = (address: string) =>
  server.client({
    key: undefined,
    fetch: (request) =>
      fetch(new Request(request, { headers: { ...Object.fromEntries(request.headers), ...from(address) } })),
  });

const firstFile = async (crossrate: Crossrate) => (await crossrate.lake.manifest()).files[0]?.path ?? "";

/** What the types would not allow. */
const wrong = <T>(value: unknown) => value as T;

describe("a refusal that the server makes of a call", () => {
  const YEAR = { symbols: "USD", start_date: "2025-01-01", end_date: "2025-12-31" } as const;
  const CASES: readonly (readonly [ErrorCode, (crossrate: Crossrate) => Promise<unknown>])[] = [
    ["bad_date", (crossrate) => crossrate.historical("2026-02-30")],
    ["not_found", (crossrate) => crossrate.official.latest({ country: "MEX", type: "nothing" })],
    ["payload_too_large", (crossrate) => crossrate.convertBatch("USD", [["EUR", "1".repeat(70_000)]])],
    [
      "range_not_satisfiable",
      async (crossrate) => crossrate.lake.file(await firstFile(crossrate), { bytes: [1e9, 2e9] }),
    ],
    ["source_unavailable", (crossrate) => crossrate.rate("usd-mxn-dof")],
    ["invalid_request", (crossrate) => crossrate.rangeFile({ ...YEAR, format: wrong("ods") })],
    ["unsupported_base", async (crossrate) => await crossrate.stream({ base: wrong("XXX") }).next()],
  ];
  test.each(CASES)("%s", async (code, call) => {
    const { crossrate, waits } = server.client();
    const { name, message, status, requestId, retryAfter } = await refusal(call(crossrate));
    expect({ name, status }).toEqual({ name: "CrossrateError", status: ERRORS[code].status });
    expect(message.length).toBeGreaterThan(10);
    expect(requestId).toMatch(/^[\w-]{4,}$/);
    expect(retryAfter).toBe(code === "source_unavailable" ? 300 : null);
    expect(waits).toEqual([]);
  });

  test("plan_gated has the plan, the first day and the plans that reach further", async () => {
    const { crossrate } = server.client({ key: server.keys.free });
    const { code, status, details } = await refusal(crossrate.historical("2020-01-02"));
    expect({ code, status }).toEqual({ code: "plan_gated", status: 403 });
    expect(details).toMatchObject({
      tier: "free",
      history_days: 30,
      earliest_allowed: "2026-03-16",
      upgrade_plans: ["plus", "pro"],
    });
    // That day the plan lets through: this server has no figures of it.
    const first = await refusal(crossrate.historical(details.earliest_allowed ?? ""));
    expect(first.code).toBe("no_data_for_date");
  });

  test("validation_error lists what is wrong", async () => {
    const { code, details } = await refusal(server.client().crossrate.convertBatch("USD", []));
    expect(code).toBe("validation_error");
    expect(details.errors).toEqual([{ path: "/pairs", message: expect.any(String) }]);
  });
});

describe("a limit", () => {
  test("of a minute is waited for as long as Retry-After says, and then the call passes", async () => {
    const { crossrate, waits } = visitor("203.0.113.1");
    for (let nth = 0; nth < 12; nth++) await crossrate.latest({ symbols: "EUR" });
    expect(crossrate.rateLimit).toMatchObject({ limit: 12, remaining: 0 });
    expect(waits).toEqual([]);
    const { reset = 0 } = crossrate.rateLimit ?? {};
    const wait = reset * 1000 - server.clock.at;
    expect((await crossrate.latest({ symbols: "EUR" })).base).toBe("USD");
    expect(waits).toEqual([wait]);
    expect(wait).toBeGreaterThan(50_000);
  });

  test("that takes longer than the caller will wait is an error at once, with the seconds", async () => {
    const { crossrate, waits } = visitor("203.0.113.2");
    for (let nth = 0; nth < 12; nth++) await crossrate.latest({ symbols: "EUR" });
    const options = { url: server.url, longestWait: 1000 };
    const hurried = new Crossrate({
      ...options,
      fetch: (request) => fetch(new Request(request, { headers: from("203.0.113.2") })),
    });
    const { code, status, retryAfter } = await refusal(hurried.latest());
    expect({ code, status }).toEqual({ code: "rate_limited", status: 429 });
    expect(retryAfter).toBeGreaterThan(50);
    expect(waits).toEqual([]);
  });
});

describe("every documented code", () => {
  let fault: Failure;
  let answered = 0;
  const dataset = () => {
    answered += 1;
    throw fault;
  };
  const refusing = listen(openTestApp({ dataset, emit: () => {} }).answer);

  test.each(Object.keys(ERRORS) as ErrorCode[])("%s", async (code) => {
    fault = new Failure(code, { reason: "because of this test" });
    answered = 0;
    const waits: number[] = [];
    const sleep = async (milliseconds: number) => void waits.push(milliseconds);
    const crossrate = new Crossrate({ url: refusing.url, sleep, random: () => 1 });
    const error = await refusal(crossrate.convert("USD", "EUR", 1, { date: "2026-04-10" }));
    const { status, retryAfterSeconds } = fault;
    const stated = code === "internal_error" ? null : (retryAfterSeconds ?? null);
    expect(error).toMatchObject({ code, status, retryAfter: stated });
    const isPassing = [429, 500, 502, 503].includes(status) && (retryAfterSeconds ?? 0) <= 70;
    const each =
      retryAfterSeconds === undefined ? [500, 1000] : [retryAfterSeconds * 1000, retryAfterSeconds * 1000];
    expect(waits).toEqual(isPassing ? each : []);
    expect(answered).toBe(isPassing ? 3 : 1);
  });
});
