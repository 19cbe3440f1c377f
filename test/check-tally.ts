/** Reads the output of `bun test` into numbers, and decides what a skipped test means. Pure: text in, numbers out. */

import { SKIP_MARK } from "./support/require-tool.ts";

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/**
 * The summary that `bun test` ends with. `todo` counts as skipped. A run without a summary died on the way: one failure.
 * A run that exits with an error although every test passed counts one failure too.
 */
export function readSummary(output: string, exitCode: number): Tally {
  const last = (label: string): number | null => {
    const found = [...output.matchAll(new RegExp(`^ *(\\d+) ${label}$`, "gm"))].at(-1)?.[1];
    return found === undefined ? null : Number(found);
  };
  const passed = last("pass");
  const failed = last("fail") ?? 0;
  const skipped = (last("skip") ?? 0) + (last("todo") ?? 0);
  const died = passed === null || (exitCode !== 0 && failed === 0);
  return { passed: passed ?? 0, failed: died ? Math.max(1, failed) : failed, skipped };
}

/** Lines of a failure that are repeated at the end. */
const MOST_LINES = 60;
/** What a test's part of the output begins after: the file's name, or the line of the test before it. */
const BOUNDARY = /^(?:\((?:pass|skip|todo)\) |\S+\.test\.ts:$)/;

/** For each failed test what `bun test` printed of it, its name last; at most the last 60 lines. */
export function readFailures(output: string): readonly string[] {
  const failures: string[] = [];
  let part: string[] = [];
  for (const line of output.split("\n")) {
    // The summary repeats the names without their errors.
    if (/^ *\d+ tests? failed:$/.test(line)) break;
    if (BOUNDARY.test(line)) part = [];
    else part.push(line);
    if (!line.startsWith("(fail) ")) continue;
    failures.push(part.slice(-MOST_LINES).join("\n").trim());
    part = [];
  }
  return failures;
}

/** The reasons given on SKIPPED lines, each once, in order of appearance. */
export function readReasons(output: string): readonly string[] {
  const reasons = new Set<string>();
  for (const line of output.split("\n")) {
    const at = line.indexOf(SKIP_MARK);
    if (at >= 0) reasons.add(line.slice(at + SKIP_MARK.length).trim());
  }
  return [...reasons];
}

/**
 * In CI every program that a test needs is installed, so a skip there is a failure. The one exception: recorded upstream
 * documents may not be redistributed, so tests may be skipped for a reason that `isExcused` wherever they are absent; then
 * the other reasons fail. A reason printed by a test that returned early, without a skipped test to show for it, fails all the same.
 */
export function judgeSkips(
  tally: Tally,
  reasons: readonly string[],
  strict: boolean,
  isExcused: (reason: string) => boolean,
): Tally {
  const skipped = tally.skipped === 0 ? reasons.length : tally.skipped;
  if (!strict) return { ...tally, skipped };
  const failing = reasons.some(isExcused)
    ? reasons.filter((reason) => !isExcused(reason)).length
    : Math.max(skipped, reasons.length);
  return { passed: tally.passed, failed: tally.failed + failing, skipped: Math.max(0, skipped - failing) };
}
