/** Compares this machine's clock with the Date of every answer that a host of a source makes. One watch serves all clients. */

import { type HostClock, judgeOwnClock, type OwnClock } from "#domain/intake/own-clock.ts";
import type { Instant } from "#domain/time/day.ts";
import type { Clock } from "#ports.ts";
import { dateOf } from "./date.ts";

/** Far more than there are sources. */
const MOST_HOSTS = 64;

export interface ClockWatch {
  /** Notes an answer of the host of a public address, as its headers arrive. */
  note(url: string, headers: Headers): void;
  /** What the answers of this moment say. */
  verdict(): OwnClock;
}

export function openClockWatch(clock: Clock): ClockWatch {
  const answers = new Map<string, HostClock>();
  return {
    note(url, headers) {
      const at: Instant = clock.now();
      const { date, age } = dateOf(headers);
      // An answer from a cache is of another moment.
      if (date === null || age > 0) return;
      const { host } = new URL(url);
      answers.delete(host);
      answers.set(host, { host, at, ahead: at - date });
      const oldest = answers.keys().next().value;
      if (answers.size > MOST_HOSTS && oldest !== undefined) answers.delete(oldest);
    },
    verdict: () => judgeOwnClock(answers.values(), clock.now()),
  };
}
