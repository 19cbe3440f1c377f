/** What a commit means: digits preserved, revisions moved, repetition harmless, a version for each change; several processes take turns. */

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { currencyIndex } from "#domain/currency/currency.ts";
import type { LakeRecord } from "#ports.ts";
import { dataFilesOf } from "#store/delta/table.ts";
import { openLake } from "#store/lake/lake.ts";
import type { TelemetryEvent } from "#telemetry.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import {
  change,
  contents,
  day,
  firstChange,
  held,
  lines,
  observation,
  openedLake,
  query,
  RETRIEVED,
  secondChange,
} from "./sample.ts";

test("a new lake is empty, reads, and has its mode before the first rate", async () => {
  const directory = temporaryDirectory();
  const lake = await openLake({ directory, simulated: true });
  const snapshot = await lake.read();
  expect(snapshot.observations.count).toBe(0);
  expect(snapshot.version).toBe(await lake.version());
  expect(snapshot).toMatchObject({ held: [], coverage: [] });
  await lake.close();
  expect(openedLake(directory)).rejects.toThrow("simulated rates, which serve refuses");
});

test("a lake of real rates is refused by the demo", async () => {
  const directory = temporaryDirectory();
  await (await openedLake(directory)).close();
  expect(openLake({ directory, simulated: true })).rejects.toThrow("real rates, which the demo refuses");
});

test("what was committed is read back exactly, ordered by source, date, base and quote", async () => {
  const directory = temporaryDirectory();
  const lake = await openedLake(directory);
  await lake.commit(() => firstChange());
  const snapshot = await lake.read();
  const [eur, usd, nok, twd] = (["EUR", "USD", "NOK", "TWD"] as const).map(currencyIndex);
  expect(lines(snapshot)).toEqual([
    `0 2024-12-30 ${eur} ${nok} 118529/4`,
    `0 2024-12-30 ${eur} ${usd} 10444/4`,
    `0 2025-01-02 ${eur} ${nok} 117445/4`,
    `0 2025-01-02 ${eur} ${usd} 10321/4`,
    `1 2025-01-02 ${eur} ${usd} 10290/4`,
    `1 2025-01-02 ${usd} ${twd} 3290/2`,
  ]);
  const { observations, coverage } = snapshot;
  expect(observations.decimals[5]).toBe(2);
  expect(observations.observedAt[0]).toBe(Date.parse("2024-12-30T13:15:00Z"));
  expect(observations.retrievedAt[0]).toBe(RETRIEVED);
  expect(Array.from(observations.revision)).toEqual([1, 1, 1, 1, 1, 1]);
  expect(coverage).toEqual(firstChange().coverage);
  // A process that comes later sees the same.
  await lake.close();
  const again = await openedLake(directory);
  expect(lines(await again.read())).toEqual(lines(snapshot));
  expect(await again.version()).toBe(snapshot.version);
});

test("each figure has the document that it was read from, in the version before a correction too", async () => {
  const directory = temporaryDirectory();
  const lake = await openedLake(directory);
  const another = { documentSha256: "0b".repeat(32) };
  const fred = { source: "fred_daily", base: "USD", name: "fred" } as const;
  const accepted = [
    observation("2024-12-30", "USD", "1.0444", { name: "zip" }),
    observation("2025-01-02", "NOK", "11.71", { name: "daily", ...another }),
    observation("2025-01-02", "USD", "1.0321", { name: "daily" }),
    observation("2025-01-02", "TWD", "32.8", { ...fred, ...another }),
  ];
  const documentsOf = ({ documents }: LakeRecord) =>
    Array.from(documents.places, (place) => {
      const { document, documentSha256 } = documents.list[place] ?? {};
      return `${document?.replace(/^.*\/(\w+)\.xml$/, "$1")} ${documentSha256?.slice(0, 2)}`;
    });
  const before = await lake.commit(() => change({ accepted }));
  const first = ["zip 0a", "daily 0b", "daily 0a", "fred 0b"];
  expect(documentsOf(await lake.read())).toEqual(first);
  const corrected = { name: "second", revision: 2, retrievedAt: RETRIEVED + 3_600_000 };
  await lake.commit(() => change({ accepted: [observation("2025-01-02", "NOK", "11.72", corrected)] }));
  expect(documentsOf(await lake.read())).toEqual(["zip 0a", "second 0a", "daily 0a", "fred 0b"]);
  await lake.close();
  const again = await openedLake(directory);
  expect(documentsOf(await again.read())).toEqual(["zip 0a", "second 0a", "daily 0a", "fred 0b"]);
  expect(documentsOf((await again.at(before)) as LakeRecord)).toEqual(first);
});

test("a revision replaces the value, and the old one stays readable with when and by what it ended", async () => {
  const directory = temporaryDirectory();
  const lake = await openedLake(directory);
  await lake.commit(() => firstChange());
  await lake.commit(() => secondChange());
  expect(await contents(directory)).toEqual({
    current: [
      "ecb_daily 2023-12-29 EUR USD 1 1.1050",
      "ecb_daily 2024-12-30 EUR NOK 2 11.5829",
      "ecb_daily 2024-12-30 EUR USD 1 1.0444",
      "ecb_daily 2025-01-02 EUR NOK 1 11.7445",
      "ecb_daily 2025-01-03 EUR USD 1 1.0299",
      "fred_daily 2025-01-02 EUR USD 1 1.0290",
      "fred_daily 2025-01-02 USD TWD 1 32.90",
    ],
    superseded: [
      "ecb_daily 2024-12-30 EUR NOK 1 11.8529 revised",
      "ecb_daily 2025-01-02 EUR USD 1 1.0321 withdrawn",
    ],
  });
  await lake.commit(({ superseded, held: kept }) => {
    const by = { supersededAt: RETRIEVED + 86_400_000, supersededBy: "https://example.org/second.xml" };
    expect(superseded).toMatchObject([
      { printed: "11.8529", why: "revised", ...by },
      { printed: "1.0321", why: "withdrawn", ...by },
    ]);
    expect(kept).toEqual(secondChange().held as never);
    return null;
  });
});

test("several versions of a figure in one change: the newest is in force, the others are superseded in order", async () => {
  const directory = temporaryDirectory();
  const lake = await openedLake(directory);
  await lake.commit(() =>
    change({
      accepted: [
        observation("2015-07-27", "USD", "1.1000", { publishedAt: Date.UTC(2015, 6, 27, 13) }),
        observation("2015-07-27", "USD", "1.1058", { publishedAt: Date.UTC(2015, 6, 28, 13), revision: 2 }),
        observation("2015-07-28", "USD", "1.1025"),
      ],
      withdrawn: [{ ...observation("2015-07-28", "USD", "1.1025"), revision: 1 }],
    }),
  );
  expect(await contents(directory)).toEqual({
    current: ["ecb_daily 2015-07-27 EUR USD 2 1.1058"],
    superseded: [
      "ecb_daily 2015-07-27 EUR USD 1 1.1000 revised",
      "ecb_daily 2015-07-28 EUR USD 1 1.1025 withdrawn",
    ],
  });
  // The withdrawn figure comes back as its second revision and is in force again.
  const again = observation("2015-07-28", "USD", "1.1025", { revision: 2 });
  await lake.commit(() => change({ accepted: [again] }));
  const { current, superseded } = await contents(directory);
  expect(current).toContain("ecb_daily 2015-07-28 EUR USD 2 1.1025");
  expect(superseded).toHaveLength(2);
  const both = [1, 2].map((revision) => observation("2014-07-28", "USD", `1.3${revision}`, { revision }));
  await lake.commit(() => change({ accepted: both }));
  expect((await contents(directory)).current[0]).toBe("ecb_daily 2014-07-28 EUR USD 2 1.32");
});

test("a publication instant that becomes known completes the row and nothing else", async () => {
  const directory = temporaryDirectory();
  const lake = await openedLake(directory);
  await lake.commit(() => firstChange());
  const publishedAt = Date.UTC(2025, 0, 2, 14, 57, 1);
  const later = { publishedAt, retrievedAt: RETRIEVED + 5, name: "sdmx" };
  await lake.commit(() => change({ accepted: [observation("2025-01-02", "USD", "1.03210", later)] }));
  const rows = await query(
    `SELECT printed, revision, epoch_ms(published_at) AS published, epoch_ms(retrieved_at) AS retrieved, document
     FROM read_parquet('${directory}/current/daily/source=ecb_daily/year=2025/rates.parquet') WHERE quote = 'USD'`,
  );
  expect(rows).toEqual([
    {
      printed: "1.0321",
      revision: 1,
      published: String(publishedAt),
      retrieved: String(RETRIEVED),
      document: "https://example.org/first.xml",
    },
  ]);
  expect((await contents(directory)).superseded).toEqual([]);
});

test("times of retrieval show the order of commits, also after a withdrawal by a clock that was ahead", async () => {
  const lake = await openedLake();
  await lake.commit(() => firstChange());
  const ahead = RETRIEVED + 3_600_000;
  const withdrawn = [{ ...observation("2025-01-02", "USD", "1.0321"), retrievedAt: ahead }];
  await lake.commit(() => change({ withdrawn }));
  await lake.commit(() => change({ accepted: [observation("2025-01-06", "USD", "1.0388")] }));
  expect(Math.max(...(await lake.read()).observations.retrievedAt)).toBe(ahead + 1);
  // By a clock that is behind: when a figure was first seen moves along, what a document states does not, and nothing is
  // retrieved before it was observed.
  const stated = RETRIEVED - 60_000;
  const accepted = [
    observation("2025-01-07", "USD", "1.0390", { publishedAt: RETRIEVED }),
    observation("2025-01-08", "USD", "1.0391", { publishedAt: stated }),
    observation("2030-01-08", "USD", "1.0392"),
  ];
  await lake.commit(() => change({ accepted, withdrawn: [observation("2025-01-06", "USD", "1.0388")] }));
  const { observations, publishedAt, superseded } = await lake.read();
  const timesOf = ({ date }: (typeof accepted)[number]) => {
    const row = observations.date.findIndex((one, at) => one === date && observations.source[at] === 0);
    return [observations.retrievedAt[row], publishedAt[row]];
  };
  expect(accepted.map(timesOf)).toEqual([
    [ahead + 2, ahead + 2],
    [ahead + 2, stated],
    [Date.parse("2030-01-08T13:15:00Z"), Number.NaN],
  ]);
  expect(superseded.at(-1)?.supersededAt).toBe(ahead + 2);
});

test("a change that fails after some of its years were written leaves no file of them", async () => {
  const directory = temporaryDirectory();
  const lake = await openedLake(directory);
  const accepted = [1, 2, 3, 4, 5, 6].map((year) => observation(`200${year}-01-03`, "USD", "1.1"));
  const inTheWay = join(directory, "daily/source=ecb_daily/year=2006");
  mkdirSync(dirname(inTheWay));
  writeFileSync(inTheWay, "");
  await expect(lake.commit(() => change({ accepted }))).rejects.toThrow();
  expect(dataFilesOf(join(directory, "daily"))).toEqual([]);
});

test("the version changes with every change of data, never for coverage alone, and null changes nothing", async () => {
  const lake = await openedLake();
  const empty = await lake.version();
  const first = await lake.commit(() => firstChange());
  expect(first).not.toBe(empty);
  expect(await lake.commit(() => null)).toBe(first);
  const covered = { coveredThrough: day("2025-01-06"), retrievedAt: RETRIEVED };
  const coverage = [{ source: "ecb_daily", ...covered }] as const;
  expect(await lake.commit(() => change({ coverage }))).toBe(first);
  expect((await lake.read()).coverage).toEqual(coverage);
  const second = await lake.commit(() => secondChange());
  expect(new Set([empty, first, second]).size).toBe(3);
  expect(second).toMatch(/^[\w.-]{1,64}$/);
});

test("the same held figures in another order are no change", async () => {
  const lake = await openedLake();
  const figures = [
    held("2025-01-03", "NOK", "117.000"),
    held("2025-01-03", "USD", "10.3"),
    held("2025-01-02", "JPY", "x"),
  ];
  const first = await lake.commit(() => change({ held: figures }));
  expect((await lake.read()).held).toHaveLength(3);
  expect(await lake.commit(() => change({ held: [...figures].reverse() }))).toBe(first);
  expect(await lake.commit(() => change({ held: figures.slice(1) }))).not.toBe(first);
});

test("a held text comes back whatever is in it", async () => {
  const directory = temporaryDirectory();
  const lake = await openedLake(directory);
  const texts = ['it\'s "{rows}"', "a\u0000b\\n", "half \ud800 a pair", "1,1 €"];
  await lake.commit(() =>
    change({ held: texts.map((text, nth) => held(`2025-01-0${nth + 1}`, "NOK", text)) }),
  );
  const again = await openedLake(directory);
  expect((await again.read()).held.map(({ printed }) => printed)).toEqual(
    texts.map((text) => text.toWellFormed()),
  );
});

test("a decision that throws changes nothing and frees the lake", async () => {
  const directory = temporaryDirectory();
  const lake = await openedLake(directory);
  const version = await lake.commit(() => firstChange());
  expect(
    lake.commit(() => {
      throw new Error("no decision");
    }),
  ).rejects.toThrow("no decision");
  expect(await lake.version()).toBe(version);
  await lake.commit(() => secondChange());
});

test("an older version is read as it was, also by a process that comes later; one that never was is null", async () => {
  const directory = temporaryDirectory();
  const lake = await openedLake(directory);
  const first = await lake.commit(() => firstChange());
  const before = await lake.read();
  const second = await lake.commit(() => secondChange());
  await lake.commit(() => change({ ...secondChange(), accepted: [], withdrawn: [], held: [] }));
  await lake.close();
  const again = await openedLake(directory);
  const older = await again.at(first);
  expect(lines(older as LakeRecord)).toEqual(lines(before));
  const { coverage } = before;
  expect(older).toMatchObject({ version: first, held: [], superseded: [], coverage, damaged: [] });
  expect((await again.at(second))?.held).toEqual(secondChange().held as never);
  expect((await again.at(second))?.superseded).toHaveLength(2);
  for (const never of [`9-${first.split("-")[1]}`, `${first.split("-")[0]}-zz`, "x", "", `${first}-damaged1`])
    expect(await again.at(never)).toBeNull();
});

test("writers in two processes lose nothing of each other's, and opening meanwhile repairs nothing", async () => {
  const directory = temporaryDirectory();
  await (await openedLake(directory)).close();
  const script = join(import.meta.dir, "commit-child.ts");
  const children = ["USD", "JPY"].map((quote) =>
    Bun.spawn([process.execPath, script, directory, quote, "8"], { stdout: "pipe", stderr: "inherit" }),
  );
  const emitted: TelemetryEvent[] = [];
  let running = true;
  const done = Promise.all(children.map(({ exited }) => exited)).finally(() => {
    running = false;
  });
  const versions: string[] = [];
  while (running) {
    const lake = await openedLake(directory, { emit: (event) => emitted.push(event) });
    const { version, observations } = await lake.read();
    versions.push(`${observations.count} ${version}`);
    await lake.close();
    // Nothing of this waits for the system: without a turn the ends of the children would never be noticed.
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await done).toEqual([0, 0]);
  expect((await contents(directory)).current).toHaveLength(16);
  expect(emitted).toEqual([]);
  // One version, one content: the count never differs under the same name.
  expect(new Set(versions.map((line) => line.split(" ")[1])).size).toBe(new Set(versions).size);
});

test("a process notices another's commit by the version, and decides on what that one wrote", async () => {
  const directory = temporaryDirectory();
  const one = await openedLake(directory);
  const other = await openedLake(directory);
  await one.read();
  const version = await other.commit(() => firstChange());
  expect(await one.version()).toBe(version);
  let seen = 0;
  await one.commit(({ observations }) => {
    seen = observations.count;
    return secondChange();
  });
  expect(seen).toBe(6);
  expect((await other.read()).observations.count).toBe(7);
});

test("commits within one process queue, and closing waits for them", async () => {
  const directory = temporaryDirectory();
  const lake = await openedLake(directory);
  const first = lake.commit(() => firstChange());
  const second = lake.commit(() => secondChange());
  await lake.close();
  await Promise.all([first, second]);
  const again = await openedLake(directory);
  expect((await again.read()).observations.count).toBe(7);
});

test("a lake that another process holds locked is still read, and writing it is a clear error after a bounded wait", async () => {
  const directory = temporaryDirectory();
  const lake = await openedLake(directory, { waitSeconds: 0 });
  await lake.commit(() => firstChange());
  const other = new Database(join(directory, ".writer.sqlite"));
  other.run("BEGIN EXCLUSIVE");
  expect(lake.commit(() => secondChange())).rejects.toThrow("in use by another process");
  expect(lake.upkeep()).rejects.toThrow("in use by another process");
  expect((await lake.read()).observations.count).toBe(6);
  const reader = await openedLake(directory, { waitSeconds: 0 });
  expect(await reader.version()).toBe(await lake.version());
  await reader.close();
  other.run("ROLLBACK");
  other.close();
  await lake.commit(() => secondChange());
});
