/** A data directory with some of everything: daily figures with corrections, quotes, official publications, accounts, keys, caches. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openCrossrate } from "#compose.ts";
import { readConfig } from "#config.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { MILLISECONDS_PER_DAY, parseDay } from "#domain/time/day.ts";
import { openQuoteArchive } from "#store/archive/archive.ts";
import { openLake } from "#store/lake/lake.ts";
import type { Emit } from "#telemetry.ts";
import { noteWhole, versionOf } from "#test/official/version.ts";
import { quote } from "#test/store/archive/sample.ts";
import { copyOf } from "#test/support/once.ts";
import { dailyWork } from "./daily-work.ts";

/** Fixed: answers do not depend on when they are requested. A Tuesday. */
const NOW = Date.parse("2026-01-06T18:00:00Z");
const STEPS = 24;
const MINUTE = 60_000;
/** With quotes; those of the last one are in the journal only. */
export const QUOTED = ["2026-01-04", "2026-01-05", "2026-01-06"] as const;
const CODES = ["EUR", "JPY", "GBP"] as const;
const OFFICIAL = ["mex_dof", "pol_a"] as const;

/** Opens the product as a server would, on a fixed clock; nothing is collected. */
export async function openOn(directory: string, emit: Emit = () => {}) {
  const config = readConfig({
    DATA_DIR: join(directory, "data"),
    // No server listens there.
    UPSTREAM_BASE: "http://127.0.0.1:9",
    ACCESS: "metered",
    PLANS_FILE: join(directory, "plans.json"),
    LIVE_FEED: "off",
    OFFICIAL_TABLES: OFFICIAL.join(","),
    NOW: new Date(NOW).toISOString(),
  });
  const clock = { now: () => NOW };
  const crossrate = await openCrossrate({
    config,
    clock,
    emit,
    version: "test",
    simulated: false,
    serves: true,
  });
  crossrate.setPeerAddress(() => "127.0.0.1");
  return crossrate;
}

/** A copy of the caller's own; `key` is in `key.txt` beside it. */
export function dataDirectory(): Promise<string> {
  return copyOf("everything", fill);
}

async function fill(directory: string): Promise<void> {
  const lakeDirectory = join(directory, "data/lake");
  const lake = await openLake({
    directory: lakeDirectory,
    simulated: false,
    now: () => NOW - 2 * MILLISECONDS_PER_DAY,
  });
  const work = dailyWork(3);
  for (let step = 0; step < STEPS; step++) {
    const change = work.next();
    await lake.commit(() => change);
  }
  await lake.upkeep();
  for (let step = 0; step < 3; step++) {
    const change = work.next();
    await lake.commit(() => change);
  }
  await lake.close();

  const place = { directory: lakeDirectory, simulated: false, access: "write", now: () => NOW } as const;
  const archive = await openQuoteArchive(place);
  for (const date of QUOTED.slice(0, -1)) {
    for (const half of [0, 1]) {
      await archive.append(quotesOf(date, half * 96, 96));
      await archive.flush();
    }
  }
  await archive.upkeep();
  await archive.close();

  writeFileSync(
    join(directory, "plans.json"),
    JSON.stringify({ pro: { minute: 1_000_000, month: 100_000_000 } }),
  );
  const crossrate = await openOn(directory);
  const account = await crossrate.demoAccount();
  writeFileSync(join(directory, "key.txt"), account?.key ?? "");
  await publish(crossrate);
  await crossrate.close();

  // As a process leaves them that had no time to close: what it appended is in the journal only.
  const left = await openQuoteArchive(place);
  for (const part of [0, 1, 2]) await left.append(quotesOf(QUOTED[2], part * 20, 20));
  Bun.spawnSync(["cp", "-a", join(directory, "data"), join(directory, "killed")]);
  await left.close();
  Bun.spawnSync(["rm", "-r", join(directory, "data")]);
  Bun.spawnSync(["mv", join(directory, "killed"), join(directory, "data")]);
}

function quotesOf(date: string, from: number, count: number): readonly LiveQuote[] {
  const start = (parseDay(date) as number) * MILLISECONDS_PER_DAY;
  return Array.from({ length: count }, (_, nth) => from + nth).flatMap((poll) =>
    CODES.map((code, nth) => {
      const observedAt = start + poll * 7 * MINUTE + nth * 1000;
      const mid = `${nth + 1}.${String(poll * 37).padStart(6, "0")}`;
      return quote(`USD/${code}`, mid, observedAt, { bid: mid, ask: mid });
    }),
  );
}

async function publish(crossrate: Awaited<ReturnType<typeof openOn>>): Promise<void> {
  const official = await crossrate.openOfficial();
  if (official === null) throw new Error("official tables are off");
  for (const [nth, table] of OFFICIAL.entries()) {
    for (let day = 0; day < 12; day++) {
      for (const version of day % 5 === 0 ? [1, 2] : [1]) {
        const validFrom = Math.floor(NOW / MILLISECONDS_PER_DAY) - day;
        const rate = `${17 + nth}.${1000 + day * 10 + version}`;
        const rows = [{ base: "USD", quote: nth === 0 ? "MXN" : "PLN", rate, unit: 1, kind: "mid" as const }];
        const retrievedAt = validFrom * MILLISECONDS_PER_DAY + (6 + version) * 60 * MINUTE;
        const made = versionOf({ table, validFrom, rows, version, retrievedAt });
        await official.ledger.outbox.publish([{ version: made, event: null }], NOW);
      }
    }
    await noteWhole(official.ledger, table, NOW);
  }
  await official.copyToLake();
}
