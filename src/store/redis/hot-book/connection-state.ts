/** Whether the shared hot book can be reached: its state for /status, and the two events of an outage. */

import type { HotBookState } from "#domain/live/book.ts";
import type { Instant } from "#domain/time/day.ts";
import type { Clock } from "#ports.ts";
import type { Emit } from "#telemetry.ts";

export interface Connection {
  /** Redis has answered, and nothing waits to be written. */
  answered(): void;
  lost(reason: unknown): void;
  /** Whether messages arrive; `fault` says why not. Without them the book is still read at every interval. */
  messages(fault: string | null): void;
  state(): HotBookState;
}

/** A Redis that comes and goes is logged once in a while; an outage in between when it lasts. */
const FLAPPING_MILLISECONDS = 60_000;
const LASTING_MILLISECONDS = 5_000;

export function trackConnection(clock: Clock, emit: Emit): Connection {
  let fault: string | null = "not connected yet";
  let messageFault: string | null = null;
  let lastSeenAt: Instant | null = null;
  let outageSince: Instant | null = null;
  let isLogged = false;
  let lastLoggedAt = Number.NEGATIVE_INFINITY;
  return {
    answered: () => {
      lastSeenAt = clock.now();
      fault = null;
      outageSince = null;
      if (isLogged) emit({ kind: "redis_recovered", use: "hot_book" });
      isLogged = false;
    },
    lost: (reason) => {
      const now = clock.now();
      fault = reasonOf(reason);
      outageSince ??= now;
      if (isLogged) return;
      if (now - lastLoggedAt < FLAPPING_MILLISECONDS && now - outageSince < LASTING_MILLISECONDS) return;
      emit({ kind: "redis_unavailable", use: "hot_book", effect: "served from memory only", detail: fault });
      [isLogged, lastLoggedAt] = [true, now];
    },
    messages: (reason) => {
      messageFault = reason === null ? null : reasonOf(reason);
    },
    state: () => {
      if (fault !== null) return { status: "degraded", detail: `Redis: ${fault}`, lastSeenAt };
      const detail =
        messageFault === null ? null : `no messages from Redis, changes come late: ${messageFault}`;
      return { status: "ok", detail, lastSeenAt };
    },
  };
}

/** In place of messages of the client that do not help an operator. */
const PLAINLY: readonly (readonly [RegExp, string])[] = [
  [/^Reached the max retries/, "the connection was closed"],
  [/^Socket timeout/, "it does not answer, the connection was dropped"],
  [/^Unknown RESP type/, "what answers there does not speak its protocol"],
];

function reasonOf(reason: unknown): string {
  const text = reason instanceof Error ? reason.message : String(reason);
  for (const [pattern, plainly] of PLAINLY) if (pattern.test(text)) return plainly;
  // Of Redis's own errors the first sentence: advice follows, and where in a script it happened.
  return /^[A-Z]+ .*?(?=\. |\.?$)/.exec(text)?.[0] ?? text;
}
