/** Whether the shared counts can be relied on: Redis answers, and the life of it that answers has the reports of all replicas. */

import type { Redis } from "ioredis";
import type { Instant } from "#domain/time/day.ts";
import type { CountersState } from "#ports/counters.ts";
import type { Clock } from "#ports.ts";
import type { Emit } from "#telemetry.ts";
import type { CountsScripts, Met } from "./scripts.ts";

export interface LinkDeps {
  readonly redis: Redis;
  readonly scripts: CountsScripts;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly later: (milliseconds: number, run: () => void) => () => void;
  /** Names this process among the replicas. */
  readonly replica: string;
  readonly replicas: number;
  /** Reports to this life of Redis what it does not have. Rejects when Redis does not answer. */
  readonly report: (life: string) => Promise<void>;
  /** Called as soon as Redis cannot be relied on, and at every heartbeat while it can. */
  readonly parted: () => void;
  readonly heartbeat: () => void;
}

export interface Link {
  isLinked(): boolean;
  /** The life of Redis that has this replica's reports; null before the first one. */
  life(): string | null;
  /** The store's clock, as of its last answer. */
  sharedNow(): Instant;
  answered(now: Instant): void;
  lost(reason: unknown): void;
  state(): Pick<CountersState, "status" | "detail" | "lastSeenAt">;
  close(): void;
}

/** An emptied Redis is noticed after this long, when no call has noticed it before. */
const HEARTBEAT_MILLISECONDS = 200;
const RECONNECT_MILLISECONDS = 50;
/** So long the replicas of a Redis that began anew wait for each other's reports: all of them connect again within half a second. */
const SETTLE_MILLISECONDS = 1500;

export function openLink(deps: LinkDeps): Link {
  const { redis, scripts, clock, emit, replica, replicas, later } = deps;
  let isLinked = false;
  let life: string | null = null;
  let proposals = 0;
  let offset = 0;
  let fault: string | null = "not connected yet";
  let lastSeenAt: Instant | null = null;
  let isOutage = false;
  let closed = false;
  let callOff = () => {};

  const answered = (now: Instant) => {
    lastSeenAt = clock.now();
    offset = now - lastSeenAt;
  };

  const lost = (reason: unknown) => {
    if (closed) return;
    const message = reason instanceof Error ? reason.message : String(reason);
    fault = message.replace(/^EMPTIED /, "");
    if (isLinked) deps.parted();
    isLinked = false;
    if (!isOutage)
      emit({
        kind: "redis_unavailable",
        use: "limits",
        effect: "each replica grants its share",
        detail: fault,
      });
    isOutage = true;
  };

  const meet = async (): Promise<Met> => {
    proposals += 1;
    const met = await scripts.meet(`${replica}-${proposals}`, replica, life);
    answered(met.now);
    return met;
  };

  const reconcile = async (): Promise<void> => {
    let met = await meet();
    await deps.report(met.life);
    if (met.life !== life) {
      life = met.life;
      met = await meet();
    }
    if (closed || redis.status !== "ready" || met.life !== life) return;
    if (met.reported < replicas && met.ageMilliseconds < SETTLE_MILLISECONDS) {
      fault = "Redis began anew; the replicas report what they granted";
      return;
    }
    isLinked = true;
    fault = null;
    if (isOutage) emit({ kind: "redis_recovered", use: "limits" });
    isOutage = false;
    // What was granted during the report.
    await deps.report(life);
  };

  const heartbeat = async (): Promise<void> => {
    if (redis.status !== "ready") return;
    try {
      if (!isLinked) return await reconcile();
      deps.heartbeat();
      if ((await meet()).life !== life) lost("it was emptied");
      else if (life !== null) await deps.report(life);
    } catch (reason) {
      lost(reason);
    }
  };

  const keepBeating = () => {
    callOff = later(isLinked ? HEARTBEAT_MILLISECONDS : RECONNECT_MILLISECONDS, async () => {
      await heartbeat();
      if (!closed) keepBeating();
    });
  };
  redis.on("error", (reason: Error) => {
    if (!isLinked) fault = reason.message;
  });
  redis.on("close", () => lost(fault ?? "the connection was closed"));
  keepBeating();

  return {
    isLinked: () => isLinked,
    life: () => life,
    sharedNow: () => clock.now() + offset,
    answered,
    lost,
    state: () => ({
      status: isLinked ? "ok" : "degraded",
      detail: fault === null ? null : `Redis: ${fault}`,
      lastSeenAt,
    }),
    close: () => {
      closed = true;
      isLinked = false;
      callOff();
    },
  };
}
