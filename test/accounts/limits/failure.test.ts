/** What a caller reads when it is not let through: one code a window, and what to do. */

import { describe, expect, test } from "bun:test";
import { isRefunded, limitFailure } from "#accounts/limits/admit.ts";
import { DEFAULT_PLANS } from "#domain/billing/plan.ts";
import type { Window } from "#domain/limits/counts.ts";
import type { Refused } from "#domain/limits/quota-status.ts";
import { CLIENT_GONE } from "#domain/net/message.ts";

const refusal = (window: Window, cost = 1, limit = 12): Refused => ({
  outcome: "refused",
  quota: { window, limit, remaining: 0, resetAt: 1_800_000_000 },
  cost,
  retryAfterSeconds: 42,
});

describe("a refusal", () => {
  test.each([
    [
      "minute",
      "org",
      5,
      "rate_limited",
      /^12 calls a minute are allowed \(this request counts as 5\); .*larger plan/,
    ],
    ["minute", "address", 1, "rate_limited", /^12 calls a minute from one address are allowed; .*API key/],
    ["hour", "address", 1, "ip_rate_limited", /^12 calls an hour from one address are allowed; .*API key/],
    ["month", "org", 1, "quota_exceeded", /^the 12 calls of this month are used; .*larger plan/],
  ] as const)("by the %s of an %s, of %i calls, is %s", (window, kind, cost, code, said) => {
    const message = expect.stringMatching(said);
    const expected = { code, status: 429, retryAfterSeconds: 42, message };
    expect(limitFailure(refusal(window, cost), kind, DEFAULT_PLANS)).toMatchObject(expected);
  });

  test.each(["minute", "month"] as const)("by the %s of the largest plan advises no larger one", (window) => {
    const { message } = limitFailure(refusal(window, 1, DEFAULT_PLANS.pro[window]), "org", DEFAULT_PLANS);
    expect(message).toMatch(/ wait 42 s$| resets on the 1st, 00:00 UTC$/);
  });

  test("that no wait ends is the request's fault", () => {
    const failure = limitFailure(
      { outcome: "never", window: "minute", limit: 12, cost: 30 },
      "org",
      DEFAULT_PLANS,
    );
    expect(failure).toMatchObject({ code: "invalid_request", status: 400 });
    expect(failure.message).toContain("30 calls and 12 a minute");
  });

  test("out of ignorance is ours, and the reason stays in the log", () => {
    const failure = limitFailure(
      { outcome: "unavailable", reason: "disk full", retryAfterSeconds: 7 },
      "org",
      DEFAULT_PLANS,
    );
    expect(failure).toMatchObject({ code: "quota_unavailable", status: 503, retryAfterSeconds: 7 });
    expect(failure.message).not.toContain("disk");
    expect((failure.cause as Error).message).toBe("disk full");
  });
});

test("who gets calls back, by the status of the answer", () => {
  const back = (kind: "org" | "address") =>
    [200, 400, 404, CLIENT_GONE, 500, 503].filter((status) => isRefunded(status, kind));
  expect([back("org"), back("address")]).toEqual([
    [400, 404, 500, 503],
    [500, 503],
  ]);
});
