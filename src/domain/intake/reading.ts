/**
 * The types of collection (what is requested, what documents contain, when a whole history is read again), sources that were
 * never collected, and what hosts say about this machine's clock.
 */

import { CURRENCY_COUNT, type CurrencyIndex, currencyCode, EUR, USD } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource, type Source } from "#domain/currency/source.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { History } from "#domain/history/history.ts";
import type { Figure, Provenance } from "#domain/history/observation.ts";
import { type Day, formatDay, type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";

/** The requested part of an upstream's history; both days inclusive. */
export interface Window {
  /** history: all figures. recent: the last days, weeks or months, for corrections. latest: the newest figures. */
  readonly reach: "history" | "recent" | "latest";
  readonly from: Day;
  readonly to: Day;
}

/** A figure the authority took back without a replacement. */
export type Withdrawal = Pick<Figure, "date" | "base" | "quote" | "publishedAt">;

/** The content of one intact document. For any other document BrokenDocument is thrown. */
export type Reading =
  | {
      readonly outcome: "figures";
      /** Ascending by date; several versions of one figure are in order of publication, newest last. */
      readonly figures: readonly Figure[];
      readonly withdrawals: readonly Withdrawal[];
      /** The document covers every day up to this one, including days without a figure. */
      readonly coveredThrough: Day;
      /** What an operator should know about a document that could be read, one clause. */
      readonly note?: string;
    }
  /** Intact, and no figure is due in the window: the authority was closed. */
  | { readonly outcome: "holiday"; readonly coveredThrough: Day | null }
  /** Intact, without a figure although one was due: not published yet, or not at all. */
  | { readonly outcome: "empty"; readonly reason: string };

/** A figure that acceptance held back: visible, never served, until released or confirmed. */
export interface HeldFigure extends Figure, Provenance {
  /** Name of the rule that held it, e.g. "implausible_jump". */
  readonly rule: string;
  /** One sentence with the numbers that made the rule fire. */
  readonly reason: string;
}

export interface Coverage {
  readonly source: DailySource;
  readonly coveredThrough: Day;
  readonly retrievedAt: Instant;
}

/** How the last collection of a source went; held in memory, published by /status. */
export interface CollectionState {
  readonly source: DailySource;
  readonly lastAttemptAt: Instant | null;
  /** Last attempt in which a route read an intact document, whether or not it held anything new. */
  readonly lastSuccessAt: Instant | null;
  readonly outcome: "never" | "figures" | "unchanged" | "holiday" | "empty" | "failed";
  /** Why the last attempt failed or was empty, one sentence; null when there is nothing to report. */
  readonly detail: string | null;
}

/** When the history was last read whole, and from when on the next whole read is due. */
export type WholeRead = ReturnType<typeof wholeReadAt>;

const WEEK = 7 * MILLISECONDS_PER_DAY;

export function wholeReadAt(readAt: Instant) {
  return { readAt, dueAt: readAt + WEEK };
}

/** True without a read, and for one after now, which a wrong clock has dated. */
export function isWholeReadDue(last: WholeRead | undefined, now: Instant): boolean {
  return last === undefined || now >= last.dueAt || last.readAt > now;
}

export interface PendingSource {
  readonly source: DailySource;
  /** Currencies with figures in it, its pivot included. */
  readonly currencies: ReadonlySet<CurrencyIndex>;
  /** True while its first collection may still be running: answers that need the source are refused meanwhile. */
  readonly isCollecting: boolean;
  /** Present on a server that collects nothing itself: whether another one does is unknown here. */
  readonly isElsewhere?: true;
  /** The currencies and the newest day of the sources that were collected; null where no source was. */
  readonly collected: { readonly currencies: ReadonlySet<CurrencyIndex>; readonly newest: Day } | null;
}

interface PendingQuery {
  readonly base: CurrencyIndex;
  /** null, or all currencies: one without a value may then be left out of the answer, unless a source is still collecting. */
  readonly symbols: readonly CurrencyIndex[] | null;
  readonly sourceOf: (currency: CurrencyIndex) => Source | null;
  /** The day of the values; absent for the latest. */
  readonly day?: Day;
}

const PENDING_RETRY_SECONDS = 5;

/**
 * Failure `data_unavailable` when the answer needs a source that was never collected: a named currency has no value, and the source
 * would give one. While the source is collecting, any other currency of it without a value is refused too, and so is a value from a
 * source of lower rank.
 */
export function refusePending(
  pending: readonly PendingSource[] | undefined,
  { base, symbols, sourceOf, day }: PendingQuery,
): void {
  if (pending === undefined || pending.length === 0) return;
  const isAll = symbols === null || new Set([base, ...symbols]).size === CURRENCY_COUNT;
  const asked = symbols === null ? Array.from({ length: CURRENCY_COUNT }, (_, index) => index) : symbols;
  for (const currency of new Set([base, ...asked])) {
    if (currency === USD) continue;
    const value = sourceOf(currency);
    for (const one of pending) {
      const { source, currencies, isCollecting } = one;
      if (!currencies.has(currency)) continue;
      const isLacking = value === null && (isCollecting || !isAll || currency === base);
      const ranksBelow = DAILY_SOURCES.indexOf(value as DailySource) > DAILY_SOURCES.indexOf(source);
      if (isLacking || (isCollecting && ranksBelow)) throw pendingFailure(one, currency, day);
    }
  }
}

function pendingFailure(
  { source, isCollecting, isElsewhere, collected }: PendingSource,
  currency: CurrencyIndex,
  day?: Day,
): Failure {
  const code = currencyCode(currency);
  const isOld = collected?.currencies.has(currency) === true && (day === undefined || day > collected.newest);
  const on = day === undefined ? "" : ` on ${formatDay(day)}`;
  const newest = isOld ? formatDay(collected.newest) : "";
  const lack = isOld
    ? `the newest figures of ${code} here are of ${newest}, and /v1/${newest} has them; those since`
    : `${code} needs ${source}${on}, which was not collected here yet; its figures`;
  const outlook = isElsewhere
    ? "come from a server that collects (this one has ROLE=api): the /status of that one says what cannot be reached"
    : isCollecting
      ? "are being collected: ask again in a few seconds; where it lasts, /status says what cannot be reached"
      : "come once this server reaches their source, which it tries again by itself: /status says what failed";
  return new Failure("data_unavailable", {
    reason: `${lack} ${outlook}`,
    ...(isCollecting && { retryAfterSeconds: PENDING_RETRY_SECONDS }),
  });
}

/** The source of a currency's daily value on a day; null without one. */
export function givenOn(history: History, day: Day): PendingQuery["sourceOf"] {
  return (currency) => {
    const row = rowInForce(history, day, currency);
    return row < 0 ? null : (DAILY_SOURCES[history.observations.source[row] as number] as DailySource);
  };
}

/** Where the ECB's dollar is in force, that figure also gives the euro its value. */
function rowInForce(history: History, day: Day, currency: CurrencyIndex): number {
  if (currency === EUR) {
    const dollar = history.inForce(day, USD);
    if (dollar >= 0) return dollar;
  }
  return history.inForce(day, currency);
}

/** The newest answer of one host: when it came, and how many milliseconds this machine's clock was then ahead of the host's. */
export interface HostClock {
  readonly host: string;
  readonly at: Instant;
  readonly ahead: number;
  /** A store of this installation: no cache answers for it, so one is enough for `off`. */
  readonly isStore?: boolean;
}

export interface OwnClock {
  /** `off`: more than two minutes. `wrong`: more than an hour, and nothing is committed. */
  readonly status: "ok" | "off" | "wrong";
  /** Milliseconds by which this machine's clock is ahead, negative when it is behind; 0 while it is ok. */
  readonly ahead: number;
  /** What is wrong and what to do; null when the clock is right. */
  readonly detail: string | null;
}

const MINUTE = 60_000;
const OFF_AFTER = 2 * MINUTE;
const WRONG_AFTER = 60 * MINUTE;
/** How long an answer counts. One dated after now does not: the clock was set back since. */
const COUNTS_FOR = 60 * MINUTE;
export const RIGHT_CLOCK: OwnClock = { status: "ok", ahead: 0, detail: null };

/**
 * At least two hosts, or for `off` one store, must agree on the direction, and outnumber the others: a host can be wrong, and a cache can pass on an old
 * Date. The smallest difference counts.
 */
export function judgeOwnClock(answers: Iterable<HostClock>, now: Instant): OwnClock {
  const recent = counting(answers, now);
  for (const [status, limit] of [
    ["wrong", WRONG_AFTER],
    ["off", OFF_AFTER],
  ] as const) {
    for (const sign of [1, -1]) {
      const beyond = recent.filter(({ ahead }) => ahead * sign > limit);
      const fewest = status === "off" && beyond.some(({ isStore }) => isStore) ? 1 : 2;
      if (beyond.length < fewest || beyond.length * 2 <= recent.length) continue;
      const size = Math.min(...beyond.map(({ ahead }) => ahead * sign));
      return { status, ahead: size * sign, detail: sentence(status, size, sign, beyond) };
    }
  }
  return RIGHT_CLOCK;
}

/** Whether a host has agreed within the last hour, and not two say that the clock is wrong: right after a jump no host has answered. */
export function isClockProven(answers: Iterable<HostClock>, now: Instant): boolean {
  const recent = counting(answers, now);
  return (
    judgeOwnClock(recent, now).status !== "wrong" &&
    recent.some(({ ahead }) => Math.abs(ahead) <= WRONG_AFTER)
  );
}

function counting(answers: Iterable<HostClock>, now: Instant): readonly HostClock[] {
  return [...answers].filter(({ at }) => at <= now && now - at <= COUNTS_FOR);
}

function sentence(status: "off" | "wrong", size: number, sign: number, beyond: readonly HostClock[]): string {
  const hosts = beyond.map(({ host }) => host).sort();
  const named =
    hosts.length > 3 ? `${hosts.slice(0, 3).join(", ")} and ${hosts.length - 3} more` : hosts.join(" and ");
  const minutes = Math.floor(size / MINUTE);
  const stops = status === "wrong" ? ", and nothing is committed" : "";
  return `this machine's clock is ${minutes} min ${sign > 0 ? "ahead of" : "behind"} ${named}${stops}: set it by NTP`;
}
