/** How far a copy reaches: the token that is `sync_from` of one answer and `updated_after` of the next, or an instant. */

import { createHash } from "node:crypto";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { FILL_DAYS } from "#domain/history/history.ts";
import { type Day, dayAt, type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { isChange, newestInstant } from "./dataset.ts";

/** A query's `updated_after`. */
export interface Since {
  readonly text: string;
  /** The copy has what was retrieved until then. */
  readonly instant: Instant;
  /** For a token, the last day that the copy has; null for an instant, which a client's clock stated. */
  readonly day: Day | null;
}

/** What a copy has: everything retrieved up to `instant`, inclusive, and all days up to `day`. */
export interface Reach {
  readonly instant: Instant;
  readonly day: Day;
  /** The last day of a copy of a version that this lake does not have: it may hold any value. Null where the copy is known. */
  readonly foreign: Day | null;
}
const TOKEN = /^v1-([0-9a-z]{1,10})-([0-9a-z]{1,6})-([0-9a-f]{8})$/;

/**
 * The token of a version of the lake. Retrievals are in the order of commits (src/store/lake/commit.ts), so the newest retrieval
 * names the version, in later versions too. The day is the retrieval's, or yesterday where a wrong clock dated it after now.
 */
export function tokenOf(dataset: Dataset, now: Instant): string {
  const newest = Math.max(0, newestInstant(dataset));
  const day = dayAt(newest > now ? now - MILLISECONDS_PER_DAY : newest);
  const content = `v1-${newest.toString(36)}-${day.toString(36)}`;
  return `${content}-${checkOf(content)}`;
}

/** Null for a text that is not a token, or a mistyped one. */
export function openToken(text: string): Since | null {
  const [, newest, day, check] = TOKEN.exec(text) ?? [];
  if (newest === undefined || day === undefined) return null;
  if (check !== checkOf(`v1-${newest}-${day}`)) return null;
  return { text, instant: Number.parseInt(newest, 36), day: Number.parseInt(day, 36) };
}

/** Not a secret: a forged token gives no more than an instant does. */
function checkOf(content: string): string {
  return createHash("sha256").update(`crossrate sync ${content}`).digest("hex").slice(0, 8);
}

/**
 * What a copy has of this dataset; null where the instant is later than both now and everything in the dataset. A token of a
 * version that the dataset does not have, as after a restore, proves nothing: the copy gets everything, and whatever it may hold
 * beside that is withdrawn. For an instant after now every day is compared.
 */
export function reachOf({ instant, day }: Since, dataset: Dataset, now: Instant): Reach | null {
  const nothing = { instant: 0, day: Number.NEGATIVE_INFINITY };
  if (day !== null)
    return instant === 0 || isChange(dataset, instant)
      ? { instant, day, foreign: null }
      : { ...nothing, foreign: day };
  if (instant <= now) return { instant, day: dayAt(instant), foreign: null };
  return instant <= newestInstant(dataset) ? { ...nothing, instant, foreign: null } : null;
}

/** The last day to compare: today, or later where a server with a fast clock gave the copy filled days after today. */
export function lastDayOf({ day, foreign }: Reach, today: Day): Day {
  return Math.max(today, Math.min(foreign ?? day, today + FILL_DAYS));
}
