/** The refusal of an attempt. How attempts are counted is in test/store/attempts. */

import { expect, test } from "bun:test";
import { attempt } from "#accounts/identity/deps.ts";
import { ATTEMPT_LIMITS } from "#domain/limits/counts.ts";
import type { Gate } from "#ports/ledger.ts";
import { memoryAttempts } from "#store/memory/attempts/attempts.ts";
import { codeOf, NOW } from "./fixture.ts";

const account: Gate = { limit: "sign-in to", key: "ada@example.com" };
const { most, milliseconds } = ATTEMPT_LIMITS["sign-in to"];

test("the refusal is rate_limited and says how long to wait", async () => {
  const attempts = memoryAttempts();
  for (let nth = 0; nth < most; nth++) await attempt(attempts, NOW, [account]);
  const refused = attempt(attempts, NOW, [account]);
  expect(await codeOf(refused)).toBe("rate_limited");
  const seconds = await refused.catch((fault) => fault.retryAfterSeconds);
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(milliseconds / 1000 + milliseconds / 1000 / most);
  const later = NOW + seconds * 1000;
  await attempt(attempts, later, [account]);
});

test("a store that answers later is waited for", async () => {
  const slow = { take: async () => 61_500, clear: async () => {} };
  await expect(attempt(slow, NOW, [account])).rejects.toMatchObject({
    code: "rate_limited",
    retryAfterSeconds: 62,
  });
});
