/** The shared counts in Redis: asked while it answers, and only for callers whose longest window it has counted. */

import type { Redis } from "ioredis";
import {
  type Allowance,
  type Caller,
  HOUR_MILLISECONDS,
  MINUTE_MILLISECONDS,
} from "#domain/limits/caller.ts";
import type { Instant } from "#domain/time/day.ts";
import type { CountersState } from "#ports/counters.ts";
import type { Clock } from "#ports.ts";
import type { Emit } from "#telemetry.ts";
import { type Charge, type CountsReply, countsScripts } from "./scripts.ts";

export interface LinkDeps {
  readonly redis: Redis;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly later: (milliseconds: number, run: () => void) => () => void;
  /** Called a few times a second while Redis answers. */
  readonly heartbeat: () => void;
}

export interface Link {
  /**
   * Whether Redis counts these windows. One that was emptied does not before it has counted for as long as the longest
   * of them: so the calls of any window's length were counted by Redis in one life only, or by shares.
   */
  counts(allowance: Allowance): boolean;
  /** Charges in Redis; null where it does not answer, or was emptied. */
  take(caller: Caller, charge: Charge): Promise<CountsReply | null>;
  /** How many times Redis has come, or come back. Leases and months of another time are not to be relied on. */
  returns(): number;
  /** The clock of Redis, as of its last answer. */
  sharedNow(): Instant;
  state(): Pick<CountersState, "status" | "detail" | "lastSeenAt">;
  close(): void;
}

/** An emptied Redis is noticed after this long, when no call has noticed it before. */
const HEARTBEAT_MILLISECONDS = 200;
const RECONNECT_MILLISECONDS = 50;

export function openLink({ redis, clock, emit, later, heartbeat }: LinkDeps): Link {
  let life = "";
  /** A process that has met no other life has lost no counts. */
  let firstLife = "";
  let countedFor = 0;
  let isUp = false;
  let returns = 0;
  let fault: string | null = "not connected yet";
  let isOutage = false;
  let offset = 0;
  let lastSeenAt: Instant | null = null;
  let closed = false;
  let callOff = () => {};
  const scripts = countsScripts(redis, () => life);

  const answered = (now: Instant) => {
    lastSeenAt = clock.now();
    offset = now - lastSeenAt;
  };

  const lost = (reason: unknown) => {
    if (closed) return;
    const message = reason instanceof Error ? reason.message : String(reason);
    fault = message.replace(/^EMPTIED /, "");
    isUp = false;
    if (isOutage) return;
    isOutage = true;
    emit({
      kind: "redis_unavailable",
      use: "limits",
      effect: "each replica grants its share",
      detail: fault,
    });
  };

  const meet = async (): Promise<void> => {
    const met = await scripts.meet();
    if (closed || redis.status !== "ready") return;
    answered(met.now);
    if (met.life !== life && life !== "") lost("it was emptied");
    life = met.life;
    firstLife ||= life;
    countedFor = life === firstLife ? Number.POSITIVE_INFINITY : met.ageMilliseconds;
    if (!isUp) returns += 1;
    isUp = true;
    fault = uncounted(countedFor);
    if (isOutage && countedFor >= MINUTE_MILLISECONDS) {
      isOutage = false;
      emit({ kind: "redis_recovered", use: "limits" });
    }
  };

  const keepBeating = () => {
    callOff = later(isUp ? HEARTBEAT_MILLISECONDS : RECONNECT_MILLISECONDS, async () => {
      if (redis.status === "ready") await meet().catch(lost);
      if (isUp) heartbeat();
      if (!closed) keepBeating();
    });
  };
  redis.on("error", (reason: Error) => {
    if (!isUp) fault = reason.message;
  });
  redis.on("close", () => lost(fault ?? "the connection was closed"));
  keepBeating();

  return {
    counts: ({ hour }) => isUp && countedFor >= (hour === null ? MINUTE_MILLISECONDS : HOUR_MILLISECONDS),
    take: async (caller, charge) => {
      if (!isUp) return null;
      try {
        const reply = await scripts.take(caller, charge);
        answered(reply.now);
        return reply;
      } catch (reason) {
        lost(reason);
        return null;
      }
    },
    returns: () => returns,
    sharedNow: () => clock.now() + offset,
    state: () => ({
      status: isUp && countedFor >= MINUTE_MILLISECONDS ? "ok" : "degraded",
      detail: fault === null ? null : `Redis: ${fault}`,
      lastSeenAt,
    }),
    close: () => {
      closed = true;
      isUp = false;
      callOff();
    },
  };
}

/** What Redis does not count yet, for an operator; null for nothing. */
function uncounted(countedFor: number): string | null {
  if (countedFor >= HOUR_MILLISECONDS) return null;
  if (countedFor >= MINUTE_MILLISECONDS)
    return "it was emptied within the last hour; of client addresses each replica grants its share";
  return "it was emptied within the last minute; each replica grants its share";
}
