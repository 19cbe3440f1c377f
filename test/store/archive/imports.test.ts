/** Files of quotes come into the archive whole or not at all, with the numbers, times and origin that they have. */

import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "#domain/chain/entry.ts";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { BarQuery } from "#domain/history/periods.ts";
import { type FileWishes, QuoteFileFault } from "#domain/live/quote-file.ts";
import type { Archive } from "#store/archive/archive.ts";
import { FILES_LOCK } from "#store/archive/journal/journal.ts";
import { INTRADAY } from "#store/archive/table.ts";
import { repairTable } from "#store/delta/repair.ts";
import { type Add, filesOf, type Snapshot } from "#store/delta/snapshot.ts";
import { flip } from "#test/store/delta/sample.ts";
import { killedChild } from "#test/support/killed-child.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { at, DAY, openTemporary, quote, stored } from "./sample.ts";
import { checkFiles } from "./table-log.ts";

const NOW = at("2026-03-10T12:00:00Z");
const NO_WISHES: FileWishes = { pair: null, offsetMinutes: null, side: null, columns: {} };

async function opened(directory = temporaryDirectory()) {
  return { directory, archive: await openTemporary(directory, { now: () => NOW }) };
}

function file(directory: string, name: string, text: string): string {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

interface Rest {
  readonly name?: string;
  readonly wishes?: Partial<FileWishes>;
  readonly from?: number;
  readonly reference?: number;
  readonly label?: string;
}

async function imported(archive: Archive, path: string, { wishes, from = 0, reference, label }: Rest = {}) {
  return await archive.importQuotes({
    ...{ path, from, label: label ?? null, progress: () => {} },
    wishes: { ...NO_WISHES, ...wishes },
    reference: () => reference ?? null,
  });
}

const bars = (archive: Archive, query: Partial<BarQuery> & { base: CurrencyCode; symbol: CurrencyCode }) =>
  archive.bars({
    ...{ from: at("2026-01-05T00:00:00Z"), to: at("2026-01-07T00:00:00Z"), widthSeconds: 60 },
    ...{ order: "asc", limit: 10_000, ...query },
  });

const MINUTES = `20260105 190000;1.100000;1.100300;1.099900;1.100200;0
20260105 190100;1.100200;1.100200;1.100200;1.100200;0
20260105 190300;1.100100;1.100500;1.100100;1.100500;0
`;

describe("minutes of HistData", () => {
  test("bars of a minute are the rows of the file, at Eastern Standard Time", async () => {
    const { directory, archive } = await opened();
    const path = file(directory, "DAT_ASCII_EURUSD_M1_2026.csv", MINUTES);
    const { import: made, isNew, rows } = await imported(archive, path, { label: "HistData" });
    expect({ isNew, rows }).toEqual({ isNew: true, rows: 3 });
    expect(made).toMatchObject({
      ...{ file: "DAT_ASCII_EURUSD_M1_2026.csv", base: "EUR", quote: "USD", rows: "minutes", price: "bid" },
      ...{ first: at("2026-01-06T00:00:00Z"), label: "HistData", importedAt: NOW },
      sha256: sha256(MINUTES),
    });
    const found = await bars(archive, { base: "EUR", symbol: "USD" });
    expect(
      found.map(({ start, open, high, low, close, imported: is }) => [start, open, high, low, close, is]),
    ).toEqual([
      [at("2026-01-06T00:00:00Z"), 1.1, 1.1003, 1.0999, 1.1002, true],
      [at("2026-01-06T00:01:00Z"), 1.1002, 1.1002, 1.1002, 1.1002, true],
      [at("2026-01-06T00:03:00Z"), 1.1001, 1.1005, 1.1001, 1.1005, true],
    ]);
    const [hour] = await bars(archive, { base: "EUR", symbol: "USD", widthSeconds: 3600 });
    expect(hour).toMatchObject({ open: 1.1, high: 1.1005, low: 1.0999, close: 1.1005 });
    expect(archive.imports(made.first, made.last)).toEqual([made]);
    checkFiles(directory);
  });

  test("highs and lows have no instant of their own: crosses are of opens and closes", async () => {
    const { directory, archive } = await opened();
    await imported(archive, file(directory, "EURUSD.csv", "20260105 190000;1.1;1.2;1.0;1.1;0\n"));
    await imported(archive, file(directory, "USDJPY.csv", "20260105 190000;150;160;140;151;0\n"));
    const [bar] = await bars(archive, { base: "EUR", symbol: "JPY" });
    expect(bar).toMatchObject({ open: 165, high: 166.1, low: 165, close: 166.1, imported: true });
  });
});

describe("ticks", () => {
  test("bid, ask and their exact mean keep their digits, several of an instant their order", async () => {
    const { directory, archive } = await opened();
    const text =
      "20260105 190000660,1.10000,1.10005,0\r\n20260105 190000660,1.10010,1.10020,0\r\n20260105 190001000,1.1,1.10003,0\r\n";
    await imported(archive, file(directory, "DAT_ASCII_EURUSD_T_202601.csv", text));
    const first = at("2026-01-06T00:00:00.660Z");
    expect(await stored(directory)).toEqual([
      `imported EUR USD ${first} ${NOW} 1.1 1.10005 1.100025`,
      `imported EUR USD ${first} ${NOW + 1} 1.1001 1.1002 1.10015`,
      `imported EUR USD ${first + 340} ${NOW} 1.1 1.10003 1.100015`,
    ]);
  });

  test("of Dukascopy, with ask before bid and times in UTC", async () => {
    const { directory, archive } = await opened();
    const text = "Gmt time,Ask,Bid,AskVolume,BidVolume\n05.01.2026 19:00:00.123,1.10005,1.10001,1,2\n";
    const { import: made } = await imported(archive, file(directory, "EURUSD_Ticks_05.01.2026.csv", text));
    expect(made).toMatchObject({ rows: "ticks", price: "both", first: at("2026-01-05T19:00:00.123Z") });
    expect((await stored(directory))[0]).toEndWith("1.10001 1.10005 1.10003");
  });

  test("of a CSV file with columns of other names, in a zone that is said", async () => {
    const { directory, archive } = await opened();
    const text = "Last;Date\n17.25;2026-01-05 19:00:00\n17.26;2026-01-05 19:00:01\n";
    const wishes = {
      ...{ pair: ["USD", "MXN"] as const, offsetMinutes: -360, side: "mid" as const },
      columns: { time: "Date", price: "Last" },
    };
    const { import: made } = await imported(archive, file(directory, "desk.csv", text), { wishes });
    expect(made).toMatchObject({ price: "mid", first: at("2026-01-06T01:00:00Z"), quotes: 2 });
  });
});

test("bars of one side are of what was delivered: of bids alone there is no ask, of a mid neither", async () => {
  const { directory, archive } = await opened();
  const text = "20260105 190000000,1.1000,1.1004,0\n20260105 190030000,1.0998,1.1001,0\n";
  await imported(archive, file(directory, "EURUSD.csv", text));
  await imported(archive, file(directory, "USDJPY.csv", "20260105 190000000,150,160,0\n"));
  await imported(archive, file(directory, "GBPUSD.csv", "20260105 190000;1.3;1.32;1.29;1.31;0\n"));
  await archive.append([
    quote("USD/CHF", "0.9", at("2026-01-06T00:00:10Z")),
    quote("USD/CHF", "0.92", at("2026-01-06T00:00:20Z"), { bid: "0.91", ask: "0.93" }),
  ]);
  const closes = async (base: CurrencyCode, symbol: CurrencyCode) => {
    const found = [];
    for (const side of ["bid", "ask", "mid"] as const)
      found.push(
        (await bars(archive, { base, symbol, side })).map(({ high, close, ticks }) => [high, close, ticks]),
      );
    return found;
  };
  expect(await closes("EUR", "USD")).toEqual([
    [[1.1, 1.0998, 2]],
    [[1.1004, 1.1001, 2]],
    [[1.1002, 1.09995, 2]],
  ]);
  // One over the other side, to ten digits.
  expect(await closes("USD", "EUR")).toEqual([
    [[0.909008272, 0.909008272, 2]],
    [[0.9092562284, 0.9092562284, 2]],
    [[0.9091322333, 0.9091322333, 2]],
  ]);
  expect((await closes("EUR", "JPY")).slice(0, 2)).toEqual([[[165, 164.97, 2]], [[176.064, 176.016, 2]]]);
  expect((await closes("GBP", "USD")).map((found) => found.length)).toEqual([1, 0, 1]);
  expect(await closes("USD", "CHF")).toEqual([[[0.91, 0.91, 1]], [[0.93, 0.93, 1]], [[0.92, 0.92, 2]]]);
  await archive.flush();
  expect((await closes("USD", "CHF"))[0]).toEqual([[0.91, 0.91, 1]]);
});

test("the same file again changes nothing, and overlapping rows of another one are refused", async () => {
  const { directory, archive } = await opened();
  const path = file(directory, "EURUSD.csv", MINUTES);
  const { import: made } = await imported(archive, path);
  const version = archive.table.latest()?.version;
  expect(await imported(archive, file(directory, "EURUSD again.csv", MINUTES))).toEqual({
    import: made,
    isNew: false,
    rows: 0,
  });
  const longer = file(directory, "EURUSD longer.csv", `${MINUTES}20260105 190400;1.1;1.1;1.1;1.1;0\n`);
  expect(imported(archive, longer)).rejects.toThrow(
    "has EUR/USD from 2026-01-06T00:00:00Z to 2026-01-06T00:03:59.999Z by EURUSD.csv",
  );
  expect(archive.table.latest()?.version).toBe(version);
  const later = file(directory, "EURUSD later.csv", "20260105 190400;1.1;1.1;1.1;1.1;0\n");
  expect((await imported(archive, later)).isNew).toBe(true);
  expect((await bars(archive, { base: "EUR", symbol: "USD" })).length).toBe(4);
});

test("the same file again is refused where a repair has left a part of its quotes, until that is removed", async () => {
  const { directory, archive } = await opened();
  const path = file(directory, "EURUSD.csv", `${MINUTES}20260106 190000;1.1;1.1;1.1;1.1;0\n`);
  const { import: made } = await imported(archive, path);
  const whole = await stored(directory);
  const [first] = filesOf(archive.table.latest() as Snapshot);
  flip(archive.table.pathOf(first as Add));
  await archive.close();
  await repairTable(directory, INTRADAY, [FILES_LOCK], NOW, true);
  const { archive: repaired } = await opened(directory);
  await expect(imported(repaired, path)).rejects.toThrow(
    `a repair has left 1 of its 8 quotes in the archive; crossrate import remove ${made.sha256}, and import it again`,
  );
  expect((await imported(repaired, path, { from: made.first + 1 })).isNew).toBe(false);
  expect(await repaired.removeImport(made.sha256)).toMatchObject({ quotes: 1, dates: 1 });
  expect((await imported(repaired, path)).isNew).toBe(true);
  expect(await stored(directory)).toEqual(whole);
});

test("what a live feed said is never replaced: in its minutes bars are of its quotes alone", async () => {
  const { directory, archive } = await opened();
  const live = [
    quote("USD/EUR", "0.9", at("2026-01-06T00:01:30Z")),
    quote("EUR/USD", "1.2", at("2026-01-06T00:03:10Z"), { feed: "oanda" }),
  ];
  await archive.append(live.slice(0, 1));
  await archive.flush();
  await archive.append(live.slice(1));
  const before = await archive.quotes(at("2026-01-05T00:00:00Z"), at("2026-01-07T00:00:00Z"));
  await imported(archive, file(directory, "EURUSD.csv", MINUTES));
  const closes = async () =>
    (await bars(archive, { base: "EUR", symbol: "USD" })).map(
      ({ close, ticks, imported: is = false }) => `${close} ${ticks} ${is}`,
    );
  const expected = ["1.1002 4 true", "1.111111111 1 false", "1.2 1 false"];
  expect(await closes()).toEqual(expected);
  await archive.flush();
  expect(await closes()).toEqual(expected);
  // The hot book is filled from these after a restart: an imported quote is never served as live.
  expect(await archive.quotes(at("2026-01-05T00:00:00Z"), at("2026-01-07T00:00:00Z"))).toEqual(before);
  expect(
    (await archive.newest(at("2026-01-05T00:00:00Z"), at("2026-01-07T00:00:00Z"))).map(({ feed }) => feed),
  ).toEqual(["oanda"]);
  checkFiles(directory);
});

const TICK = "20260105 190000000,1.1,1.2,0\n";
const CSV = "time,bid,ask\n";
const ZONED = `${CSV}2026-01-05T19:00:00Z,1.1,1.2\n`;
const HOURS = "20260105 190000;1.1;1.1;1.1;1.1;0\n20260105 200000;1.1;1.1;1.1;1.1;0\n";
/** Ten days in a row. */
const DAYS = Array.from({ length: 10 }, (_, day) =>
  TICK.replace("05", String(5 + day).padStart(2, "0")),
).join("");
const FEBRUARY = at("2026-02-01T00:00:00Z");

const FAULTS: readonly (readonly [what: string, text: string, message: string, rest?: Rest])[] = [
  ["a price that is not a number", `${TICK}20260105 190001000,NaN,1.2,0\n`, 'line 2: "NaN" is not a price'],
  ["a price with an exponent", `${TICK}20260105 190001000,1e0,1.2,0\n`, 'line 2: "1e0" is not a price'],
  ["a price of zero", `${TICK}20260105 190001000,0.000,1.2,0\n`, 'line 2: "0.000" is not a price'],
  ["more digits than a price has", "20260105 190001000,1.234567890123456,2,0\n", "line 1:"],
  ["a bid above the ask", `${TICK}20260105 190001000,1.21,1.2,0\n`, "line 2: its bid 1.21 is above"],
  ["a time before the row before", `${TICK}20260105 185959999,1.1,1.2,0\n`, "line 2: 2026-01-05T23:59:59"],
  ["a minute twice", `${MINUTES}20260105 190300;1.1;1.1;1.1;1.1;0\n`, "line 4: 2026-01-06T00:03:00.000Z"],
  ["a day that does not exist", `${TICK}20260230 190001000,1.1,1.2,0\n`, "line 2:"],
  ["a time in another form", `${TICK}2026-01-05 19:00:01,1.1,1.2,0\n`, "line 2:"],
  ["a time of another zone", `${ZONED}2026-01-05T19:00:01+01:00,1.1,1.2\n`, "line 3:"],
  ["a zone that is not that of --zone", ZONED, "line 2: the zone", { wishes: { offsetMinutes: 60 } }],
  ["no zone", `${CSV}2026-01-05T19:00:00,1.1,1.2\n`, "line 2: its times have no zone"],
  ["no pair", TICK, "line 1: the name of the file has no pair", { name: "desk.csv" }],
  ["another pair than the name has", TICK, "line 1: --pair GBP/USD", { wishes: { pair: ["GBP", "USD"] } }],
  ["a cross", TICK, "line 1: EUR/JPY: quotes are against the dollar", { name: "EURJPY.csv" }],
  ["no side", "time,price\n2026-01-05T19:00:00Z,1.1\n", "line 1: does not say what its prices are"],
  ["a high below the close", "20260105 190000;1.1;1.1;1.0;1.2;0\n", "line 1: its open or close"],
  ["hours instead of minutes", HOURS, "line 2: no two rows are a minute apart"],
  ["quotes of yesterday", "20260309 190000000,1.1,1.2,0\n", "line 1: 2026-03-10T00:00:00.000Z is outside"],
  ["quotes older than what is kept", TICK, "line 1: 2026-01-06T00:00:00.000Z is outside", { from: FEBRUARY }],
  ["prices far from the reference rates", TICK, "line 1: 1.1 is not between", { reference: 0.8 }],
  [
    "the days of another pair near it",
    DAYS,
    "line 10: the first prices of its 10 days are 1.068 times their daily references, in the median: is it EUR/USD?",
    { reference: 1.03 },
  ],
  ["a row cut short", `${TICK}20260105 190001000,1.1\n`, "line 2: has 2 columns, not 3"],
  ["a file without a row", CSV, "line 2:"],
  ["a zip", "PK\u0003\u0004", "line 1: is an archive", { name: "EURUSD.zip" }],
];

describe("a file with a fault changes nothing:", async () => {
  const { directory, archive } = await opened();
  test.each(FAULTS)(
    "%s is refused by its line",
    async (_, text, message, { name = "EURUSD.csv", ...rest } = {}) => {
      const version = archive.table.latest()?.version;
      const fault = await imported(archive, file(directory, name, text), rest).catch(
        (reason: unknown) => reason,
      );
      expect(fault).toBeInstanceOf(QuoteFileFault);
      expect((fault as Error).message).toStartWith(message);
      expect(archive.table.latest()?.version).toBe(version);
      expect(readdirSync(join(directory, "intraday")).filter((each) => each.startsWith("date="))).toEqual([]);
      expect(existsSync(join(directory, "intraday/.import"))).toBe(false);
    },
  );
});

test("an importer that is killed leaves the whole file or nothing; a removal of all its days is one commit", async () => {
  const random = seededRandom(Number(process.env["KILL_SEED"] ?? 11));
  const directory = temporaryDirectory();
  const days = 40;
  const rows = Array.from({ length: days * 24 }, (_, hour) => {
    const time = new Date(at("2026-01-01T00:00:00Z") + (hour * DAY) / 24).toISOString();
    return `${time.slice(0, 19)},1.1,1.2`;
  });
  const path = file(directory, "EURUSD.csv", `${CSV}${rows.join("\n")}\n`);
  const lake = join(directory, "lake");
  const child = join(import.meta.dir, "import-child.ts");
  let killed = 0;
  for (let round = 0; round < 8; round++) {
    await killedChild(child, [lake, path, String(NOW)], random() * 900);
    const { archive } = await opened(lake);
    const done = archive.imports(0, NOW).length;
    expect(await archive.audit()).toEqual([]);
    await archive.close();
    expect((await stored(lake)).length).toBe(done * rows.length);
    if (done === 1) break;
    killed += 1;
  }
  console.log(`import kill test: ${killed} died before their commit`);
  const { archive } = await opened(lake);
  await imported(archive, path, { wishes: { offsetMinutes: 0 } });
  expect((await stored(lake)).length).toBe(rows.length);
  checkFiles(lake);
  const version = archive.table.latest()?.version as number;
  expect(await archive.removeImport("EURUSD.csv")).toMatchObject({ dates: days });
  expect(archive.table.latest()?.version).toBe(version + 1);
  checkFiles(lake);
});

describe("an import that is removed", () => {
  test("takes its own quotes with it, and the file can be imported again", async () => {
    const { directory, archive } = await opened();
    const path = file(directory, "EURUSD.csv", MINUTES);
    const { import: made } = await imported(archive, path);
    await archive.append([quote("USD/EUR", "0.9", at("2026-01-06T00:01:30Z"))]);
    await archive.flush();
    await imported(archive, file(directory, "USDJPY.csv", "20260105 190000;150;160;140;151;0\n"));
    await imported(archive, file(directory, "EURUSD later.csv", "20260106 190000;1.1;1.1;1.1;1.1;0\n"));
    const kept = (await stored(directory)).filter((row) => !row.startsWith("imported EUR USD 17676"));
    expect(await archive.removeImport("EURUSD.csv")).toEqual({ removed: made, quotes: 7, dates: 1 });
    expect(await stored(directory)).toEqual(kept);
    const closes = async () =>
      (await bars(archive, { base: "EUR", symbol: "USD", to: at("2026-01-08T00:00:00Z") })).map(
        ({ close, imported: is = false }) => `${close} ${is}`,
      );
    expect(await closes()).toEqual(["1.111111111 false", "1.1 true"]);
    expect(archive.imports(0, NOW).map((each) => each.file)).toEqual(["USDJPY.csv", "EURUSD later.csv"]);
    checkFiles(directory);

    expect((await imported(archive, path)).isNew).toBe(true);
    expect(await closes()).toEqual(["1.1002 true", "1.111111111 false", "1.1005 true", "1.1 true"]);
  });

  test("is one that has the name alone: otherwise nothing changes, and those to choose from are named", async () => {
    const { directory, archive } = await opened();
    const first = await imported(archive, file(directory, "EURUSD.csv", MINUTES));
    const second = await imported(
      archive,
      file(directory, "EURUSD.csv", "20260106 190000;1.1;1.1;1.1;1.1;0\n"),
    );
    const both = { removed: null, imports: [first.import, second.import] };
    expect(await archive.removeImport("USDJPY.csv")).toEqual(both);
    expect(await archive.removeImport("EURUSD.csv")).toEqual(both);
    expect(await archive.removeImport(second.import.sha256)).toMatchObject({ quotes: 1, dates: 1 });
    expect(await archive.removeImport("EURUSD.csv")).toMatchObject({ removed: first.import });
    expect(await stored(directory)).toEqual([]);
    expect(archive.dates()).toEqual([]);
  });
});
