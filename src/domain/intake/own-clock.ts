/** What the hosts of the sources say about this machine's clock, by the time at which each made its answer. */

import type { Instant } from "#domain/time/day.ts";

/** The newest answer of one host: when it came, and how far this machine's clock was ahead of the host's then, in milliseconds. */
export interface HostClock {
  readonly host: string;
  readonly at: Instant;
  readonly ahead: number;
}

export interface OwnClock {
  /** `off`: more than two minutes. `wrong`: more than an hour, and nothing is committed. */
  readonly status: "ok" | "off" | "wrong";
  /** Milliseconds by which this machine's clock is ahead, negative when it is behind; 0 while it is ok. */
  readonly ahead: number;
  /** What is wrong and what to do; null when nothing is. */
  readonly detail: string | null;
}

const MINUTE = 60_000;
const OFF_AFTER = 2 * MINUTE;
const WRONG_AFTER = 60 * MINUTE;
/** An answer speaks of the clock of its own moment. One from after now is of a clock that was set back since. */
const COUNTS_FOR = 60 * MINUTE;
export const RIGHT_CLOCK: OwnClock = { status: "ok", ahead: 0, detail: null };

/**
 * Two hosts at the least must agree on the direction, and outnumber those that do not: a host can be wrong, and a cache can pass on
 * an old Date. The smallest of their differences counts.
 */
export function judgeOwnClock(answers: Iterable<HostClock>, now: Instant): OwnClock {
  const recent = [...answers].filter(({ at }) => at <= now && now - at <= COUNTS_FOR);
  for (const [status, limit] of [
    ["wrong", WRONG_AFTER],
    ["off", OFF_AFTER],
  ] as const) {
    for (const sign of [1, -1]) {
      const beyond = recent.filter(({ ahead }) => ahead * sign > limit);
      if (beyond.length < 2 || beyond.length * 2 <= recent.length) continue;
      const size = Math.min(...beyond.map(({ ahead }) => ahead * sign));
      return { status, ahead: size * sign, detail: sentence(status, size, sign, beyond) };
    }
  }
  return RIGHT_CLOCK;
}

function sentence(status: "off" | "wrong", size: number, sign: number, beyond: readonly HostClock[]): string {
  const hosts = beyond.map(({ host }) => host).sort();
  const named =
    hosts.length > 3 ? `${hosts.slice(0, 3).join(", ")} and ${hosts.length - 3} more` : hosts.join(" and ");
  const minutes = Math.floor(size / MINUTE);
  const stops = status === "wrong" ? ", and nothing is committed" : "";
  return `this machine's clock is ${minutes} min ${sign > 0 ? "ahead of" : "behind"} ${named}${stops}: set it by NTP`;
}
