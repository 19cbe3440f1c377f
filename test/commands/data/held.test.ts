/** `crossrate held`, `release` and `discard` of official publications, as processes of their own on a ledger. */

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { readDecisions } from "#ingest/official/notes.ts";
import { openLake } from "#store/lake/lake.ts";
import { openLedger } from "#store/ledger/ledger.ts";
import { environmentOf } from "#test/commands/lakes.ts";
import { runInProcess } from "#test/commands/process.ts";
import { change, day, firstChange, held } from "#test/store/lake/sample.ts";
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
  const held = { "041": reading("a"), "042": reading("b"), "043": reading("d") };
  const hold = (table: string, readings: object) =>
    inLedger(DATA_DIR, ({ installation }) =>
      installation.write(`official:${table}`, JSON.stringify({ held: readings })),
    );
  await hold("pol_a", held);
  const { out } = await run("held");
  expect(out).toStartWith(
    "pol_a 041 version 2\n    old_copy: it is old\n    first read 2026-04-14T10:00:00Z\n",
  );
  expect(out).toEndWith("3 held\n");
  expect(await run("discard pol_a 042")).toMatchObject({ code: 0, out: "discarded\n" });
  expect(await run("release pol_a 042")).toMatchObject({ code: 1 });
  // Another table is another decision, also where its publication has the same name.
  await hold("rou_reference", { "041": reading("c") });
  expect(await run("release pol_a all")).toMatchObject({ code: 0, out: "released\n" });
  expect((await run("held")).out).toEndWith("1 held\n");
  expect(await run("discard rou_reference all")).toMatchObject({ code: 0 });
  expect((await run("held")).out).toBe("nothing is held\n");
  expect(await inLedger(DATA_DIR, ({ installation: notes }) => readDecisions({ notes }, "pol_a"))).toEqual({
    "042": { fingerprint: "b".repeat(64), verdict: "discard" },
    "041": { fingerprint: "a".repeat(64), verdict: "release" },
    "043": { fingerprint: "d".repeat(64), verdict: "release" },
  });
});

describe("figures of documents", () => {
  const WRONG = "ab".repeat(32);

  /** A lake with 250 held figures of one document, one of which a release of the document leaves, and one of another document. */
  async function heldLake(): Promise<Record<string, string>> {
    const directory = temporaryDirectory();
    const lake = await openLake({ directory: join(directory, "lake"), simulated: false });
    await lake.commit(() => firstChange());
    const many = Array.from({ length: 250 }, (_, at) => ({
      ...held("2025-01-02", "NOK", "11.75"),
      date: day("2025-01-02") - at,
      documentSha256: WRONG,
      rule: at === 249 ? "weekend_date" : "distrusted_document",
    }));
    const { coverage } = firstChange();
    await lake.commit(() =>
      change({ coverage, held: [...many, held("2024-12-30", "USD", "10.4\u001b[2J\u009b2J")] }),
    );
    await lake.close();
    return environmentOf(directory);
  }

  const run = async (environment: Record<string, string>, line: string) =>
    await runInProcess(line.split(" "), environment);

  test("held lists the newest days up to the limit, the total, and the counts by rule and by document", async () => {
    const environment = await heldLake();
    const listed = (out: string) => out.match(/^ecb_daily .*$/gm) ?? [];
    const { out } = await run(environment, "held");
    expect(listed(out)).toHaveLength(100);
    expect(listed(out)[0]).toBe("ecb_daily 2025-01-02 EUR/NOK 11.75");
    expect(out).toContain("251 held\n");
    // What an authority printed cannot steer the terminal.
    const all = (await run(environment, "held --limit 300")).out;
    expect(all).toContain("ecb_daily 2024-12-30 EUR/USD 10.4?[2J?2J\n");
    expect(all).not.toMatch(/[^\n\P{C}]/u);
    expect(out).toContain("    249 by distrusted_document\n");
    expect(out).toContain(`    250 of ${WRONG} https://example.org/first.xml\n`);
    expect(listed((await run(environment, "held --limit 3")).out)).toHaveLength(3);
    expect(listed((await run(environment, "held --limit 0")).out)).toHaveLength(0);
    expect((await run(environment, "held --limit many")).code).toBe(2);
  });

  // Two of seven days are a weekend, and four days are holidays.
  test("release of a document leaves what another rule holds, and discard drops it", async () => {
    const environment = await heldLake();
    const released = await run(environment, `release --document ${WRONG.toUpperCase()}`);
    expect(released).toMatchObject({ code: 0 });
    expect(released.out).toMatch(/^175 released\n75 of the document stay held/);
    expect((await run(environment, `discard --document ${WRONG}`)).out).toBe("75 discarded\n");
    const again = await run(environment, `discard --document ${WRONG}`);
    expect([again.code, again.err]).toEqual([
      1,
      expect.stringContaining("no figure of such a document is held"),
    ]);
    expect((await run(environment, "discard ecb_daily 2024-12-30 USD")).out).toBe("discarded\n");
    expect((await run(environment, "held")).out).toBe("nothing is held\n");
  });

  test.each([
    "release",
    "release pol_a",
    "release pol_a 041 042",
    "release NOT/a/table 041",
    "release --document 123",
    "discard ecb_daily",
    "discard ecb_daily 2025-01-02 NOK USD",
    `discard ecb_daily 2025-01-02 NOK --document ${WRONG}`,
  ])("%s is refused", async (line) => {
    expect((await run({ DATA_DIR: temporaryDirectory() }, line)).code).toBe(2);
  });
});
