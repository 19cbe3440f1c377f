/** The Date and the Age of answers (RFC 9110 §6.6.1, RFC 9111 §5.1), and a watch that compares this machine's clock with them and with a store's. */

import { type HostClock, isClockProven, judgeOwnClock } from "#domain/intake/reading.ts";
import type { Instant } from "#domain/time/day.ts";
import type { Clock } from "#ports.ts";

/** Far more than there are sources. */
const MOST_HOSTS = 64;

export type ClockWatch = ReturnType<typeof openClockWatch>;

/** A clock that was set on purpose (`isSet`: NOW, the demo) is compared with no other, and is right. */
export function openClockWatch(clock: Clock, isSet = false) {
  const answers = new Map<string, HostClock>();
  const record = (host: string, time: Instant, isStore: boolean) => {
    if (isSet) return;
    const at: Instant = clock.now();
    answers.delete(host);
    answers.set(host, { host, at, ahead: at - time, isStore });
    const oldest = answers.keys().next().value;
    if (answers.size > MOST_HOSTS && oldest !== undefined) answers.delete(oldest);
  };
  return {
    /** Records the Date that the host of `url` answered. Call it when the headers arrive. */
    note(url: string, headers: Headers): void {
      const { date, age } = dateOf(headers);
      // The Date of a cached answer is not the present time.
      if (date !== null && age === 0) record(new URL(url).host, date, false);
    },
    /** Records the time that a store of this installation has just answered. */
    compare: (store: string, time: Instant) => record(store, time, true),
    verdict: () => judgeOwnClock(answers.values(), clock.now()),
    /** False while no host has confirmed the clock: nothing may then be removed by its age. */
    isProven: () => isSet || isClockProven(answers.values(), clock.now()),
  };
}

const IMF_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** An HTTP date (RFC 9110 §5.6.7); null where it is absent or unreadable. */
export function imfDate(text: string | null): Instant | null {
  return text !== null && IMF_DATE.test(text) ? Date.parse(text) : null;
}

/** `date` is null where it is absent or unreadable; `age`, the seconds in caches, is 0 there. */
function dateOf(headers: Headers): { readonly date: Instant | null; readonly age: number } {
  const at = imfDate(headers.get("date"));
  const age = headers.get("age")?.trim() ?? "";
  return { date: at, age: /^[1-9]\d{0,8}$/.test(age) ? Number(age) : 0 };
}

/**
 * When the origin made the answer; null without a readable Date. Some caches keep the origin's Date and some write their own,
 * so a positive Age counts back from the arrival, and the earlier time is taken.
 */
export function originTime(headers: Headers, retrievedAt: Instant): Instant | null {
  const { date, age } = dateOf(headers);
  if (date === null) return null;
  return age > 0 ? Math.min(date, retrievedAt - age * 1000) : date;
}
