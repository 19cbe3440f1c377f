/** The counters' scripts as functions. Each is one atomic step on one caller's hash; all reject when Redis does not answer. */

import type { Redis } from "ioredis";
import type { Caller } from "#domain/limits/caller.ts";
import type { Counts } from "#domain/limits/counts.ts";
import { monthAt } from "#domain/limits/month.ts";
import { type Day, type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import cell from "./cell.lua" with { type: "text" };
import counts from "./counts.lua" with { type: "text" };
import handOver from "./hand-over-counts.lua" with { type: "text" };
import join from "./join-limits.lua" with { type: "text" };
import refund from "./refund-counts.lua" with { type: "text" };
import { takeBatch } from "./take-batch.ts";
import take from "./take-counts.lua" with { type: "text" };

/** Two of the longest sliding windows and the minute in which it is not set anew; the scripts add the rest of a month that counts. */
const KEPT_MILLISECONDS = 7_500_000;
const LIFE_KEY = "{crossrate}:limits:life";
const JOINED_KEY = "{crossrate}:limits:joined";

/** What comes before each script. */
export const COUNTS_CELLS = `${cell}\n${counts}`;

/** Numbers of one reply. */
const REPLY_NUMBERS = 12;

export interface CountsReply {
  readonly code: "charged" | "refused" | "month_unknown";
  /** The store's clock. */
  readonly now: Instant;
  readonly counts: Counts;
  /** Tokens leased. */
  readonly tokens: number;
  /** When the store began to count this caller: another instant than before means that it has forgotten in between. */
  readonly born: Instant;
}

export interface TakeWish {
  readonly cost: number;
  readonly tokens: number;
  readonly leastRoom: number;
  readonly unspent: number;
  readonly unspentAt: Instant;
  /** Calls used of the month as far as the ledger knows; null when it was not asked. */
  readonly monthUsed: number | null;
}

export interface HandOver {
  /** As last seen in a store that has lost it; null when it has lost nothing. */
  readonly seen: Counts | null;
  readonly minute: number;
  readonly hour: number;
  readonly month: number;
  readonly monthDay: Day;
  /** Null when unknown. */
  readonly monthUsed: number | null;
}

export interface Life {
  readonly life: string;
  readonly ageMilliseconds: number;
  /** Replicas that have handed over to it. */
  readonly joined: number;
  readonly now: Instant;
}

type Script = (...words: (string | number)[]) => Promise<number[]>;
interface Scripts {
  takeCountsBuffer(...words: readonly (string | number | Buffer)[]): Promise<Buffer>;
  readonly refundCounts: Script;
  readonly handOverCounts: Script;
  joinLimits(...words: (string | number)[]): Promise<[string, number, number, number]>;
}

/** The counters' own names for the scripts on a connection. `cells` comes before each: tests put another clock into it. */
export function countsScripts(redis: Redis, cells: string = COUNTS_CELLS) {
  for (const [name, lua] of Object.entries({ refundCounts: refund, handOverCounts: handOver }))
    redis.defineCommand(name, { numberOfKeys: 1, lua: `${cells}\n${lua}` });
  redis.defineCommand("takeCounts", { lua: `${cells}\n${take}` });
  redis.defineCommand("joinLimits", { numberOfKeys: 2, lua: join });
  const scripts = redis as unknown as Scripts;
  const takes = takeBatch(
    (keys, figures) => scripts.takeCountsBuffer(keys.length, ...keys, figures),
    REPLY_NUMBERS,
  );
  return {
    take: async (caller: Caller, wish: TakeWish): Promise<CountsReply> => {
      const { minute, hour, month } = caller.allowance;
      const { cost, tokens, leastRoom, unspent, unspentAt, monthUsed } = wish;
      const limits = [cost, minute, hour ?? -1, month ?? -1];
      const lease = [tokens, leastRoom, unspent, unspentAt];
      const rest = [monthUsed ?? -1, KEPT_MILLISECONDS];
      const { batch, at } = await takes(keyOf(caller), [...limits, ...lease, ...rest]);
      return read(batch, at);
    },
    refund: async (caller: Caller, calls: number, at: Instant): Promise<CountsReply> =>
      read(await scripts.refundCounts(keyOf(caller), calls, at, KEPT_MILLISECONDS)),
    handOver: async (caller: Caller, given: HandOver): Promise<CountsReply> => {
      const { seen, minute, hour, month, monthDay, monthUsed } = given;
      const cell = (one: Counts["minute"] | undefined) => [
        one?.start ?? 0,
        one?.current ?? 0,
        one?.previous ?? 0,
      ];
      const charges = [minute, hour, month, monthDay, monthUsed ?? -1];
      const words = [...cell(seen?.minute), ...cell(seen?.hour), ...charges, KEPT_MILLISECONDS];
      return read(await scripts.handOverCounts(keyOf(caller), ...words));
    },
    /** `replica` when it has handed over to `life`, else null. */
    join: async (proposed: string, replica: string | null, life: string | null): Promise<Life> => {
      const [name, age, joined, now] = await scripts.joinLimits(
        LIFE_KEY,
        JOINED_KEY,
        proposed,
        replica ?? "",
        life ?? "",
      );
      return { life: name, ageMilliseconds: age, joined, now };
    },
  };
}

export type CountsScripts = ReturnType<typeof countsScripts>;

/** The braces keep whatever is one caller's in one place of a cluster. */
export function keyOf({ kind, id }: Caller): string {
  return `{crossrate:${kind}:${id}}:limits`;
}

function read(reply: ArrayLike<number>, from = 0): CountsReply {
  const at = (place: number) => reply[from + place] ?? 0;
  const cell = (place: number) => ({ start: at(place), current: at(place + 1), previous: at(place + 2) });
  const month = at(8) < 0 ? null : { ...monthAt(at(8) * MILLISECONDS_PER_DAY), used: at(9) };
  return {
    code: at(0) === 1 ? "charged" : at(0) === 0 ? "refused" : "month_unknown",
    now: at(1),
    counts: { minute: cell(2), hour: cell(5), month },
    tokens: at(10),
    born: at(11),
  };
}
