/** The digits of a quote: whatever way it took through the archive, bid, ask and mid are printed as they were accepted. */

import { describe, expect, test } from "bun:test";
import type { FeedId } from "#domain/live/live-quote.ts";
import { mergeQuotes } from "#store/archive/changes.ts";
import type { Snapshot } from "#store/delta/snapshot.ts";
import { withEngine } from "#store/parquet/engine.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { at, DAY, HOUR, quote, randomDigits } from "./sample.ts";
import { openTemporary } from "./temporary.ts";

const NOON = at("2026-03-02T12:00:00Z");
const SEED = Number(process.env["DIGITS_SEED"] ?? 11);
const ALL = [0, NOON + 1000 * DAY] as const;

describe("digits", () => {
  const LENGTHS = [
    "1",
    "100",
    "1.0",
    "1.10520",
    "0.8000",
    "158.250",
    "0.000001",
    "0.00000100",
    "0.000000123456789012345",
    "0.0000000000000000000001",
    "0.100000000000000",
    "999999999999999",
    "123456789.012345",
    "0.999999999999999",
    "1.00000000000000",
    "9.99999999999999",
    "16899.9999999999",
    "0.30000000000000",
    "0.00000118",
  ];

  test("of bid, ask and mid come back as accepted: from the journal, after a flush, and after another flush", async () => {
    const archive = await openTemporary();
    const random = seededRandom(SEED);
    const texts = [...LENGTHS, ...Array.from({ length: 2000 }, () => randomDigits(random))];
    const pick = () => texts[Math.floor(random() * texts.length)] as string;
    const quotes = texts.map((mid, nth) =>
      quote("USD/EUR", mid, NOON + nth, nth % 3 === 0 ? {} : { bid: pick(), ask: pick() }),
    );
    const bounds = [NOON, NOON + texts.length] as const;
    await archive.append(quotes);
    expect(await archive.quotes(...bounds)).toEqual(quotes);
    await archive.flush();
    expect(await archive.quotes(...bounds)).toEqual(quotes);
    await archive.append([quote("USD/EUR", "0.8", NOON + HOUR)]);
    await archive.flush();
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
});
