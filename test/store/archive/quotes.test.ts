/** Quotes read back: every one of a window, and the newest of each currency, wherever they lie at the moment. */

import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { currencyIndex } from "#domain/currency/currency.ts";
import type { QuotesPlan } from "#domain/history/rate-columns.ts";
import { FEEDS, type FeedId, type LiveQuote } from "#domain/live/live-quote.ts";
import { dayAt } from "#domain/time/day.ts";
import type { Archive } from "#store/archive/archive.ts";
import { mergeQuotes } from "#store/archive/changes.ts";
import { readSegment } from "#store/archive/journal/journal.ts";
import { selectOf } from "#store/archive/quotes.ts";
import type { Snapshot } from "#store/delta/snapshot.ts";
import { withEngine } from "#store/parquet/engine.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { words } from "#test/support/words.ts";
import {
  at,
  DAY,
  HOUR,
  leaveSegment,
  linesOf,
  MINUTE,
  openTemporary,
  query,
  quote,
  randomDigits,
} from "./sample.ts";
import { partOf } from "./table-log.ts";

const NOON = at("2026-03-02T12:00:00Z");
const SEED = Number(process.env["QUOTES_SEED"] ?? 11);
const ALL = [0, NOON + 1000 * DAY] as const;

const EUR = quote("EUR/USD", "1.1053", NOON, { bid: "1.10520", ask: "1.10540", feed: "oanda" });
const JPY = quote("USD/JPY", "158.250", NOON + MINUTE, { feed: "massive" });
const GBP = quote("USD/GBP", "0.7400", NOON + 2 * MINUTE);

function currencyIn({ base, quote }: LiveQuote): string {
  return base === "USD" ? quote : base;
}

/** Sortable text of what the order of quotes rests on. */
function placeOf(of: LiveQuote): string {
  const [observed, retrieved] = [of.observedAt, of.retrievedAt].map((instant) =>
    String(instant).padStart(15, "0"),
  );
  return `${observed} ${currencyIn(of)} ${retrieved} ${of.feed} ${of.base} ${of.quote}`;
}

function inPlace(quotes: readonly LiveQuote[], from: number, to: number): readonly LiveQuote[] {
  return quotes
    .filter(({ observedAt }) => observedAt >= from && observedAt < to)
    .toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

function lastOfEach(inOrder: readonly LiveQuote[]): readonly LiveQuote[] {
  return inOrder.filter(
    (of, nth) => !inOrder.slice(nth + 1).some((later) => currencyIn(later) === currencyIn(of)),
  );
}

async function flushed(archive: Archive, ...quotes: readonly LiveQuote[]): Promise<void> {
  await archive.append(quotes);
  await archive.flush();
}

test("exports select the quotes of a window and its pairs in the order of the files, or exactly the other way round", async () => {
  const directory = temporaryDirectory();
  const archive = await openTemporary(directory);
  const stored = [0, 1].flatMap((nth) =>
    ["EUR/USD", "USD/EUR", "USD/JPY"].flatMap((pair) =>
      [0, 1, 1, 2].map((minute, lag) => {
        const observed = NOON + nth * DAY + minute * MINUTE;
        return quote(pair, `0.${lag + 1}`, observed, { retrievedAt: observed + lag });
      }),
    ),
  );
  await flushed(archive, ...stored);
  const window = { from: NOON + MINUTE, to: NOON + DAY + 2 * MINUTE };
  const read = async (
    order: QuotesPlan["order"],
    pairs: QuotesPlan["pairs"] = null,
    { from, to } = window,
  ) => {
    const rows = await query(directory, await selectOf(archive, { kind: "quotes", pairs, from, to, order }));
    return rows.map(
      ({ base, quote, mid, observed_at }) => `${base} ${quote} ${mid} ${Date.parse(`${observed_at}:00`)}`,
    );
  };
  const expected = stored
    .filter(({ observedAt }) => observedAt >= window.from && observedAt < window.to)
    .map(({ base, quote, mid, observedAt }) => `${base} ${quote} ${mid} ${observedAt}`);
  expect(await read("asc")).toEqual(expected);
  expect(await read("desc")).toEqual(expected.toReversed());
  const yen = expected.filter((line) => line.includes("JPY"));
  expect(await read("asc", [[currencyIndex("USD"), currencyIndex("JPY")]])).toEqual(yen);
  expect(await read("asc", [])).toEqual([]);
  expect(await read("asc", null, { from: 0, to: NOON - DAY })).toEqual([]);
});

describe("quotes of a window", () => {
  test("are of whole milliseconds, or refused", async () => {
    const archive = await openTemporary();
    expect(archive.quotes(NOON, NOON + 0.5)).rejects.toThrow(RangeError);
    expect(archive.newest(Number.NEGATIVE_INFINITY, NOON)).rejects.toThrow(RangeError);
  });

  test("read no file that the window does not meet", async () => {
    const directory = temporaryDirectory();
    const archive = await openTemporary(directory);
    await flushed(archive, EUR, { ...JPY, observedAt: NOON - DAY }, { ...JPY, observedAt: NOON + DAY });
    for (const date of ["2026-03-01", "2026-03-03"]) writeFileSync(partOf(directory, date), "not Parquet");
    const noon = dayAt(NOON) * DAY;
    expect(await archive.quotes(noon, noon + DAY)).toEqual([EUR]);
    expect(await archive.newest(noon, noon + DAY)).toEqual([EUR]);
    expect(archive.quotes(noon - 1, noon + DAY)).rejects.toThrow();
  });
});

describe("a reader", () => {
  test("sees what the writer has flushed so far, and nothing of its journal", async () => {
    const directory = temporaryDirectory();
    const writer = await openTemporary(directory);
    const reader = await openTemporary(directory, { access: "read" });
    expect(await reader.quotes(...ALL)).toEqual([]);
    await flushed(writer, EUR);
    expect(await reader.quotes(...ALL)).toEqual([EUR]);
    await flushed(writer, JPY);
    await writer.append([GBP]);
    expect(await reader.quotes(...ALL)).toEqual([EUR, JPY]);
    expect(await reader.newest(...ALL)).toEqual([EUR, JPY]);
    await flushed(writer, { ...EUR, observedAt: NOON + HOUR });
    expect((await writer.retain(1, NOON + DAY)).length).toBe(1);
    expect(await reader.newest(...ALL)).toEqual([]);
  });

  test("meets every quote once while the writer flushes and cleans up under it", async () => {
    const directory = temporaryDirectory();
    const writer = await openTemporary(directory);
    const reader = await openTemporary(directory, { access: "read" });
    const quotes = Array.from({ length: 8 }, (_, nth) => quote("USD/EUR", `0.8${nth}`, NOON + nth * MINUTE));
    const work = async () => {
      for (const of of quotes) await flushed(writer, of);
      await writer.upkeep();
    };
    await flushed(writer, quotes[0] as LiveQuote);
    let writing = true;
    const flushing = work().finally(() => {
      writing = false;
    });
    let least = 0;
    while (writing) {
      const seen = await reader.quotes(...ALL);
      expect(seen).toEqual(quotes.slice(0, seen.length));
      expect(seen.length).toBeGreaterThanOrEqual(least);
      least = seen.length;
      const known = await writer.quotes(...ALL);
      expect(known).toEqual(quotes.slice(0, known.length));
      expect(known.length).toBeGreaterThanOrEqual(least);
    }
    await flushing;
    expect(await reader.quotes(...ALL)).toEqual(quotes);
  });
});

const LENGTHS = words(`
  1 100 1.0 1.10520 0.8000 158.250 0.000001 0.00000100 0.000000123456789012345 0.0000000000000000000001
  0.100000000000000 999999999999999 123456789.012345 0.999999999999999 1.00000000000000 9.99999999999999
  16899.9999999999 0.30000000000000 0.00000118
`);

test("the digits of bid, ask and mid come back as accepted: from the journal, after a flush, and after another flush", async () => {
  const directory = temporaryDirectory();
  const random = seededRandom(SEED);
  const texts = [...LENGTHS, ...Array.from({ length: 2000 }, () => randomDigits(random))];
  const pick = () => texts[Math.floor(random() * texts.length)] as string;
  const quotes = texts.map((mid, nth) =>
    quote("USD/EUR", mid, NOON + nth, nth % 3 === 0 ? {} : { bid: pick(), ask: pick() }),
  );
  const bounds = [NOON, NOON + texts.length] as const;
  leaveSegment(directory, 1, linesOf(quotes));
  expect(readSegment(linesOf(quotes))).toEqual({ quotes, broken: 0 });
  const archive = await openTemporary(directory);
  expect(await archive.quotes(...bounds)).toEqual(quotes);
  await flushed(archive, quote("USD/EUR", "0.8", NOON + HOUR));
  expect(await archive.quotes(...bounds)).toEqual(quotes);
});

test("quotes of a feed that is unknown to this version are left out", async () => {
  const archive = await openTemporary();
  const { table } = archive;
  const before = table.latest();
  const foreign = { ...quote("USD/EUR", "0.8", NOON), feed: "telex" as FeedId };
  const { actions } = await withEngine(table.directory, (connection) =>
    mergeQuotes(connection, table, before as Snapshot, [foreign], NOON),
  );
  await table.commit(before, actions, "WRITE", NOON);
  expect(archive.dates().length).toBe(1);
  expect(await archive.quotes(...ALL)).toEqual([]);
  expect(await archive.newest(...ALL)).toEqual([]);
});

test(`on random appends and flushes both agree with a plain list, read by owner and reader (QUOTES_SEED=${SEED})`, async () => {
  const random = seededRandom(SEED);
  const integer = (below: number) => Math.floor(random() * below);
  const directory = temporaryDirectory();
  const archive = await openTemporary(directory);
  const reader = await openTemporary(directory, { access: "read" });
  const accepted = new Map<string, LiveQuote>();
  for (let round = 0; round < 8; round++) {
    const made = Array.from({ length: 40 }, () => {
      const pair = ["USD/EUR", "EUR/USD", "USD/JPY", "USD/IDR"][integer(4)] as string;
      const observedAt = NOON + integer(3) * DAY + integer(30) * HOUR + integer(2);
      const feed = FEEDS[integer(FEEDS.length)] as LiveQuote["feed"];
      return quote(pair, randomDigits(random), observedAt, { feed, retrievedAt: observedAt + integer(2) });
    });
    await archive.append(made);
    for (const of of made) if (!accepted.has(placeOf(of))) accepted.set(placeOf(of), of);
    if (round % 3 === 2) await archive.flush();
    for (let nth = 0; nth < 5; nth++) {
      const from = NOON - HOUR + integer(100) * HOUR;
      const to = from + 1 + integer(100) * HOUR;
      const wanted = inPlace([...accepted.values()], from, to);
      expect(await archive.quotes(from, to)).toEqual(wanted);
      expect(await archive.newest(from, to)).toEqual(lastOfEach(wanted));
    }
  }
  await archive.flush();
  const all = inPlace([...accepted.values()], ...ALL);
  expect(await reader.quotes(...ALL)).toEqual(all);
  expect(await reader.newest(...ALL)).toEqual(lastOfEach(all));
});
