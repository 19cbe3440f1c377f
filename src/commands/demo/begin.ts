/** Where the demo begins: its world, and its clock, which never goes back from one start to the next. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UsageFault } from "#cli/command.ts";
import { type RealHistory, readRealHistory } from "#demo/real.ts";
import { marketSession, nextTurn } from "#domain/time/calendar.ts";
import { formatInstant, type Instant } from "#domain/time/day.ts";

/** Present in a directory that began with the ECB's own history: by how much its clock is ahead of the real one. */
const CLOCK_FILE = "demo-clock.json";

interface Beginning {
  readonly startAt: Instant;
  /** Null where every figure is simulated. */
  readonly real: RealHistory | null;
}

interface Asked {
  readonly dataDir: string;
  /** What NOW says; null without it. */
  readonly startAt: Instant | null;
  /** `--simulated`. */
  readonly allSimulated: boolean;
  readonly history: { readonly startsAt: Instant; readonly csv: string };
}

/**
 * The ECB's own history and an instant from its end on; everything simulated with `--simulated`, with NOW before that end, and on a
 * lake that was begun so. A later start goes on where the clock is by then, or at the next opening of the market. Throws UsageFault
 * where the directory has the other world.
 */
export function beginDemo({ dataDir, startAt, allSimulated, history }: Asked, realNow: Instant): Beginning {
  const file = join(dataDir, CLOCK_FILE);
  const hasClock = existsSync(file);
  const isEarly = startAt !== null && startAt < history.startsAt;
  if (allSimulated || isEarly || (!hasClock && existsSync(join(dataDir, "lake")))) {
    if (hasClock)
      throw new UsageFault(
        `${dataDir} began with the history of the ECB${isEarly ? `: NOW must not be before ${formatInstant(history.startsAt)}` : ""}; name another directory with DATA_DIR`,
      );
    return { startAt: startAt ?? openMarket(realNow), real: null };
  }
  const real = readRealHistory(history.csv);
  const ahead = hasClock ? JSON.parse(readFileSync(file, "utf8")).ahead_ms : history.startsAt - realNow;
  const at = startAt ?? nextOpen(realNow + ahead);
  if (!hasClock || (startAt === null && at !== realNow + ahead)) {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(file, `${JSON.stringify({ ahead_ms: at - realNow })}\n`);
  }
  return { startAt: at, real };
}

/** The same instant while the market is open, else that of its next opening. */
function nextOpen(instant: Instant): Instant {
  let at = instant;
  while (marketSession(at) !== "open") at = nextTurn(at).at;
  return at;
}

const HOUR = 3_600_000;
const HOURS_OF_TRADING = 6;

/** The same instant while the market is open. Else one some hours before it closed, where live rates move. */
function openMarket(now: Instant): Instant {
  let last = now;
  while (marketSession(last) !== "open") last -= HOUR;
  const earlier = last - HOURS_OF_TRADING * HOUR;
  return last === now || marketSession(earlier) !== "open" ? last : earlier;
}
