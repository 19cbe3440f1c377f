/** Whether the shared hot book can be reached: what /status shows of it, and the two lines an operator gets of an outage. */

import type { HotBookState } from "#domain/book.ts";
import type { Instant } from "#domain/day.ts";
import type { Clock } from "#ports.ts";
import type { Tell } from "#telemetry.ts";

export interface Reach {
  /** Redis has answered, and nothing waits to be written. */
  answered(): void;
  lost(reason: unknown): void;
  /** Whether messages arrive; `fault` says why not. Without them the book is still read at every interval. */
  messages(fault: string | null): void;
  state(): HotBookState;
}

export function trackReach(clock: Clock, tell: Tell): Reach {
  let fault: string | null = "not connected yet";
  let messageFault: string | null = null;
  let lastSeenAt: Instant | null = null;
  let isOutage = false;
  return {
    answered: () => {
      lastSeenAt = clock.now();
      fault = null;
      if (isOutage) tell({ kind: "notice", text: "the hot book is shared through Redis again" });
      isOutage = false;
    },
    lost: (reason) => {
      fault = reason instanceof Error ? reason.message : String(reason);
      if (!isOutage)
        tell({ kind: "notice", text: `the hot book is served from memory only, Redis: ${fault}` });
      isOutage = true;
    },
    messages: (reason) => {
      messageFault = reason;
    },
    state: () => {
      if (fault !== null) return { status: "degraded", detail: `Redis: ${fault}`, lastSeenAt };
      const detail =
        messageFault === null ? null : `no messages from Redis, changes come late: ${messageFault}`;
      return { status: "ok", detail, lastSeenAt };
    },
  };
}
