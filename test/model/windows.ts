/** The model's limits: the windows and headers of docs/limits.md, computed the slow way and without the product's code. */

const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

export interface Figures {
  readonly minute: number;
  readonly hour?: number;
  readonly month?: number;
}

export type Refusal = "rate_limited" | "ip_rate_limited" | "quota_exceeded";

/** What the headers of an answer should say; `reset` in Unix seconds. */
export interface Headers {
  readonly limit: number;
  readonly remaining: number;
  readonly reset: number;
}

/** used = this cell + the cell before × the part of it that the last minute still covers, rounded up. */
class Sliding {
  readonly width: number;
  readonly start: number;
  readonly current: number;
  readonly previous: number;
  constructor(width: number, start = 0, current = 0, previous = 0) {
    this.width = width;
    this.start = start;
    this.current = current;
    this.previous = previous;
  }

  at(now: number): Sliding {
    const cells = Math.floor((now - this.start) / this.width);
    if (cells <= 0) return this;
    const previous = cells === 1 ? this.current : 0;
    // Silence: the next cell begins with the next call.
    if (previous === 0) return new Sliding(this.width, now);
    return new Sliding(this.width, this.start + this.width, 0, previous);
  }

  used(now: number): number {
    const { start, current, previous, width } = this.at(now);
    return current + Math.ceil((previous * (width - (now - start))) / width);
  }

  plus(cost: number, now: number): Sliding {
    const { start, current, previous, width } = this.at(now);
    return new Sliding(width, start, current + cost, previous);
  }

  /** The first instant from `now` on at which so many more fit; used never grows without calls. */
  fits(cost: number, limit: number, now: number): number {
    if (this.used(now) + cost <= limit) return now;
    let [no, yes] = [now, now + 2 * this.width];
    while (yes - no > 1) {
      const middle = Math.floor((no + yes) / 2);
      if (this.used(middle) + cost <= limit) yes = middle;
      else no = middle;
    }
    return yes;
  }
}

export class Windows {
  private minute = new Sliding(MINUTE);
  private hour = new Sliding(HOUR);
  private readonly months = new Map<string, number>();

  /** A process restarts: minute and hour are in memory alone. */
  forget(): void {
    this.minute = new Sliding(MINUTE);
    this.hour = new Sliding(HOUR);
  }

  monthCalls(now: number): number {
    return this.months.get(monthOf(now)) ?? 0;
  }

  charge(cost: number, now: number): void {
    this.minute = this.minute.plus(cost, now);
    this.hour = this.hour.plus(cost, now);
    this.months.set(monthOf(now), this.monthCalls(now) + cost);
  }

  /** One that was given back: its cell has begun all the same. */
  begin(now: number): void {
    this.charge(0, now);
  }

  /** null when the call passes; of several windows the one to wait longest for. */
  refusal(
    cost: number,
    figures: Figures,
    now: number,
  ): { readonly code: Refusal; readonly until: number } | null {
    const waits = this.all(figures, now).map(({ code, fits }) => ({ code, until: fits(cost) }));
    const longest = waits.reduce((one, other) => (other.until > one.until ? other : one));
    return longest.until <= now ? null : longest;
  }

  /** After a call of this cost that passed (and is charged), or that was refused: then the limit is that of the window waited for. */
  headers(cost: number, figures: Figures, now: number, passed: boolean): Headers {
    const all = this.all(figures, now);
    const left = Math.min(...all.map((window) => window.left));
    const refusal = passed ? null : this.refusal(cost, figures, now);
    const remaining = Math.max(0, left);
    const more = passed ? remaining : 0;
    // The longest is last.
    const reported = all.findLast((window) =>
      refusal === null ? window.left === left : window.code === refusal.code,
    );
    const until = reported?.fits(cost, more) ?? now;
    return { limit: reported?.limit ?? 0, remaining, reset: Math.ceil(until / SECOND) };
  }

  private all({ minute, hour, month }: Figures, now: number) {
    const sliding = (window: Sliding, limit: number, code: Refusal) => ({
      code,
      limit,
      left: limit - window.used(now),
      fits: (cost: number, more = 0) => (more > 0 ? window.plus(more, now) : window).fits(cost, limit, now),
    });
    const calls = this.monthCalls(now);
    const ofMonth = (limit: number) => ({
      code: "quota_exceeded" as const,
      limit,
      left: limit - calls,
      fits: (cost: number, more = 0) => (calls + more + cost <= limit ? now : monthAfter(now)),
    });
    return [
      sliding(this.minute, minute, "rate_limited"),
      ...(hour === undefined ? [] : [sliding(this.hour, hour, "ip_rate_limited")]),
      ...(month === undefined ? [] : [ofMonth(month)]),
    ];
  }
}

function monthOf(now: number): string {
  return new Date(now).toISOString().slice(0, 7);
}

export function monthAfter(now: number): number {
  const at = new Date(now);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1);
}

export function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}
