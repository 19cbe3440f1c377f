import { expect, test } from "bun:test";
import { isWholeReadDue, wholeReadAt } from "#domain/intake/reading.ts";

const NOW = Date.parse("2026-04-14T15:00:00Z");
const WEEK = 7 * 86_400_000;

test("a whole history is read again after a week, without a known read, and where a wrong clock has dated the last one", () => {
  const last = wholeReadAt(NOW);
  expect(isWholeReadDue(last, NOW + WEEK - 1)).toBe(false);
  expect(isWholeReadDue(last, NOW + WEEK)).toBe(true);
  expect(isWholeReadDue(undefined, NOW)).toBe(true);
  expect(isWholeReadDue(last, NOW - 1)).toBe(true);
});
