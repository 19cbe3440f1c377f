/**
 * Attempts that replicas count together in Redis. While Redis does not answer, each replica counts by itself, with its share of the
 * limits.
 */

import { ATTEMPT_LIMITS, attemptWait } from "#domain/limits/counts.ts";
import type { Attempts, Gate } from "#ports/ledger.ts";
import { memoryAttempts } from "#store/memory/attempts/attempts.ts";
import { connectRedis, logRefusals } from "#store/redis/connection/connection.ts";
import cell from "#store/redis/limits/cell.lua" with { type: "text" };
import type { Emit } from "#telemetry.ts";
import attempts from "./attempts.lua" with { type: "text" };

export interface RedisAttemptsDeps {
  readonly url: string;
  /** A keyed hash, the same in every replica: neither the person nor the address can be read or guessed from the stored value. */
  readonly hide: (text: string) => string;
  /** The expected number of replicas: each grants its share of a limit while Redis is away. */
  readonly replicas: number;
  readonly emit: Emit;
  /** Tests put another clock into it. */
  readonly script?: string;
}

export interface RedisAttempts extends Attempts {
  close(): void;
}

export const ATTEMPTS_SCRIPT = `${cell}\n${attempts}`;

/**
 * Starts connecting. Attempts that are granted while Redis is away are not reported to it afterwards: within one window they are at
 * most the limit once more, or one attempt a replica if that is more.
 */
export function openRedisAttempts(deps: RedisAttemptsDeps): RedisAttempts {
  const { hide, replicas, emit, script = ATTEMPTS_SCRIPT } = deps;
  const redis = connectRedis(deps.url, "crossrate-attempts");
  // Outages are logged by the counters of plans.
  redis.on("error", () => {});
  const local = memoryAttempts({ replicas });
  const refusals = logRefusals(
    emit,
    "sign_in_attempts",
    "attempts to sign in are counted by each process by itself",
  );
  // The limit is hidden together with the person: the gates of one person cannot be linked.
  const keyOf = ({ limit, key }: Gate) => `{crossrate}:attempts:${hide(`attempts ${limit} ${key}`)}`;

  const take = async (gates: readonly Gate[]): Promise<number> => {
    const limits = gates.map(({ limit }) => ATTEMPT_LIMITS[limit]);
    const figures = limits.flatMap(({ most, milliseconds }) => [most, milliseconds]);
    if (redis.status !== "ready") throw new Error("there is no connection");
    const reply = await redis.eval(script, gates.length, ...gates.map(keyOf), ...figures);
    const [passed, now, ...cells] = reply as [number, number, ...number[]];
    if (passed === 1) return 0;
    const waits = limits.map((limit, nth) => {
      const [start = 0, current = 0, previous = 0] = cells.slice(3 * nth, 3 * nth + 3);
      return attemptWait({ start, current, previous }, limit, now);
    });
    return Math.max(...waits);
  };

  return {
    take: async (gates, now) => {
      try {
        const wait = await take(gates);
        refusals.works();
        return wait;
      } catch (fault) {
        refusals.failed(fault);
        return local.take(gates, now);
      }
    },
    clear: async (gate) => {
      local.clear(gate);
      // At worst a person who knows the password waits for attempts that were counted before.
      if (redis.status === "ready") await redis.del(keyOf(gate)).catch(refusals.failed);
    },
    close: () => redis.disconnect(),
  };
}
