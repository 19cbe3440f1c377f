import { describe, expect, test } from "bun:test";
import { errorExample } from "#api/errors.ts";
import { DASHBOARD_OPERATIONS, OPERATIONS } from "#test/api/openapi/valid.ts";
import { sentenceOf, waitText } from "#web/dashboard/words.ts";

const BEHIND = OPERATIONS.filter(
  ({ tag, id }) => ["Account", "Sign-in", "Billing"].includes(tag) && id !== "receiveBillingEvent",
);
const CODES = [...new Set([...BEHIND, ...DASHBOARD_OPERATIONS].flatMap(({ refusals }) => refusals))];

describe("sentences", () => {
  test("each begins with a capital, ends with a full stop, and names no operation, status or placeholder", () => {
    expect(CODES.length).toBeGreaterThan(15);
    for (const code of CODES) {
      const { message } = errorExample(code);
      const sentence = sentenceOf({ code, message, retryAfterSeconds: 90, issues: [] });
      expect(sentence).toMatch(/^[A-Z].*[.!?]$/);
      expect(sentence, code).not.toMatch(/[{}]|_/);
      if (code !== "conflict") expect(sentence, code).not.toMatch(/\/v1|POST|GET/);
    }
  });

  test("a wait is in words", () => {
    expect([1, 59.2, 119, 120, 3599, 7200, 86_400].map(waitText)).toEqual([
      "1 second",
      "60 seconds",
      "119 seconds",
      "2 minutes",
      "60 minutes",
      "2 hours",
      "24 hours",
    ]);
  });
});
