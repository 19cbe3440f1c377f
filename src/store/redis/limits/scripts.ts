/** The scripts of the shared counts as functions. Each is one atomic step; all reject when Redis does not answer, or was emptied. */

import type { Redis } from "ioredis";
import type { Caller } from "#domain/limits/caller.ts";
import type { Counts } from "#domain/limits/counts.ts";
import { type MonthCell, monthAt, monthDay } from "#domain/limits/month.ts";
import { type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { takeBatch } from "./batch.ts";
import cell from "./cell.lua" with { type: "text" };
import counts from "./counts.lua" with { type: "text" };
import life from "./life.lua" with { type: "text" };
import take from "./take.lua" with { type: "text" };

/** The microsecond in which this Redis was first used since it was last empty. */
export const LIFE_KEY = "{crossrate}:limits:began";
const MICROSECONDS_PER_MILLISECOND = 1000;

/** What comes before the script that counts. */
export const COUNTS_CELLS = `${cell}\n${counts}`;

/** Numbers of one reply. */
const REPLY_NUMBERS = 11;

export interface CountsReply {
  readonly code: "charged" | "refused" | "month_unknown";
  /** The store's clock. */
  readonly now: Instant;
  readonly counts: Counts;
  /** Tokens leased. */
  readonly tokens: number;
}

/** Calls to charge, with what is settled beside them. */
export interface Charge {
  /** 0 charges nothing. */
  readonly cost: number;
  /** Calls to give back before, and when they were charged. */
  readonly unspent?: number;
  readonly unspentAt?: Instant;
  /** Tokens to lease, where there is so much room for each. */
  readonly tokens?: number;
  readonly leastRoom?: number;
  /** What this replica knows of the month: the larger figure holds. Null where it did not ask the ledger. */
  readonly month?: MonthCell | null;
}

export interface Met {
  /** Names the life of Redis, which lasts until it is emptied. */
  readonly life: string;
  readonly ageMilliseconds: number;
  readonly now: Instant;
}

interface Commands {
  takeCountsBuffer(...words: readonly (number | string | Buffer)[]): Promise<Buffer>;
  meetStore(key: string): Promise<[string, number]>;
}

/** `lifeMeant` names the life that calls are charged in. `cells` comes before the script: tests put another clock into it. */
export function countsScripts(redis: Redis, lifeMeant: () => string, cells: string = COUNTS_CELLS) {
  redis.defineCommand("takeCounts", { lua: `${cells}\n${take}` });
  redis.defineCommand("meetStore", { numberOfKeys: 1, lua: `${cell}\n${life}` });
  const commands = redis as unknown as Commands;
  const takes = takeBatch(
    (keys, figures) => commands.takeCountsBuffer(keys.length + 1, LIFE_KEY, ...keys, lifeMeant(), figures),
    REPLY_NUMBERS,
    read,
  );
  return {
    take: (caller: Caller, charge: Charge): Promise<CountsReply> => {
      const { minute, hour, month } = caller.allowance;
      const { cost, unspent = 0, unspentAt = 0, tokens = 0, leastRoom = 1, month: known = null } = charge;
      const [ofMonth, used] = known === null ? [-1, 0] : [monthDay(known), known.used];
      const limits = [cost, minute, hour ?? -1, month ?? -1];
      return takes(keyOf(caller), [...limits, tokens, leastRoom, unspent, unspentAt, ofMonth, used]);
    },
    meet: async (): Promise<Met> => {
      const [met, now] = await commands.meetStore(LIFE_KEY);
      return { life: met, ageMilliseconds: now - Number(met) / MICROSECONDS_PER_MILLISECOND, now };
    },
  };
}

export function keyOf({ kind, id }: Caller): string {
  return `{crossrate:${kind}:${id}}:limits`;
}

function read(numbers: Float64Array, from: number): CountsReply {
  const at = (place: number) => numbers[from + place] ?? 0;
  const cell = (place: number) => ({ start: at(place), current: at(place + 1), previous: at(place + 2) });
  const month = at(8) < 0 ? null : { ...monthAt(at(8) * MILLISECONDS_PER_DAY), used: at(9) };
  return {
    code: at(0) === 1 ? "charged" : at(0) === 0 ? "refused" : "month_unknown",
    now: at(1),
    counts: { minute: cell(2), hour: cell(5), month },
    tokens: at(10),
  };
}
