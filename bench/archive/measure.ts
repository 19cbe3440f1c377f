/** What the intraday archive costs: bars over a quarter, a flush into a full day, an append, a reopening. Run: bun bench/archive/measure.ts */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { CURRENCY_CODES, type CurrencyCode } from "#domain/currency/currency.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { type Archive, openQuoteArchive } from "#store/archive/archive.ts";
import { ticksSelect } from "#store/archive/quotes.ts";

const DAYS = Number(process.env["DAYS"] ?? 90);
const MINUTES = 1500;
const DAY = 86_400_000;
const FIRST = Date.parse("2026-01-01T00:00:00Z");
const TODAY = FIRST + DAYS * DAY;
const QUOTES = CURRENCY_CODES.filter((code) => code !== "USD");

const directory = mkdtempSync(join(tmpdir(), "crossrate-bench-"));
try {
  await generate();
  await measure();
} finally {
  rmSync(directory, { recursive: true });
}

/** Closed dates with a quote of each currency every MINUTES-th of a day. */
async function generate(): Promise<void> {
  const archive = await openQuoteArchive({ directory, simulated: true, access: "write" });
  for (let nth = 0; nth < DAYS; nth++) {
    const start = FIRST + nth * DAY;
    const quotes = Array.from({ length: MINUTES }, (_, at) =>
      minute(start + Math.floor((at * DAY) / MINUTES)),
    );
    await archive.append(quotes.flat());
    await archive.flush();
  }
  await archive.close();
}

async function measure(): Promise<void> {
  let archive = await openQuoteArchive({ directory, simulated: true, access: "write" });
  const window = { from: TODAY - 90 * DAY, to: TODAY };

  for (const [base, symbol] of [
    ["USD", "EUR"],
    ["GBP", "USD"],
    ["EUR", "JPY"],
  ] as const) {
    for (const widthSeconds of [3600, 86_400, 60]) {
      const query = { base, symbol, ...window, widthSeconds, order: "asc", limit: 1e9 } as const;
      const cold = base === "EUR" || widthSeconds === 3600 ? await times(1, () => archive.bars(query)) : [];
      if (cold.length > 0) say(`bars ${base}/${symbol} ${widthSeconds} s, 90 days, first time`, cold);
      say(
        `bars ${base}/${symbol} ${widthSeconds} s, 90 days, again`,
        await times(15, () => archive.bars(query)),
      );
    }
  }

  await timeSelects(archive, window);

  let at = TODAY;
  const next = () => {
    at += 60_000;
    return at;
  };
  say("append of 30 quotes, durable", await times(60, () => archive.append(minute(next()))));
  await archive.flush();
  await archive.append(manyMinutes(TODAY + 2 * 3_600_000, 1380));
  await archive.flush();
  const flushes: number[] = [];
  for (let nth = 0; nth < 10; nth++) {
    await archive.append(minute(TODAY + DAY - 600_000 + nth * 60_000));
    flushes.push(...(await times(1, () => archive.flush())));
  }
  say("flush of a minute into a full day (about 45,000 rows)", flushes);
  say("bars of today after a flush", await afterFlush(archive));

  await archive.append(manyMinutes(TODAY + DAY, 60));
  const [segment = ""] = new Bun.Glob("intraday/.journal/*.log").scanSync({ cwd: directory, dot: true });
  const left = readFileSync(join(directory, segment));
  await archive.close();
  // As a process leaves it that was killed: what the table has already is found out and adds nothing.
  writeFileSync(join(directory, segment), left);
  const opening = performance.now();
  archive = await openQuoteArchive({ directory, simulated: true, access: "write" });
  say("reopening with a journal of 1,800 quotes", [performance.now() - opening]);
  await archive.close();
  const again = performance.now();
  archive = await openQuoteArchive({ directory, simulated: true, access: "write" });
  say("reopening in order", [performance.now() - again]);
  await archive.close();
  const { rss } = process.memoryUsage();
  process.stdout.write(`resident memory at the end: ${Math.round(rss / 2 ** 20)} MB\n`);
}

async function timeSelects(archive: Archive, window: { from: number; to: number }): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:", { threads: "2" });
  const connection = await instance.connect();
  const copy = async (sql: string) =>
    void (await connection.run(
      `COPY (${sql}) TO '${directory}/out.parquet' (FORMAT parquet, COMPRESSION zstd)`,
    ));
  const files = await archive.filesBetween(window.from, window.to);
  const raw = ticksSelect({ kind: "quotes", pairs: null, ...window, order: "asc" }, files);
  say("COPY of all quotes of 90 days through ticksSelect", await times(2, () => copy(raw)));
  const plain = `SELECT * FROM read_parquet('${directory}/current/intraday/*/quotes.parquet')`;
  say("plain COPY of the same", await times(2, () => copy(plain)));
  connection.closeSync();
  instance.closeSync();
}

async function afterFlush(archive: Archive): Promise<readonly number[]> {
  const taken: number[] = [];
  for (let nth = 0; nth < 5; nth++) {
    await archive.append(minute(TODAY + DAY - 300_500 + nth * 60_000));
    await archive.flush();
    const query = { base: "USD", symbol: "EUR", from: TODAY, to: TODAY + DAY, widthSeconds: 60 } as const;
    taken.push(...(await times(1, () => archive.bars({ ...query, order: "asc", limit: 2000 }))));
  }
  return taken;
}

function minute(observedAt: number): readonly LiveQuote[] {
  return QUOTES.map((quote: CurrencyCode, nth) => ({
    feed: "massive",
    base: "USD",
    quote,
    bid: null,
    ask: null,
    mid: `${nth + 1}.${String(10_000 + (observedAt % 89_999)).slice(0, 5)}`,
    observedAt,
    retrievedAt: observedAt + 700,
  }));
}

function manyMinutes(from: number, count: number): readonly LiveQuote[] {
  return Array.from({ length: count }, (_, nth) => minute(from + nth * 55_000)).flat();
}

async function times(count: number, work: () => Promise<unknown>): Promise<readonly number[]> {
  const taken: number[] = [];
  for (let nth = 0; nth < count; nth++) {
    const start = performance.now();
    await work();
    taken.push(performance.now() - start);
  }
  return taken;
}

function say(what: string, taken: readonly number[]): void {
  const sorted = [...taken].sort((a, b) => a - b);
  const [median, worst] = [sorted[sorted.length >> 1] ?? 0, sorted.at(-1) ?? 0];
  process.stdout.write(
    `${what}: ${median.toFixed(1)} ms median, ${worst.toFixed(1)} worst of ${taken.length}\n`,
  );
}
