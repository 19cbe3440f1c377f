/** /status shows contradictions between routes, currencies that dropped out, and held figures within a bound. */

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
