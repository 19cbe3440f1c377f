/** What a caller reads when it is not let through: one code a window, and what to do. */

import { describe, expect, test } from "bun:test";
import { limitFailure } from "#accounts/limits/admit.ts";
import type { Window } from "#domain/limits/counts.ts";
import type { Refused } from "#domain/limits/quota-status.ts";

const refusal = (window: Window, cost = 1): Refused => ({
  outcome: "refused",
  quota: { window, limit: 12, remaining: 0, resetAt: 1_800_000_000 },
  cost,
  retryAfterSeconds: 42,
});

describe("a refusal", () => {
  test.each([
    ["minute", "org", "rate_limited", 429],
    ["minute", "address", "rate_limited", 429],
    ["hour", "address", "ip_rate_limited", 429],
    ["month", "org", "quota_exceeded", 429],
  ] as const)("by the %s of an %s is %s", (window, kind, code, status) => {
    const failure = limitFailure(refusal(window), kind);
    expect(failure).toMatchObject({ code, status, retryAfterSeconds: 42 });
    expect(failure.message).toContain(kind === "org" ? "larger plan" : "API key");
  });

  test("out of ignorance is ours, and the reason stays in the log", () => {
    const failure = limitFailure(
      { outcome: "unavailable", reason: "disk full", retryAfterSeconds: 5 },
      "org",
    );
    expect(failure).toMatchObject({ code: "quota_unavailable", status: 503, retryAfterSeconds: 5 });
    expect(failure.message).not.toContain("disk");
    expect((failure.cause as Error).message).toBe("disk full");
  });
});
