/** The check counts what happened, and lets nothing slip through: a crash, a silent skip, an error outside any test. */

import { expect, test } from "bun:test";
import { judgeSkips, readFailures, readReasons, readSummary } from "./check-tally.ts";

const SUMMARY =
  "\n 12 pass\n 2 skip\n 1 todo\n 3 fail\n 40 expect() calls\nRan 18 tests across 4 files. [15.00ms]\n";
const REDIS = "a needs redis-server";

test("passed, failed and skipped tests are read from the summary; a todo is skipped", () => {
  expect(readSummary(SUMMARY, 1)).toEqual({ passed: 12, failed: 3, skipped: 3 });
});

test("a test's own output that looks like a summary does not count", () => {
  expect(readSummary(` 99 pass\n${SUMMARY}`, 1).passed).toBe(12);
});

test("a run that died without a summary failed", () => {
  expect(readSummary("bun test v1.4.5\nSegmentation fault", 139)).toEqual({
    passed: 0,
    failed: 1,
    skipped: 0,
  });
});

test("a run whose tests passed and whose exit status says otherwise failed", () => {
  expect(readSummary(" 5 pass\n 0 fail\n", 1)).toEqual({ passed: 5, failed: 1, skipped: 0 });
});

test("of a failed test its error is repeated, without what its neighbours printed", () => {
  const long = Array.from({ length: 100 }, (_, nth) => `line ${nth}`).join("\n");
  const output = `
test/a.test.ts:
said by one
(pass) one [1.00ms]
41 |   expect(2).toBe(3);
error: expect(received).toBe(expected)
(fail) two [2.00ms]
(pass) three [1.00ms]

test/b.test.ts:
${long}
(fail) four [2.00ms]

2 tests failed:
(fail) two [2.00ms]
(fail) four [2.00ms]
`;
  const [two, four, ...others] = readFailures(output);
  expect(two).toBe("41 |   expect(2).toBe(3);\nerror: expect(received).toBe(expected)\n(fail) two [2.00ms]");
  expect(four?.split("\n").slice(0, 2)).toEqual(["line 41", "line 42"]);
  expect(four?.split("\n").at(-1)).toBe("(fail) four [2.00ms]");
  expect(others).toEqual([]);
});

test("every reason is reported once", () => {
  const output =
    "SKIPPED: a needs redis-server\nnoise\nSKIPPED: b needs wrk\nSKIPPED: a needs redis-server\n";
  expect(readReasons(output)).toEqual(["a needs redis-server", "b needs wrk"]);
});

test.each([
  ["on a developer's machine a skip is reported and forgiven", 2, [REDIS], false, { failed: 0, skipped: 2 }],
  ["in CI every skip fails", 2, [], true, { failed: 2, skipped: 0 }],
  ["in CI a test that returned early with a reason fails too", 0, [REDIS], true, { failed: 1, skipped: 0 }],
  [
    "in CI tests of recorded documents may stay skipped where these are absent, and no others",
    3,
    [REDIS, "real upstream documents"],
    true,
    { failed: 1, skipped: 2 },
  ],
] as const)("%s", (_, skipped, reasons, strict, judged) => {
  const isExcused = (reason: string) => reason.startsWith("real");
  expect(judgeSkips({ passed: 5, failed: 0, skipped }, reasons, strict, isExcused)).toEqual({
    passed: 5,
    ...judged,
  });
});
