import { describe, expect, test } from "bun:test";
import { afterWholeRead, firstWholeRead, isWholeReadDue } from "#domain/intake/reading.ts";

const NOW = Date.parse("2026-04-14T15:00:00Z");
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe("a whole history is read again", () => {
  test("a week after it was read, and up to half a day later", () => {
    for (const random of [0, 0.5, 0.999]) {
      const read = afterWholeRead(NOW, true, () => random);
      expect(read.readAt).toBe(NOW);
      expect(isWholeReadDue(read, NOW + 7 * DAY - 1)).toBe(false);
      expect(isWholeReadDue(read, NOW + 7 * DAY + 12 * HOUR)).toBe(true);
    }
  });
  test("a day later where it was not clean", () => {
    const read = afterWholeRead(NOW, false, () => 0);
    expect(isWholeReadDue(read, NOW + DAY - 1)).toBe(false);
    expect(isWholeReadDue(read, NOW + DAY)).toBe(true);
  });
  test("within a day where nothing is known of it", () => {
    const read = firstWholeRead(NOW, () => 0.5);
    expect(read.readAt).toBeNull();
    expect(isWholeReadDue(read, NOW + 12 * HOUR - 1)).toBe(false);
    expect(isWholeReadDue(read, NOW + DAY)).toBe(true);
  });
  test("at once where a wrong clock has set the time far ahead", () => {
    expect(isWholeReadDue({ readAt: null, dueAt: NOW + 365 * DAY }, NOW)).toBe(true);
  });
});
