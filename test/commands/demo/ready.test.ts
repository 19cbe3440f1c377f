/** The demo prints its address with the first rate and its calls when every source is read: not before, and not never. */

import { expect, test } from "bun:test";
import { type DemoStatus, nothingYet, statusAt, unread, waitUntilRead } from "#commands/demo/ready.ts";

function statusOf(live: string, fred: string, fix: string, liveCurrencies = 0): DemoStatus {
  return {
    status: "degraded",
    checks: {
      live_data: { status: live, live_currencies: liveCurrencies },
      daily: { ecb_daily: { status: "ok" }, fred_daily: { status: fred } },
      official: { mex_fix: { status: fix } },
    },
  };
}

/** What was missing in the end, and the number of queries. */
async function waited(statuses: readonly DemoStatus[], missingIn = unread) {
  let queries = 0;
  let slept = 0;
  const missing = await waitUntilRead({
    status: async () => statuses[Math.min(queries++, statuses.length - 1)] as DemoStatus,
    sleep: async (milliseconds) => {
      slept += milliseconds;
    },
    patience: 10_000,
    missingIn,
  });
  return { missing, queries, slept };
}

test("waits for daily sources, live rates and official tables alike", async () => {
  const there = statusOf("ok", "ok", "ok");
  for (const lacking of [
    statusOf("missing", "ok", "ok"),
    statusOf("refused", "ok", "ok"),
    statusOf("ok", "missing", "ok"),
    statusOf("ok", "ok", "missing"),
  ])
    expect(await waited([lacking, lacking, there])).toEqual({ missing: [], queries: 3, slept: 200 });
});

test("does not wait for what is off, closed or late", async () => {
  expect(await waited([statusOf("off", "stale", "stale")])).toEqual({ missing: [], queries: 1, slept: 0 });
  expect((await waited([statusOf("waiting", "ok", "ok")])).queries).toBe(1);
  // Some are refused for good, as where a currency has no reference yet.
  expect((await waited([statusOf("refused", "ok", "ok", 18)])).queries).toBe(1);
});

test("does not wait for a status that the answer lacks", async () => {
  expect(
    await waitUntilRead({
      status: async () => null,
      sleep: async () => {},
      patience: 10_000,
      missingIn: unread,
    }),
  ).toEqual([]);
  expect(await statusAt("http://127.0.0.1:9")).toBeNull();
});

test("reports what is missing when its deadline has passed", async () => {
  const { missing, slept } = await waited([statusOf("missing", "ok", "missing")]);
  expect(missing).toEqual(["live rates", "mex_fix"]);
  expect(slept).toBe(10_000);
});

test("the address is printed with the first rate, of a daily source or live", async () => {
  const none = statusOf("refused", "missing", "missing");
  const empty = { ...none, checks: { ...none.checks, daily: { ecb_daily: { status: "missing" } } } };
  const live = { ...empty, checks: { ...empty.checks, live_data: { status: "ok", live_currencies: 1 } } };
  for (const there of [statusOf("off", "missing", "missing"), live])
    expect(await waited([empty, empty, there], nothingYet)).toEqual({ missing: [], queries: 3, slept: 200 });
  expect((await waited([empty], nothingYet)).missing).toEqual(["a first rate"]);
});
