/** The digits of a quote: whatever way it took through the archive, bid, ask and mid are printed as they were accepted. */

import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { seededRandom } from "#test/support/seeded-random.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { at, DAY, HOUR, quote, randomDigits } from "./sample.ts";
import { openTemporary } from "./temporary.ts";

const NOON = at("2026-03-02T12:00:00Z");
const SEED = Number(process.env["DIGITS_SEED"] ?? 11);
const ALL = [0, NOON + 1000 * DAY] as const;

/** A date's file of an early version, which the archive converts when it is opened: `columns` of one row. */
async function earlyFile(directory: string, date: string, columns: string): Promise<void> {
  const path = join(directory, `intraday/date=${date}/quotes.parquet`);
  mkdirSync(dirname(path), { recursive: true });
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(`COPY (SELECT ${columns}) TO '${path}' (FORMAT parquet)`);
  connection.closeSync();
  instance.closeSync();
}

function withoutExtraDecimals(observedAt: number): string {
  return `epoch_ms(${observedAt})::TIMESTAMPTZ AS observed_at, epoch_ms(${observedAt + 800})::TIMESTAMPTZ AS retrieved_at,
    'oanda' AS feed, 'EUR' AS base, 'USD' AS quote, 1.1052::DOUBLE AS bid, 0.00000215::DOUBLE AS ask,
    1.1053::DOUBLE AS mid, 5::UTINYINT AS decimals`;
}

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

  test("of a bid and an ask in a file that does not record their number are the fewest that give the double", async () => {
    const directory = temporaryDirectory();
    await earlyFile(directory, "2026-03-02", withoutExtraDecimals(NOON));
    await earlyFile(directory, "2026-03-03", withoutExtraDecimals(NOON + DAY));
    const archive = await openTemporary(directory);
    const old = {
      ...quote("EUR/USD", "", NOON),
      feed: "oanda" as const,
      bid: "1.1052",
      ask: "0.00000215",
      mid: "1.10530",
    };
    await archive.append([quote("USD/JPY", "1.0", NOON + 1, { bid: "1.0", ask: "1.00" })]);
    for (const step of ["flush", "flush again", "read"]) {
      expect((await archive.quotes(...ALL))[0]).toEqual(old);
      expect((await archive.quotes(...ALL))[1]).toMatchObject({ bid: "1.0", ask: "1.00" });
      if (step !== "read") await archive.flush();
    }
    expect(await archive.newest(...ALL)).toMatchObject([{ ask: "1.00" }, { bid: "1.1052" }]);
    expect((await archive.quotes(...ALL)).length).toBe(3);
  });

  test("quotes of a feed that is unknown to this version are left out", async () => {
    const directory = temporaryDirectory();
    await earlyFile(directory, "2026-03-02", withoutExtraDecimals(NOON).replace("'oanda'", "'telex'"));
    const archive = await openTemporary(directory);
    expect(await archive.quotes(...ALL)).toEqual([]);
    expect(await archive.newest(...ALL)).toEqual([]);
  });
});
