/** What a caller reads when it is not let through: one code a window, and what to do. */

import { describe, expect, test } from "bun:test";
import { type AdmitDeps, isRefunded, limitFailure, openAdmitter } from "#accounts/limits/admit.ts";
import { DEFAULT_PLANS } from "#domain/billing/plan.ts";
import type { Window } from "#domain/limits/counts.ts";
import type { Refused, Taken } from "#domain/limits/quota-status.ts";
import type { Counters } from "#ports/ledger.ts";
import { newCount } from "#test/support/counted.ts";

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

  test("names the window in plain text", () => {
    const { quota } = refusal("hour");
    const hour = limitFailure({ ...refusal("hour"), quota: { ...quota, limit: 100 } }, "address");
    expect(hour.message).toStartWith("100 calls an hour from one address are allowed");
    expect(limitFailure(refusal("minute"), "org").message).toStartWith("12 calls a minute are allowed");
  });

  test("of a batch states how many calls it counts as", () => {
    expect(limitFailure(refusal("minute", 5), "org").message).toContain("counts as 5");
  });

  test("for ever is the request's fault", () => {
    const failure = limitFailure({ outcome: "never", window: "minute", limit: 12, cost: 30 }, "org");
    expect(failure).toMatchObject({ code: "invalid_request", status: 400 });
    expect(failure.message).toContain("30 calls and 12 a minute");
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

  test("is counted by its window, or by why nothing can be granted; a grant by how it was paid for", async () => {
    const { count, counted } = newCount();
    const granted = { outcome: "granted", quota: refusal("hour").quota, cost: 5, at: 0 } as const;
    const answers: (Taken | Promise<Taken>)[] = [
      ...(["minute", "hour", "month"] as const).map((window) => refusal(window)),
      { outcome: "never", window: "minute", limit: 12, cost: 30 },
      { outcome: "unavailable", reason: "disk full", retryAfterSeconds: 5 },
      { ...granted, by: "process" },
      { ...granted, by: "shared" },
      Promise.resolve({ ...granted, by: "shared" }),
    ];
    const counters = { take: () => answers.shift() } as unknown as Counters;
    const deps = { counters, plans: DEFAULT_PLANS, clock: { now: () => 0 }, count };
    const admitter = openAdmitter(deps as unknown as AdmitDeps);
    const visitor = await admitter.identify(null, () => "192.0.2.1");
    while (answers.length > 0) await Promise.try(() => admitter.charge(visitor, 5)).catch(() => {});
    expect(counted).toEqual([
      ...["minute", "hour", "month", "too_large", "unavailable"].map((why) => `refusals address ${why} 1`),
      ...["process", "lease", "store"].map((by) => `granted address ${by} 5`),
    ]);
  });

  test.each([
    [200, "org", false],
    [200, "address", false],
    [404, "org", true],
    [404, "address", false],
    [503, "org", true],
    [503, "address", true],
  ] as const)("an answer %d to an %s gives its calls back: %p", (status, kind, isBack) => {
    expect(isRefunded(status, kind)).toBe(isBack);
  });
});
