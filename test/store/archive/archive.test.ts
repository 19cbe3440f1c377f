/** What the archive promises its callers: durable appends, flushes that happen once, one writer, retention, a manifest that follows. */

import { describe, expect, test } from "bun:test";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { dayAt, parseDay } from "#domain/day.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { dateFile, segmentFile, segmentsOnDisk } from "#store/archive/layout.ts";
import { formatLine, parseLine } from "#store/archive/quote-line.ts";
import { ticksSelect } from "#store/archive/selects.ts";
import { openLake } from "#store/lake/lake.ts";
import type { Happening } from "#telemetry.ts";
import { temporaryDirectory } from "#test/temporary.ts";
import { at, DAY, HOUR, lineOf, MINUTE, query, quote, stored } from "./sample.ts";
import { openTemporary } from "./temporary.ts";

const NOON = at("2026-03-02T12:00:00Z");

/** `count` quotes, a minute apart, in reverse order. */
function several(count: number, from = NOON, pair = "USD/EUR"): readonly LiveQuote[] {
  return Array.from({ length: count }, (_, nth) =>
    quote(pair, `0.8${String(nth).padStart(4, "0")}`, from + nth * MINUTE, { bid: "0.7999", ask: "0.9" }),
  ).reverse();
}

function manifestIn(directory: string) {
  return JSON.parse(readFileSync(join(directory, "intraday/manifest.json"), "utf8"));
}

/** The journal as a dead writer would have left it. */
function leaveSegment(directory: string, number: number, text: string): void {
  mkdirSync(join(directory, "intraday/.journal"), { recursive: true });
  writeFileSync(join(directory, segmentFile(number)), text);
}

function linesOf(quotes: readonly LiveQuote[]): string {
  return quotes.map((quote) => `${formatLine(quote)}\n`).join("");
}

describe("a flush", () => {
  test("puts each quote into the file of the UTC day on which it was observed, sorted, with its digits", async () => {
    const directory = temporaryDirectory();
    const archive = await openTemporary(directory);
    const midnight = at("2026-03-03T00:00:00Z");
    const quotes = [
      ...several(3),
      quote("USD/JPY", "158.250", midnight - 1, { feed: "massive", retrievedAt: midnight + 5 }),
      quote("EUR/USD", "1.1", midnight),
    ];
    await archive.append(quotes);
    expect(await archive.flush()).toBe(5);
    expect(segmentsOnDisk(directory)).toEqual([]);
    const files = await query(
      directory,
      "SELECT filename, count(*)::INTEGER AS n FROM {quotes} GROUP BY 1 ORDER BY 1",
    );
    expect(files.map(({ filename, n }) => [String(filename).slice(directory.length + 1), n])).toEqual([
      ["intraday/date=2026-03-02/quotes.parquet", 4],
      ["intraday/date=2026-03-03/quotes.parquet", 1],
    ]);
    const order = [...several(3)].reverse();
    expect(await stored(directory)).toEqual([...order, ...quotes.slice(3)].map(lineOf));
    const types = await query(directory, "DESCRIBE SELECT * FROM {quotes}");
    expect(types.map((row) => `${row["column_name"]} ${row["column_type"]}`)).toEqual([
      "observed_at TIMESTAMP WITH TIME ZONE",
      "retrieved_at TIMESTAMP WITH TIME ZONE",
      "feed VARCHAR",
      "base VARCHAR",
      "quote VARCHAR",
      "bid DOUBLE",
      "ask DOUBLE",
      "mid DOUBLE",
      "decimals UTINYINT",
      "bid_decimals UTINYINT",
      "ask_decimals UTINYINT",
      "date DATE",
    ]);
  });

  test("adds to what is there, once, however often the same quotes are appended", async () => {
    const directory = temporaryDirectory();
    const archive = await openTemporary(directory);
    await archive.append(several(5));
    await Promise.all([archive.append(several(5)), archive.append(several(6)), archive.append(several(6))]);
    expect(await archive.flush()).toBe(6);
    await archive.append(several(7));
    expect(await archive.flush()).toBe(1);
    expect(await archive.flush()).toBe(0);
    expect((await stored(directory)).length).toBe(7);
    expect(archive.lastFlush()?.quotes).toBe(1);
  });

  test("under way with others and with appends loses and doubles nothing", async () => {
    const directory = temporaryDirectory();
    const archive = await openTemporary(directory);
    const work: Promise<unknown>[] = [];
    for (let nth = 0; nth < 30; nth++) {
      work.push(archive.append(several(4, NOON + nth * HOUR)));
      if (nth % 3 === 0) work.push(archive.flush());
      if (nth % 7 === 0) await Promise.all(work);
    }
    await Promise.all(work);
    await archive.flush();
    expect((await stored(directory)).length).toBe(120);
    expect(new Set(await stored(directory)).size).toBe(120);
  });
});

describe("a restart", () => {
  test("brings what a dead writer left into the files, a torn end dropped, also where that was done already", async () => {
    const directory = temporaryDirectory();
    leaveSegment(directory, 4, linesOf(several(3)));
    leaveSegment(
      directory,
      5,
      `${linesOf(several(5))}${formatLine(several(6)[0] as LiveQuote).slice(0, -3)}`,
    );
    const archive = await openTemporary(directory);
    expect((await stored(directory)).length).toBe(5);
    await archive.close();
    leaveSegment(directory, 5, linesOf(several(5)));
    await (await openTemporary(directory)).close();
    expect((await stored(directory)).length).toBe(5);
    expect(existsSync(join(directory, segmentFile(5)))).toBe(false);
  });

  test("tells of damage in what was durable, keeps a copy of it, and keeps every whole line", async () => {
    const directory = temporaryDirectory();
    const lines = linesOf(several(5)).split("\n");
    lines[1] = (lines[1] as string).replace("0.8", "0.9");
    leaveSegment(directory, 1, lines.join("\n"));
    const told: Happening[] = [];
    await openTemporary(directory, { tell: (happening) => told.push(happening) });
    expect(told).toEqual([
      {
        kind: "lake_repaired",
        detail: "1 lines of the journal's segment 1 are damaged; a copy of it was kept",
      },
    ]);
    expect((await stored(directory)).length).toBe(4);
    expect(existsSync(join(directory, segmentFile(1).replace(".log", ".damaged")))).toBe(true);
  });

  test.each(["", "\n", "00000000 \n", "garbage\n\0\0\0"])("survives a segment of %p", async (text) => {
    const directory = temporaryDirectory();
    leaveSegment(directory, 1, text);
    const archive = await openTemporary(directory);
    await archive.append(several(1));
    expect(await archive.flush()).toBe(1);
  });
});

describe("one process at a time", () => {
  test("owns the journal; another is told who, and may read and compact", async () => {
    const directory = temporaryDirectory();
    const archive = await openTemporary(directory);
    expect(openTemporary(directory, { waitSeconds: 0 })).rejects.toThrow(
      /another process writes the intraday archive/,
    );
    await archive.append(several(2));
    await archive.flush();
    const reader = await openTemporary(directory, { access: "read" });
    const window = { base: "USD", symbol: "EUR", from: NOON, to: NOON + HOUR } as const;
    expect(await reader.bars({ ...window, widthSeconds: 3600, order: "asc", limit: 1 })).toMatchObject([
      { ticks: 2 },
    ]);
    expect(await reader.compact({ from: 0, to: 1e5, now: NOON + 2 * DAY })).toEqual([]);
    expect(reader.append(several(1))).rejects.toThrow(/opened for reading/);
    await archive.close();
    await (await openTemporary(directory, { waitSeconds: 0 })).close();
  });

  test("and real and simulated quotes never mix", async () => {
    const directory = temporaryDirectory();
    await (await openTemporary(directory)).close();
    expect(openTemporary(directory, { simulated: true })).rejects.toThrow("real rates");
  });

  test("the archive and the lake share a directory without noticing each other", async () => {
    const directory = temporaryDirectory();
    const archive = await openTemporary(directory);
    await archive.append(several(2));
    await archive.flush();
    const told: Happening[] = [];
    const lake = await openLake({ directory, simulated: false, tell: (happening) => told.push(happening) });
    await lake.close();
    expect(told).toEqual([]);
    await (await openTemporary(directory, { access: "read" })).close();
  });
});

describe("an append", () => {
  const good = several(1)[0] as LiveQuote;
  test.each([
    { mid: "0" },
    { mid: "01.5" },
    { mid: "-1" },
    { mid: "1e3" },
    { mid: "" },
    { mid: "1." },
    { mid: ".5" },
    { mid: "NaN" },
    { mid: "1234567890.123456" },
    { mid: "0.00000000000000000000001" },
    { bid: "1,5" },
    { ask: " 1" },
    { observedAt: Number.NaN },
    { observedAt: 1.5 },
    { retrievedAt: -1 },
    { quote: "USD" as const },
    { quote: "XXX" as "EUR" },
    { feed: "nobody" as "oxr" },
  ])("with %p is refused, and nothing beside it is kept", async (wrong) => {
    const directory = temporaryDirectory();
    const archive = await openTemporary(directory);
    expect(archive.append([good, { ...good, ...wrong }])).rejects.toThrow(RangeError);
    expect(await archive.flush()).toBe(0);
  });

  test("of any digits allowed comes back from its line as it was", () => {
    for (const mid of ["1", "100", "0.1", "158.2500", "0.000000123456789012345", "123456789012345"]) {
      const quote = { ...good, mid, bid: null };
      expect(parseLine(formatLine(quote))).toEqual(quote);
    }
  });
});

test("a date is removed when it is older than the retention, unless the journal has quotes of it", async () => {
  const directory = temporaryDirectory();
  const archive = await openTemporary(directory);
  for (let day = 0; day < 5; day++) await archive.append(several(1, NOON + day * DAY));
  await archive.flush();
  await archive.append([quote("USD/JPY", "150", NOON)]);
  const dates = (kept: readonly string[]) => kept.map((text) => parseDay(text) as number);
  expect(await archive.retain(2, NOON + 4 * DAY)).toEqual(dates(["2026-03-03", "2026-03-04"]));
  expect(manifestIn(directory).files.map((file: { path: string }) => file.path)).toEqual(
    dates(["2026-03-02", "2026-03-05", "2026-03-06"]).map(dateFile),
  );
  await archive.flush();
  expect(await archive.retain(2, NOON + 4 * DAY)).toEqual(dates(["2026-03-02"]));
  expect(await archive.retain(2, NOON + 4 * DAY)).toEqual([]);
  expect((await stored(directory)).length).toBe(2);
  expect(archive.retain(0, NOON)).rejects.toThrow(RangeError);
});

describe("compacting", () => {
  test("rewrites closed dates that this version did not write, keeps their rows, and is done after a few runs", async () => {
    const directory = temporaryDirectory();
    for (let day = 0; day < 3; day++) {
      const path = join(directory, dateFile(dayAt(NOON) + day));
      mkdirSync(dirname(path), { recursive: true });
      const { DuckDBInstance } = await import("@duckdb/node-api");
      const connection = await (await DuckDBInstance.create(":memory:")).connect();
      await connection.run(`COPY (
        SELECT 'oxr' AS feed, 'USD' AS base, 'EUR' AS quote, 0.5 + n / 1e6 AS mid, 6::UTINYINT AS decimals,
          NULL::DOUBLE AS bid, NULL::DOUBLE AS ask, epoch_ms(${NOON + day * DAY} + n * 1000)::TIMESTAMPTZ AS observed_at,
          observed_at AS retrieved_at
        FROM range(5000) AS ticks(n) ORDER BY hash(n)
      ) TO '${path}' (FORMAT parquet)`);
      connection.closeSync();
    }
    const before = await stored(directory);
    const archive = await openTemporary(directory);
    const seen: string[] = [];
    const compaction = {
      from: dayAt(NOON),
      to: dayAt(NOON) + 10,
      now: NOON + 2 * DAY,
      progress: (done: number, total: number) => seen.push(`${done}/${total}`),
    };
    const compacted = await archive.compact(compaction);
    expect(compacted.map(({ date, rows }) => [date - dayAt(NOON), rows])).toEqual([
      [0, 5000],
      [1, 5000],
    ]);
    expect(seen).toEqual(["1/2", "2/2"]);
    const after = await stored(directory);
    expect([...after].sort()).toEqual([...before].sort());
    expect(after.slice(0, 5000)).toEqual(before.slice(0, 5000).sort());
    for (let run = 0; run < 3 && (await archive.compact(compaction)).length > 0; run++);
    expect(await archive.compact(compaction)).toEqual([]);
    expect(await stored(directory)).toEqual(after);
    for (const file of manifestIn(directory).files) {
      const bytes = readFileSync(join(directory, file.path));
      expect(file.bytes).toBe(bytes.length);
      expect(file.sha256).toBe(new Bun.CryptoHasher("sha256").update(bytes).digest("hex"));
    }
  });
});

describe("the manifest", () => {
  test("names every file with its rows, size, digest and range, and a sequence that grows with each change", async () => {
    const directory = temporaryDirectory();
    const archive = await openTemporary(directory);
    expect(manifestIn(directory)).toEqual({ format: 2, mode: "real", sequence: 0, files: [] });
    await archive.append(several(3));
    await archive.flush();
    const path = "intraday/date=2026-03-02/quotes.parquet";
    const bytes = readFileSync(join(directory, path));
    expect(manifestIn(directory)).toEqual({
      format: 2,
      mode: "real",
      sequence: 1,
      files: [
        {
          path,
          rows: 3,
          bytes: bytes.length,
          sha256: new Bun.CryptoHasher("sha256").update(bytes).digest("hex"),
          observed: { first: "2026-03-02T12:00:00.000Z", last: "2026-03-02T12:02:00.000Z" },
        },
      ],
    });
  });

  test.each(["lost", "not JSON", "behind"])("that is %s is made again from the files", async (how) => {
    const directory = temporaryDirectory();
    const archive = await openTemporary(directory);
    await archive.append([...several(3), ...several(2, NOON + DAY)]);
    await archive.flush();
    await archive.close();
    const path = join(directory, "intraday/manifest.json");
    const whole = manifestIn(directory);
    if (how === "lost") rmSync(path);
    if (how === "not JSON") appendFileSync(path, "}");
    if (how === "behind") writeFileSync(path, JSON.stringify({ ...whole, files: whole.files.slice(1) }));
    if (how === "lost") expect(openTemporary(directory, { simulated: true })).rejects.toThrow("real rates");
    else await (await openTemporary(directory)).close();
    expect(manifestIn(directory).files).toEqual(whole.files);
    expect(manifestIn(directory).sequence).toBeGreaterThan(whole.sequence);
  });
});

describe("ticksSelect", () => {
  test("gives the stored quotes of the window and pairs in its documented order, naming only the files it needs", async () => {
    const directory = temporaryDirectory();
    const archive = await openTemporary(directory);
    const quotes = [0, 1, 2].flatMap((day) => [
      ...several(30, NOON + day * DAY),
      ...several(30, NOON + day * DAY, "EUR/USD"),
      ...several(30, NOON + day * DAY, "USD/JPY"),
    ]);
    await archive.append(quotes);
    await archive.flush();
    const select = {
      directory,
      pairs: [["USD", "EUR"]],
      from: NOON + 5 * MINUTE,
      to: NOON + DAY + 3 * MINUTE,
    } as const;
    const read = async (order: "asc" | "desc", pairs: (typeof select)["pairs"] | null) =>
      (await query(directory, ticksSelect({ ...select, pairs, order }).sql)).map(
        (row) => `${row["base"]} ${row["quote"]} ${(row["observed_at"] as Date).getTime()}`,
      );
    expect(ticksSelect({ ...select, order: "asc" }).files).toEqual(
      [0, 1].map((day) => join(directory, dateFile(dayAt(NOON) + day))),
    );
    const inWindow = quotes
      .filter(({ observedAt }) => observedAt >= select.from && observedAt < select.to)
      .sort(
        (a, b) =>
          dayAt(a.observedAt) - dayAt(b.observedAt) ||
          (a.base < b.base ? -1 : a.base > b.base ? 1 : 0) ||
          (a.quote < b.quote ? -1 : a.quote > b.quote ? 1 : 0) ||
          a.observedAt - b.observedAt,
      )
      .map(({ base, quote, observedAt }) => `${base} ${quote} ${observedAt}`);
    expect(await read("asc", null)).toEqual(inWindow);
    expect(await read("desc", null)).toEqual([...inWindow].reverse());
    expect(await read("asc", select.pairs)).toEqual(inWindow.filter((line) => line.startsWith("USD EUR")));
    const nothing = ticksSelect({ ...select, from: 0, to: 1, order: "asc" });
    expect(nothing.files).toEqual([]);
    expect(await query(directory, nothing.sql)).toEqual([]);
  });
});
