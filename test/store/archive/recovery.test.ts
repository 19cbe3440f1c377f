/** A damaged journal: every intact line is moved into the table, a loss is reported with the file's name, the file is preserved. */

import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { openQuoteArchive } from "#store/archive/archive.ts";
import { readSegment, segmentFile } from "#store/archive/journal/journal.ts";
import type { TelemetryEvent } from "#telemetry.ts";
import { copyOf } from "#test/store/lake/sample.ts";
import { smallDisk } from "#test/support/small-disk.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { at, leaveSegment, lineOf, linesOf, MINUTE, openTemporary, quote, stored } from "./sample.ts";

const NOON = at("2026-03-02T12:00:00Z");
const QUOTES = Array.from({ length: 5 }, (_, nth) =>
  quote("USD/EUR", `0.8${nth}`, NOON + nth * MINUTE, { bid: "0.7999", ask: "0.9" }),
);
const LINES = linesOf(QUOTES);

function damagedIn(directory: string): readonly string[] {
  return readdirSync(join(directory, "intraday/.journal"))
    .filter((name) => name.endsWith(".damaged"))
    .sort();
}

function withLine(nth: number, change: (line: string) => string): string {
  const lines = LINES.split("\n");
  lines[nth] = change(lines[nth] as string);
  return lines.join("\n");
}

/** A lake whose writer died after three appends; resolves with its directory. */
async function leftByDeath(): Promise<string> {
  const directory = temporaryDirectory();
  const archive = await openQuoteArchive({ directory, simulated: false, access: "write" });
  for (let nth = 0; nth < 3; nth++)
    await archive.append([quote("USD/EUR", `0.8${nth}`, NOON + nth * MINUTE)]);
  const left = copyOf(directory);
  await archive.close();
  return left;
}

async function start(directory: string) {
  const emitted: string[] = [];
  const emit = (event: TelemetryEvent) => {
    if (event.kind === "lake_damaged") emitted.push(event.detail);
  };
  const archive = await openTemporary(directory, { emit });
  await archive.close();
  return { emitted, quotes: (await stored(directory)).length };
}

test.each([
  ["a digit in the middle", withLine(1, (line) => line.replace("0.7999", "0.7998")), 4, "1 line is"],
  ["a digit in the last line", withLine(4, (line) => line.replace("0.7999", "0.7998")), 4, "1 line is"],
  ["a checksum", withLine(0, (line) => `0${line.slice(1)}`), 4, "1 line is"],
  ["an end of line", LINES.replace("\n", "\x0b"), 3, "1 line is"],
  ["the last end of line", `${LINES.slice(0, -1)}\x0b`, 4, "1 line is"],
  ["a page of zeros", withLine(2, (line) => "\0".repeat(line.length)), 4, "1 line is"],
  ["two lines", `x\n${withLine(3, () => "y")}`, 4, "2 lines are"],
])(
  "damage to %s is reported with the segment's name, and the segment is preserved",
  async (_, text, intact, lines) => {
    const directory = temporaryDirectory();
    leaveSegment(directory, 1, text);
    const { emitted, quotes } = await start(directory);
    expect([quotes, emitted.length]).toEqual([intact, 1]);
    const [detail] = emitted;
    expect(detail).toStartWith(`intraday/.journal/0000000001.log: ${lines} damaged`);
    // A power cut leaves such lines of an append that nobody was told to be durable.
    expect(detail).toContain(
      "Damaged lines that were being written when the power went had not been accepted",
    );
    const [kept = "", ...others] = damagedIn(directory);
    expect(others).toEqual([]);
    expect(detail).toContain(`kept as intraday/.journal/${kept}`);
    expect(readFileSync(join(directory, "intraday/.journal", kept), "utf8")).toBe(text);
    expect(existsSync(join(directory, segmentFile(1)))).toBe(false);
  },
);

test("an append that was cut short is no damage: it was never acknowledged", async () => {
  for (let cut = 1; cut < linesOf(QUOTES.slice(4)).length; cut++) {
    const { quotes, broken } = readSegment(LINES.slice(0, -cut));
    expect([quotes.length, broken]).toEqual([4, 0]);
  }
  expect(readSegment("")).toEqual({ quotes: [], broken: 0 });
  const directory = temporaryDirectory();
  leaveSegment(directory, 1, LINES.slice(0, -7));
  expect(await start(directory)).toEqual({ emitted: [], quotes: 4 });
  expect(damagedIn(directory)).toEqual([]);
});

test("no damaged segment takes the place of another, although numbers are used again", async () => {
  const directory = temporaryDirectory();
  const texts = ["a digit", "another"].map((_, nth) =>
    withLine(nth, (line) => line.replace("0.7999", "0.1")),
  );
  for (const text of texts) {
    leaveSegment(directory, 1, text);
    await start(directory);
  }
  const kept = damagedIn(directory).map((name) =>
    readFileSync(join(directory, "intraday/.journal", name), "utf8"),
  );
  expect(kept.toSorted()).toEqual(texts.toSorted());
  expect((await stored(directory)).length).toBe(5);
});

test("a process that reads writes a dead one's journal to the files, and may take it for good at the same time", async () => {
  const reader = await openTemporary(await leftByDeath(), { access: "read" });
  const [flushed, isTaken] = await Promise.all([reader.flushUnowned(), reader.own()]);
  expect([flushed, isTaken, reader.isOwned()]).toEqual([3, true, true]);
  await reader.append(QUOTES.slice(4));
  expect([await reader.flushUnowned(), await reader.flush()]).toEqual([0, 1]);
  await reader.disown();
  expect(await reader.compact(null)).toMatchObject({ flushed: 0, removed: [] });
  expect(reader.isOwned()).toBe(false);
});

// A disk that fills up under appends and flushes: a clear error, nothing durable lost, nothing refused kept, and recovery by itself.
const DISK_BYTES = 1024 * 1024;
const disk = smallDisk("a disk that fills up", DISK_BYTES);

const START = at("2026-03-02T00:00:00Z");
let poll = 0;
function nextPoll(size: number): readonly LiveQuote[] {
  poll += 1;
  return Array.from({ length: size }, (_, nth) =>
    quote("USD/EUR", `0.${100_000 + ((poll * 7919 + nth * 104_729) % 899_999)}`, START + poll * MINUTE + nth),
  );
}

test.skipIf(!disk.isMounted).each([0, 4096])(
  "with %d bytes left an append fails by name and leaves nothing behind; with room again the archive continues by itself",
  async (bytesLeft) => {
    const directory = join(disk.path, `append-${bytesLeft}`);
    const archive = await openTemporary(directory);
    const before = nextPoll(20);
    await archive.append(before);
    const filler = join(disk.path, "filler");
    disk.fill(filler, bytesLeft);
    // The first may still find room in the page it ends in.
    const kept = [...before];
    let refused = 0;
    for (let attempt = 0; attempt < 8; attempt++) {
      const quotes = nextPoll(100);
      await archive.append(quotes).then(
        () => kept.push(...quotes),
        (fault) => {
          expect(String(fault)).toMatch(/no space left/i);
          refused += 1;
        },
      );
    }
    expect(refused).toBeGreaterThan(0);
    rmSync(filler);
    const after = nextPoll(10);
    await archive.append(after);
    await archive.close();
    await (await openQuoteArchive({ directory, simulated: false, access: "write" })).close();
    expect([...(await stored(directory))].sort()).toEqual([...kept, ...after].map(lineOf).sort());
    rmSync(directory, { recursive: true });
  },
);

test.skipIf(!disk.isMounted).each([0, 4096])(
  "with %d bytes left a flush fails by name; bars stay whole, a restart on the full disk too, and the next flush completes",
  async (bytesLeft) => {
    const directory = join(disk.path, `flush-${bytesLeft}`);
    const archive = await openTemporary(directory);
    const first = nextPoll(300);
    await archive.append(first);
    await archive.flush();
    const second = nextPoll(3000);
    await archive.append(second);
    const filler = join(disk.path, "filler");
    disk.fill(filler, bytesLeft);
    const query = {
      base: "USD",
      symbol: "EUR",
      from: START,
      to: START + 1e8,
      order: "asc",
      limit: 1e6,
    } as const;
    const ticks = async (of: typeof archive) =>
      (await of.bars({ ...query, widthSeconds: 60 })).reduce((sum, bar) => sum + bar.ticks, 0);

    await expect(archive.flush()).rejects.toThrow(/no space left/i);
    expect(await ticks(archive)).toBe(3300);
    expect((await stored(directory)).length).toBe(300);
    await archive.close();
    const emitted: string[] = [];
    const restarted = await openQuoteArchive({
      directory,
      simulated: false,
      access: "write",
      emit: (event) => emitted.push(JSON.stringify(event)),
    });
    expect(emitted.join()).toMatch(/archive_flush_failed.*no space left/i);
    expect(await ticks(restarted)).toBe(3300);

    rmSync(filler);
    expect(await restarted.flush()).toBe(3000);
    expect(await ticks(restarted)).toBe(3300);
    await restarted.close();
    expect([...(await stored(directory))].sort()).toEqual([...first, ...second].map(lineOf).sort());
    rmSync(directory, { recursive: true });
  },
);
