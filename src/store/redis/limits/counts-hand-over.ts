/** What a store that was away has to hear of each caller before anybody may rely on it again. */

import { HOUR_MILLISECONDS, MINUTE_MILLISECONDS } from "#domain/limits/caller.ts";
import { occupied } from "#domain/limits/cell.ts";
import { type Counts, isFaded, NO_COUNTS, rolledCounts } from "#domain/limits/counts.ts";
import { monthAt, monthDay } from "#domain/limits/month.ts";
import type { Instant } from "#domain/time/day.ts";
import type { CallerRecord } from "./counts-caller.ts";
import type { CountsScripts, HandOver } from "./counts-scripts.ts";

/** Scripts under way at once: Redis answers others in between. */
const BATCH = 200;

/**
 * Tells the store what it does not know of these callers, all at once per caller. `lost`: it has forgotten what it once
 * showed; then only that comes back, and what was granted alone waits until every replica has said what it saw: the store
 * takes the most that any of them saw, and a charge on top of the first one's figure would pass for it. Rejects when the
 * store does not answer; what it has not confirmed is told again the next time.
 */
export async function handOver(
  scripts: CountsScripts,
  records: readonly CallerRecord[],
  lost: boolean,
  sharedNow: () => Instant,
): Promise<void> {
  for (let from = 0; from < records.length; from += BATCH) {
    await allDone(
      records.slice(from, from + BATCH).map(async (record) => {
        const told = handOverOf(record, lost, sharedNow());
        if (told === null) return;
        const alone = lost ? null : record.alone;
        const owed = alone?.owed;
        if (alone !== null) alone.owed = { ...NO_COUNTS, month: monthAt(sharedNow()) };
        try {
          const { counts, born } = await scripts.handOver(record.caller, told);
          record.seen = counts;
          record.born = born;
        } catch (fault) {
          // Whether it was heard is not known: told again it counts twice at worst, and never too little.
          if (alone !== null && owed !== undefined) alone.owed = added(alone.owed, owed);
          throw fault;
        }
      }),
    );
  }
}

/** True when the store knows everything of the caller that this replica has granted. */
function isToldAll({ alone, isShared }: CallerRecord): boolean {
  if (alone === null || isShared) return true;
  const { minute, hour, month } = alone.owed;
  return minute.current + minute.previous + hour.current + hour.previous + (month?.used ?? 0) === 0;
}

function handOverOf(record: CallerRecord, lost: boolean, now: Instant): HandOver | null {
  if (record.isShared || (!lost && isToldAll(record))) return null;
  const { alone } = record;
  const seen = rolledCounts(record.seen, now);
  const month = (alone === null ? seen : rolledCounts(alone.total, now)).month;
  if (alone === null && isFaded(seen, now) && month === null) return null;
  const owed = lost || alone === null ? null : rolledCounts(alone.owed, now);
  return {
    seen: lost ? record.seen : null,
    minute: owed === null ? 0 : occupied(owed.minute, MINUTE_MILLISECONDS, now),
    hour: owed === null ? 0 : occupied(owed.hour, HOUR_MILLISECONDS, now),
    month: owed?.month?.used ?? 0,
    monthDay: monthDay(month ?? monthAt(now)),
    monthUsed: month?.used ?? null,
  };
}

function added(counts: Counts, more: Counts): Counts {
  const cell = (one: Counts["minute"], other: Counts["minute"]) => ({
    start: Math.max(one.start, other.start),
    current: one.current + one.previous + other.current + other.previous,
    previous: 0,
  });
  const month =
    counts.month === null
      ? more.month
      : { ...counts.month, used: counts.month.used + monthUsed(counts, more) };
  return { minute: cell(counts.minute, more.minute), hour: cell(counts.hour, more.hour), month };
}

function monthUsed({ month }: Counts, more: Counts): number {
  return month !== null && more.month?.start === month.start ? more.month.used : 0;
}

/** As Promise.all, but nobody is left running when it rejects. */
async function allDone(work: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === "rejected") throw result.reason;
}
