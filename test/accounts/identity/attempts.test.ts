import { describe, expect, test } from "bun:test";
import { ATTEMPT_LIMITS, attempt, type Gate, openAttempts } from "#accounts/attempts.ts";
import { codeOf, NOW } from "./rig.ts";

const account: Gate = { limit: "sign-in to", key: "ada@example.com" };
const from: Gate = { limit: "sign-in from", key: "192.0.2.7" };
const { most, milliseconds } = ATTEMPT_LIMITS["sign-in to"];

describe("attempts", () => {
  test("as many as the limit pass at once, not one more, and the wait is exact to the millisecond", () => {
    const attempts = openAttempts();
    for (let nth = 0; nth < most; nth++) expect(attempts.take([account], NOW)).toBe(0);
    const wait = attempts.take([account], NOW + 1) as number;
    expect(wait).toBeGreaterThan(0);
    expect(attempts.take([account], NOW + wait)).toBeGreaterThan(0);
    expect(attempts.take([account], NOW + 1 + wait)).toBe(0);
  });

  test("never more than the limit fall into any window, whenever they come", () => {
    const attempts = openAttempts();
    const passed: number[] = [];
    for (let at = NOW; at < NOW + 4 * milliseconds; at += 7_001) {
      if (attempts.take([account], at) === 0) passed.push(at);
    }
    for (const [nth, at] of passed.entries()) {
      const earlier = passed.slice(0, nth).filter((other) => other > at - milliseconds / 2);
      expect(earlier.length).toBeLessThan(most);
    }
    expect(passed.length).toBeGreaterThan(2 * most);
  });

  test("a closed gate leaves the others uncounted", () => {
    const attempts = openAttempts();
    for (let nth = 0; nth < most; nth++) attempts.take([account], NOW);
    for (let nth = 0; nth < 200; nth++) attempts.take([from, account], NOW);
    expect(attempts.take([from], NOW)).toBe(0);
  });

  test("clearing forgets what was counted, of that gate only", () => {
    const attempts = openAttempts();
    const other: Gate = { ...account, key: "grace@example.com" };
    for (let nth = 0; nth < most; nth++) attempts.take([account, other], NOW);
    attempts.clear(account);
    expect(attempts.take([account], NOW)).toBe(0);
    expect(attempts.take([other], NOW)).toBeGreaterThan(0);
  });

  test("memory is bounded: the gate unused longest goes first", () => {
    const attempts = openAttempts(3);
    for (let nth = 0; nth < most; nth++) attempts.take([account], NOW);
    for (const key of ["a", "b"]) attempts.take([{ limit: "sign-in from", key }], NOW);
    expect(attempts.take([account], NOW)).toBeGreaterThan(0);
    attempts.take([{ limit: "sign-in from", key: "c" }], NOW);
    expect(attempts.take([account], NOW)).toBe(0);
  });

  test("the refusal is rate_limited and says how long to wait", async () => {
    const attempts = openAttempts();
    for (let nth = 0; nth < most; nth++) await attempt(attempts, NOW, [account]);
    const refused = attempt(attempts, NOW, [account]);
    expect(await codeOf(refused)).toBe("rate_limited");
    const seconds = await refused.catch((fault) => fault.retryAfterSeconds);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(milliseconds / 1000 + milliseconds / 1000 / most);
  });
});
