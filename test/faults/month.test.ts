/**
 * Days of a running server as its lake sees them, with the clock turned on: coverage every 36 minutes, three changes of
 * figures a weekday, a flush of quotes every few minutes, the upkeep of the night. Log, files and time to open stay what
 * they are after the first days; nothing but the newest version and the retention is left.
 *
 * The check lives through five days with two hours between flushes. A month, with figures on the terminal:
 *
 *     MONTH_DAYS=30 MONTH_FLUSH_MINUTES=5 bun test test/faults/month.test.ts
 */

import { expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { openQuoteArchive } from "#store/archive/archive.ts";
import { openLake } from "#store/lake/lake.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { contentsOf } from "./contents.ts";
import { dailyWork } from "./daily-work.ts";
import { pollOf, QUOTED_FROM, quoteLine } from "./quote-work.ts";

const DAYS = Number(process.env["MONTH_DAYS"] ?? 5);
const FLUSH_MINUTES = Number(process.env["MONTH_FLUSH_MINUTES"] ?? 120);
/** As deployed for a month; shorter than the days that are lived through otherwise. */
const RETENTION_DAYS = DAYS >= 20 ? 7 : 1;
/** Of quotes: the product's own. */
const QUOTES_RETENTION_DAYS = 1;
const COVERAGE_MINUTES = 36;
const DATA_COMMITS = 3;
const MINUTE = 60_000;
const DAY = 86_400_000;
const TABLES = ["daily", "revisions", "held", "intraday"] as const;
const REPORTED = [1, 10, 20, 30];

test(
  `${DAYS} days, a flush every ${FLUSH_MINUTES} minutes`,
  async () => {
    const directory = temporaryDirectory();
    let time = QUOTED_FROM;
    const now = () => time;
    const open = async () => {
      const started = performance.now();
      const lake = await openLake({ directory, simulated: false, now, retentionDays: RETENTION_DAYS });
      await lake.read();
      const lakeMilliseconds = performance.now() - started;
      const archive = await openQuoteArchive({ directory, simulated: false, access: "write", now });
      const archiveMilliseconds = performance.now() - started - lakeMilliseconds;
      return { lake, archive, lakeMilliseconds, archiveMilliseconds };
    };
    let { lake, archive } = await open();
    const work = dailyWork(30);
    let polls = 0;
    const counted: Counts[] = [];
    for (let day = 1; day <= DAYS; day++) {
      let moved = 0;
      for (let minute = 1; minute <= 1440; minute++) {
        time += MINUTE;
        if (minute === 22) {
          await archive.upkeep();
          await lake.upkeep();
          counted.push(countsOf(directory));
        }
        if (minute % COVERAGE_MINUTES === 0)
          await lake.commit(({ held, coverage }) => ({
            accepted: [],
            withdrawn: [],
            held,
            coverage: coverage.map((of) => ({ ...of, retrievedAt: time })),
          }));
        if (day % 7 < 5 && moved < DATA_COMMITS && minute % 300 === 0) {
          const change = work.next();
          await lake.commit(() => change);
          moved += 1;
        }
        if (minute % FLUSH_MINUTES === 0) {
          await archive.append(pollOf(polls++, FLUSH_MINUTES));
          await archive.flush();
        }
      }
      if (REPORTED.includes(day) || day === DAYS) {
        await archive.close();
        await lake.close();
        const opened = await open();
        ({ lake, archive } = opened);
        const { lakeMilliseconds, archiveMilliseconds } = opened;
        console.log(
          `month: day ${day}: lake open in ${lakeMilliseconds.toFixed(1)} ms, archive in ${archiveMilliseconds.toFixed(1)} ms; ${describe(countsOf(directory))}`,
        );
      }
    }
    // All of it is there.
    const lines = Array.from({ length: polls }, (_, poll) =>
      pollOf(poll, FLUSH_MINUTES).map(quoteLine),
    ).flat();
    const quotes = (await archive.quotes(0, time + DAY)).map(quoteLine);
    expect(contentsOf(quotes)).toEqual(contentsOf(lines));
    const { observations, superseded } = await lake.read();
    const state = work.state();
    expect([observations.count, superseded.length]).toEqual([state.daily.rows, state.revisions.rows]);
    await archive.close();
    await lake.close();

    const flushes = 1440 / FLUSH_MINUTES;
    // The retention before a night, and what the two checkpoints before that are of.
    const most = {
      daily: (1440 / COVERAGE_MINUTES + DATA_COMMITS) * (RETENTION_DAYS + 2),
      revisions: DATA_COMMITS * (RETENTION_DAYS + 2),
      held: DATA_COMMITS * (RETENTION_DAYS + 2),
      intraday: flushes * (QUOTES_RETENTION_DAYS + 2),
    };
    for (const [night, counts] of counted.entries()) {
      for (const table of TABLES) {
        const { commits, checkpoints, replaced, temporary } = counts[table];
        const what = `${table} in night ${night + 1}`;
        expect(`${what} ${commits <= most[table] + 2}`).toBe(`${what} true`);
        expect(`${what} ${checkpoints <= most[table] / 20 + RETENTION_DAYS + 2}`).toBe(`${what} true`);
        const kept =
          table === "intraday" ? flushes * QUOTES_RETENTION_DAYS : DATA_COMMITS * 5 * RETENTION_DAYS;
        expect(`${what} ${replaced <= kept + 2}`).toBe(`${what} true`);
        expect(`${what} ${temporary}`).toBe(`${what} 0`);
      }
    }
  },
  60_000 + DAYS * 60_000,
);

interface TableCounts {
  readonly commits: number;
  readonly checkpoints: number;
  /** Data files that `current/` does not have, so that they are of older versions. */
  readonly replaced: number;
  readonly temporary: number;
}
type Counts = Record<(typeof TABLES)[number], TableCounts> & { readonly bytes: number };

function countsOf(directory: string): Counts {
  const paths = readdirSync(directory, { recursive: true }).map(String);
  const matching = (start: string, pattern: RegExp) =>
    paths.filter((path) => path.startsWith(start) && pattern.test(path)).length;
  const of = (table: string): TableCounts => ({
    commits: matching(`${table}/_delta_log/`, /\/\d{20}\.json$/),
    checkpoints: matching(`${table}/_delta_log/`, /\.checkpoint\.parquet$/),
    replaced: matching(`${table}/`, /\/part-[^/]*\.parquet$/) - matching(`current/${table}/`, /\.parquet$/),
    temporary: matching(`${table}/`, /\.tmp$/),
  });
  const bytes = paths.reduce((sum, path) => {
    const { blocks, nlink } = statSync(join(directory, path));
    // A hard link is the same bytes again.
    return sum + (path.startsWith("current/") && nlink > 1 ? 0 : blocks * 512);
  }, 0);
  return {
    daily: of("daily"),
    revisions: of("revisions"),
    held: of("held"),
    intraday: of("intraday"),
    bytes,
  };
}

function describe(counts: Counts): string {
  const tables = TABLES.map((table) => {
    const { commits, checkpoints, replaced } = counts[table];
    return `${table} ${commits} commits ${checkpoints} checkpoints ${replaced} replaced files`;
  });
  return `${tables.join(", ")}; ${(counts.bytes / 1e6).toFixed(1)} MB`;
}
