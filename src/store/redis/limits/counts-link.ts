/** Whether the shared counters can be relied on: the store answers, it is the one that was there before, and it knows what each replica knows. */

import type { Redis } from "ioredis";
import type { Instant } from "#domain/time/day.ts";
import type { CountersState } from "#ports/counters.ts";
import type { Clock } from "#ports.ts";
import type { Tell } from "#telemetry.ts";
import type { CountsScripts } from "./counts-scripts.ts";

export interface LinkDeps {
  readonly redis: Redis;
  readonly scripts: CountsScripts;
  readonly clock: Clock;
  readonly tell: Tell;
  readonly later: (milliseconds: number, run: () => void) => () => void;
  /** Names this process among the replicas. */
  readonly replica: string;
  readonly replicas: number;
  /** Tells the store what it does not know; `lost` when it has forgotten everything. */
  readonly handOver: (lost: boolean) => Promise<void>;
  /** Called as soon as the store can be relied on, and as soon as it no longer can. */
  readonly linked: () => void;
  readonly parted: () => void;
  /** At every beat. */
  readonly beat: () => void;
}

export interface Link {
  isLinked(): boolean;
  /** While the store hears the last of what was granted without it: resolves when that is over, either way. */
  joining(): Promise<void> | null;
  /** The store's clock, from the last time it told. */
  sharedNow(): Instant;
  heard(now: Instant): void;
  lost(reason: unknown): void;
  state(): Pick<CountersState, "status" | "detail" | "lastSeenAt">;
  close(): void;
}

/** An emptied store is noticed after this long at the latest, when no caller has noticed it before. */
const BEAT_MILLISECONDS = 200;
const REJOIN_MILLISECONDS = 50;
/** So long the replicas of a store that began anew wait for each other: all of them connect again within half a second. */
const SETTLE_MILLISECONDS = 1500;

export function keepLink(deps: LinkDeps): Link {
  const { redis, scripts, clock, tell, replica, replicas } = deps;
  let isLinked = false;
  let life: string | null = null;
  let lives = 0;
  let offset = 0;
  let fault: string | null = "not connected yet";
  let lastSeenAt: Instant | null = null;
  let isOutage = false;
  let joining: Promise<void> | null = null;
  let closed = false;
  let callOff = () => {};

  const heard = (now: Instant) => {
    lastSeenAt = clock.now();
    offset = now - lastSeenAt;
  };

  const lost = (reason: unknown) => {
    if (closed) return;
    fault = reason instanceof Error ? reason.message : String(reason);
    if (isLinked) deps.parted();
    isLinked = false;
    if (!isOutage)
      tell({ kind: "notice", text: `each replica grants its share of the limits, Redis: ${fault}` });
    isOutage = true;
  };

  const join = async () => {
    const proposed = `${replica}-${lives + 1}`;
    const found = await scripts.join(proposed, life === null ? null : replica, life);
    heard(found.now);
    if (found.life === proposed) lives += 1;
    return found;
  };

  const rejoin = async (): Promise<void> => {
    let found = await join();
    if (found.life !== life) {
      await deps.handOver(true);
      life = found.life;
      found = await join();
      if (found.life !== life) return;
    }
    const isSettled = found.joined >= replicas || found.ageMilliseconds >= SETTLE_MILLISECONDS;
    if (!isSettled) {
      fault = "Redis began anew; the replicas tell it what they know";
      return;
    }
    await deps.handOver(false);
    let over = () => {};
    joining = new Promise((resolve) => {
      over = resolve;
    });
    try {
      // Nothing is granted meanwhile, so this is the last of it.
      await deps.handOver(false);
      if (closed || redis.status !== "ready") return;
      isLinked = true;
      fault = null;
      deps.linked();
    } finally {
      joining = null;
      over();
    }
    if (isOutage) tell({ kind: "notice", text: "the limits are shared through Redis again" });
    isOutage = false;
  };

  const beat = async (): Promise<void> => {
    deps.beat();
    if (redis.status !== "ready") return;
    try {
      if (!isLinked) return await rejoin();
      if ((await join()).life !== life) lost("it was emptied");
    } catch (reason) {
      lost(reason);
    }
  };

  const keepBeating = () => {
    callOff = later(isLinked ? BEAT_MILLISECONDS : REJOIN_MILLISECONDS, async () => {
      await beat();
      if (!closed) keepBeating();
    });
  };
  const { later } = deps;
  redis.on("error", (reason: Error) => {
    if (!isLinked) fault = reason.message;
  });
  redis.on("close", () => lost(fault ?? "the connection was closed"));
  keepBeating();

  return {
    isLinked: () => isLinked,
    joining: () => joining,
    sharedNow: () => clock.now() + offset,
    heard,
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
