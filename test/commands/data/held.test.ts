/** `crossrate held`, `release` and `discard` of official publications, as processes of their own on a ledger. */

import { expect, test } from "bun:test";
import { readDecisions } from "#ingest/official/notes.ts";
import { openLedger } from "#store/ledger/ledger.ts";
import { runInProcess } from "#test/commands/process.ts";
import { newId } from "#test/store/ledger/ledgers.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const READ_AT = Date.parse("2026-04-14T10:00:00Z");

async function inLedger<T>(
  directory: string,
  use: (ledger: Awaited<ReturnType<typeof openLedger>>) => Promise<T>,
) {
  const ledger = await openLedger({ directory }, { emit: () => {}, newId, clock: { now: () => READ_AT } });
  return await use(ledger).finally(() => ledger.close());
}

test("held publications are listed with version, rule and reason, and decided by name or all at once", async () => {
  const DATA_DIR = temporaryDirectory();
  const settings = { DATA_DIR, LIVE_FEED: "off" };
  const run = (line: string) => runInProcess(line.split(" "), settings);
  expect(await run("held")).toMatchObject({ code: 0, out: "nothing is held\n" });
  expect(await run("release pol_a all")).toMatchObject({ code: 1 });
  const reading = (letter: string) => ({
    fingerprint: letter.repeat(64),
    firstReadAt: READ_AT,
    version: 2,
    rule: "old_copy",
    reason: "it is old",
  });
  // The last one was noted by a release that held slips alone.
  const slip = { fingerprint: "d".repeat(64), firstReadAt: READ_AT };
  const held = { "041": reading("a"), "042": reading("b"), "043": slip };
  await inLedger(DATA_DIR, (ledger) => ledger.installation.write("official:pol_a", JSON.stringify({ held })));
  const { out } = await run("held");
  expect(out).toStartWith(
    "pol_a 041 version 2\n    old_copy: it is old\n    first read 2026-04-14T10:00:00Z\n",
  );
  expect(out).toContain("pol_a 043 version 1\n    decimal_slip\n");
  expect(out).toEndWith("3 held\n");
  expect(await run("discard pol_a 042")).toMatchObject({ code: 0, out: "discarded\n" });
  expect(await run("release pol_a 042")).toMatchObject({ code: 1 });
  expect(await run("release pol_a all")).toMatchObject({ code: 0, out: "released\n" });
  expect((await run("held")).out).toBe("nothing is held\n");
  expect(await inLedger(DATA_DIR, ({ installation: notes }) => readDecisions({ notes }, "pol_a"))).toEqual({
    "042": { fingerprint: "b".repeat(64), verdict: "discard" },
    "041": { fingerprint: "a".repeat(64), verdict: "release" },
    "043": { fingerprint: "d".repeat(64), verdict: "release" },
  });
}, 60_000);

test.each([
  "release",
  "release pol_a",
  "release pol_a 041 042",
  "release NOT/a/table 041",
  "discard ecb_daily",
])(
  "%s is refused as half a name",
  async (line) => {
    expect(await runInProcess(line.split(" "), { DATA_DIR: temporaryDirectory() })).toMatchObject({
      code: 2,
    });
  },
  30_000,
);
