/** The demo prints its address with the first rate and its calls when every source is read. */

import { expect, test } from "bun:test";
import { type DemoStatus, nothingYet, unread } from "#commands/demo.ts";

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

test.each([
  [statusOf("ok", "ok", "ok"), []],
  [statusOf("missing", "ok", "ok"), ["live rates"]],
  [statusOf("refused", "ok", "ok"), ["live rates"]],
  [statusOf("ok", "missing", "ok"), ["fred_daily"]],
  [statusOf("ok", "ok", "missing"), ["mex_fix"]],
  // What is off, closed or late is not waited for.
  [statusOf("off", "stale", "stale"), []],
  [statusOf("waiting", "ok", "ok"), []],
  // Some are refused for good, as where a currency has no reference yet.
  [statusOf("refused", "ok", "ok", 18), []],
])("%j lacks %j", (status, missing) => {
  expect(unread(status)).toEqual(missing);
});

test("the first rate is of a daily source or live", () => {
  const { checks, ...rest } = statusOf("refused", "missing", "missing");
  const empty = { ...rest, checks: { ...checks, daily: { ecb_daily: { status: "missing" } } } };
  expect(nothingYet(empty)).toEqual(["a first rate"]);
  expect(nothingYet(statusOf("off", "missing", "missing"))).toEqual([]);
  const live = { ...empty.checks, live_data: { status: "ok", live_currencies: 1 } };
  expect(nothingYet({ ...empty, checks: live })).toEqual([]);
});
