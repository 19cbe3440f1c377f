/** /status shows contradictions between routes and currencies that dropped out; `strict` is 0 or 1, and any other value must not look like a healthy 200. */

import { expect, test } from "bun:test";
import { NOTHING_UNSETTLED, type Unsettled } from "#domain/acceptance/unsettled.ts";
import type { DailySource } from "#domain/currency/source.ts";
import { dayOf } from "#domain/time/day.ts";
import { NOW, openTestApp } from "#test/api/harness.ts";

const CONTRADICTIONS = {
  source: "ecb_daily",
  count: 3,
  since: Date.parse("2026-04-13T14:05:00Z"),
  example: "files/history zip states EUR/NOK 11.8529 for 2026-04-13; 11.8301 is served",
} as const;

const CURRENT = { source: "ecb_daily", lastAttemptAt: NOW, lastSuccessAt: NOW, detail: null } as const;

function appWith(ecb: Partial<Unsettled>, outcome: "figures" | "failed" = "figures", now = NOW) {
  const unsettled = {
    ecb_daily: { ...NOTHING_UNSETTLED, ...ecb },
    fred_daily: NOTHING_UNSETTLED,
  } satisfies Record<DailySource, Unsettled>;
  return openTestApp({
    clock: { now: () => now },
    unsettled: () => unsettled,
    collection: () => [{ ...CURRENT, outcome }],
  });
}

test("contradictions make the source contradicted and the service degraded, with count, age and example", async () => {
  const settled = await appWith({}).get("/status");
  expect(settled.checks.daily.ecb_daily).toMatchObject({ status: "ok", contradictions: null });
  const app = appWith({ contradictions: CONTRADICTIONS });
  const body = await app.get("/status");
  expect(body.status).toBe("degraded");
  expect(body.checks.daily.ecb_daily).toMatchObject({
    status: "contradicted",
    contradictions: { count: 3, since: "2026-04-13T14:05:00Z", example: CONTRADICTIONS.example },
  });
  expect(body.checks.daily.fred_daily).toMatchObject({ contradictions: null });
  const page = await (await app.visit("/status/page")).text();
  expect(page).toContain("its documents contradict each other");
  expect(page).toContain("11.8301 is served");
});

test("a failed collection comes before a contradiction, and what is late before both", async () => {
  const failing = await appWith({ contradictions: CONTRADICTIONS }, "failed").get("/status");
  expect(failing.checks.daily.ecb_daily).toMatchObject({
    status: "failing",
    contradictions: { count: 3 },
  });
  const late = await appWith({ contradictions: CONTRADICTIONS }, "failed", NOW + 3 * 86_400_000).get(
    "/status",
  );
  expect(late.checks.daily.ecb_daily.status).toBe("stale");
});

test("currencies that dropped out are named, and do not change the status", async () => {
  const lastDate = dayOf(2026, 4, 10) as number;
  const app = appWith({
    behind: [
      { code: "ISK", lastDate, days: 3, isSuspended: false },
      { code: "TRY", lastDate: lastDate - 30, days: 33, isSuspended: true },
    ],
  });
  expect((await app.get("/status")).checks.daily.ecb_daily).toMatchObject({
    status: "ok",
    missing_currencies: [{ currency: "ISK", last_date: "2026-04-10" }],
    suspended_currencies: [{ currency: "TRY", last_date: "2026-03-11" }],
  });
  expect(await (await app.visit("/status/page")).text()).toContain(
    "Without a figure of the newest day: ISK is of 10 Apr 2026, TRY ended on 11 Mar 2026.",
  );
});

const app = openTestApp();

test("the version, the newest day and the second of the answer", async () => {
  const version = "0.0.0-test";
  expect(await app.get("/health")).toEqual({ result: "success", status: "ok", version });
  expect(await app.get("/status")).toMatchObject({
    ...{ version, timestamp: "2026-04-13T16:30:00Z" },
    checks: { daily: { ecb_daily: { status: "ok", newest_date: "2026-04-13" } } },
  });
});

test.each(["", "AAA", "2", "true", "yes", "01", "1,1", "%20x"])("400 for strict=%s", async (value) => {
  const response = await app.refused(`/status?strict=${value}`, "invalid_request");
  expect(response.status).toBe(400);
  expect((await response.json()).message).toContain("strict must be one of 0, 1");
});

test.each(["?strict=0", "?strict=1", "?other=AAA", ""])("%p is understood", async (query) => {
  expect([200, 503]).toContain((await app.ask(`/status${query}`)).status);
});

test("the result is success with 200, and of a lake that cannot be read 503 with an envelope of a refusal", async () => {
  const up = await app.ask("/status");
  expect((await up.json()) as object).toMatchObject({ result: up.status === 200 ? "success" : "error" });
  const broken = openTestApp({ probeLake: () => Promise.reject(new Error("the disk is gone")) });
  const down = await broken.ask("/status");
  expect(down.status).toBe(503);
  expect(await down.json()).toMatchObject({
    result: "error",
    code: "service_unavailable",
    message: "this server is unready: see checks",
    status: "unready",
    checks: { lake: { status: "failed", detail: "the disk is gone" } },
  });
});
