/** The shared counts in Redis: asked while it answers, and only for callers whose longest window it has counted. */

import { type Allowance, type Caller, WIDTHS } from "#domain/limits/counts.ts";
import type { Moment } from "#domain/limits/quota-status.ts";
import type { Instant } from "#domain/time/day.ts";
import type { CountersState } from "#ports/ledger.ts";
import type { Clock } from "#ports.ts";
import type { RedisConnection } from "#store/redis/connection/connection.ts";
import type { Emit } from "#telemetry.ts";
import { type Charge, type CountsReply, countsScripts } from "./scripts.ts";

export interface LinkDeps {
  readonly clock: Clock;
  readonly emit: Emit;
  /** Waits, then calls; returns how to call it off. */
  readonly later: (milliseconds: number, run: () => void) => () => void;
}

export type Link = ReturnType<typeof openLink>;

/** A Redis that has lost counts is noticed after this long, when no call has noticed it before. */
const HEARTBEAT_MILLISECONDS = 200;
const RECONNECT_MILLISECONDS = 50;

/** `heartbeat` is called a few times a second while Redis answers. */
export function openLink(redis: RedisConnection, { clock, emit, later }: LinkDeps, heartbeat: () => void) {
  let life = "";
  /** A process that has met no other life has lost no counts. */
  let firstLife = "";
  let beats = 0;
  let countedFor = 0;
  let isUp = false;
  let returns = 0;
  let fault: string | null = "not connected yet";
  let isOutage = false;
  let offset = 0;
  let lastSeenAt: Instant | null = null;
  let closed = false;
  let callOff = () => {};
  /** Now by the clock of Redis, as of its last answer, and by this process's. */
  const moment = (): Moment => {
    const wall = clock.now();
    return { now: wall + offset, wall };
  };
  const scripts = countsScripts(redis, () => ({ life, now: moment().now }));

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
    const effect = "each replica grants its share";
    emit({ kind: "redis_unavailable", use: "limits", effect, detail: fault });
  };
  const meet = async (): Promise<void> => {
    const met = await scripts.meet(beats);
    if (closed || redis.status !== "ready") return;
    answered(met.now);
    if (met.life !== life && life !== "") lost("it was emptied or set back");
    ({ life, beats } = met);
    firstLife ||= life;
    countedFor = life === firstLife ? Number.POSITIVE_INFINITY : met.ageMilliseconds;
    if (!isUp) returns += 1;
    isUp = true;
    fault = uncounted(countedFor);
    if (isOutage && countedFor >= WIDTHS.minute) {
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
  // While it looks for a sentinel that answers, the client only reports errors.
  redis.on("error", (reason) => {
    if (!isUp) lost(reason);
  });
  redis.on("close", () => lost(fault ?? "the connection was closed"));
  keepBeating();

  return {
    /**
     * Whether Redis counts these windows. One that has lost counts does not before it has counted for as long as the longest
     * of them: so the calls of any window's length were counted by Redis in one life only, or by shares.
     */
    counts: ({ hour }: Allowance) => isUp && countedFor >= WIDTHS[hour === null ? "minute" : "hour"],
    /** Charges in Redis; null where it does not answer, or has lost counts. */
    take: async (caller: Caller, charge: Charge): Promise<CountsReply | null> => {
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
    /** How many times Redis has come, or come back. A month compared at another time is not to be relied on. */
    returns: () => returns,
    moment,
    state: (): Pick<CountersState, "status" | "detail" | "lastSeenAt"> => ({
      status: isUp && countedFor >= WIDTHS.minute ? "ok" : "degraded",
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
  if (countedFor >= WIDTHS.hour) return null;
  if (countedFor >= WIDTHS.minute)
    return "it was emptied or set back within the last hour; of client addresses each replica grants its share";
  return "it was emptied or set back within the last minute; each replica grants its share";
}
