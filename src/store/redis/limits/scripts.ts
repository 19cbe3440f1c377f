/** The scripts of the shared counts as functions. Each is one atomic step; all reject when Redis does not answer, or was emptied. */

import type { Redis } from "ioredis";
import type { Caller } from "#domain/limits/caller.ts";
import type { Counts } from "#domain/limits/counts.ts";
import { monthAt } from "#domain/limits/month.ts";
import { type Day, type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { takeBatch } from "./batch.ts";
import cell from "./cell.lua" with { type: "text" };
import counts from "./counts.lua" with { type: "text" };
import meet from "./meet.lua" with { type: "text" };
import refund from "./refund.lua" with { type: "text" };
import report from "./report.lua" with { type: "text" };
import take from "./take.lua" with { type: "text" };

const LIFE_KEY = "{crossrate}:limits:life";
const REPORTED_KEY = "{crossrate}:limits:joined";

/** What comes before each script that counts. */
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

export interface TakeWish {
  readonly cost: number;
  readonly tokens: number;
  readonly leastRoom: number;
  readonly unspent: number;
  readonly unspentAt: Instant;
  /** Calls used of the month as far as it is known here; null when the ledger was not asked. */
  readonly monthUsed: number | null;
}

/** What a replica granted without the store. */
export interface Report {
  readonly minute: number;
  readonly hour: number;
  readonly month: number;
  /** First day of the month, and its calls as far as the replica knows; null where the store is to go by `month` alone. */
  readonly monthDay: Day;
  readonly monthKnown: number | null;
}

export interface Met {
  readonly life: string;
  readonly ageMilliseconds: number;
  /** Replicas that have reported to this life. */
  readonly reported: number;
  readonly now: Instant;
}

type Argument = string | number;
interface Commands {
  takeCountsBuffer(...words: readonly (Argument | Buffer)[]): Promise<Buffer>;
  refundCounts(...words: readonly Argument[]): Promise<unknown>;
  reportCounts(...words: readonly Argument[]): Promise<unknown>;
  meetStore(...words: readonly Argument[]): Promise<[string, number, number, number]>;
}

/** `life` names the life that takes and refunds mean. `cells` comes before each script: tests put another clock into it. */
export function countsScripts(redis: Redis, life: () => string, cells: string = COUNTS_CELLS) {
  redis.defineCommand("takeCounts", { lua: `${cells}\n${take}` });
  redis.defineCommand("refundCounts", { numberOfKeys: 2, lua: `${cells}\n${refund}` });
  redis.defineCommand("reportCounts", { numberOfKeys: 2, lua: `${cells}\n${report}` });
  redis.defineCommand("meetStore", { numberOfKeys: 2, lua: meet });
  const commands = redis as unknown as Commands;
  const takes = takeBatch(
    (keys, figures) => commands.takeCountsBuffer(keys.length + 1, LIFE_KEY, ...keys, life(), figures),
    REPLY_NUMBERS,
  );
  return {
    take: async (caller: Caller, wish: TakeWish): Promise<CountsReply> => {
      const { minute, hour, month } = caller.allowance;
      const { cost, tokens, leastRoom, unspent, unspentAt, monthUsed } = wish;
      const limits = [cost, minute, hour ?? -1, month ?? -1];
      const figures = [...limits, tokens, leastRoom, unspent, unspentAt, monthUsed ?? -1];
      const { batch, at } = await takes(keyOf(caller), figures);
      return read(batch, at);
    },
    refund: async (caller: Caller, calls: number, at: Instant): Promise<void> => {
      await commands.refundCounts(LIFE_KEY, keyOf(caller), life(), calls, at);
    },
    report: async (caller: Caller, to: string, given: Report): Promise<void> => {
      const { minute, hour, month, monthDay, monthKnown } = given;
      const figures = [minute, hour, month, monthDay, monthKnown ?? -1];
      await commands.reportCounts(LIFE_KEY, keyOf(caller), to, ...figures);
    },
    /** `reportedTo` is the life that `replica` has reported to; `proposed` names a new one. */
    meet: async (proposed: string, replica: string, reportedTo: string | null): Promise<Met> => {
      const keys = [LIFE_KEY, REPORTED_KEY];
      const [found, age, reported, now] = await commands.meetStore(
        ...keys,
        proposed,
        replica,
        reportedTo ?? "",
      );
      return { life: found, ageMilliseconds: age, reported, now };
    },
  };
}

export type CountsScripts = ReturnType<typeof countsScripts>;

/** The braces keep all keys of one caller in one place of a cluster. */
export function keyOf({ kind, id }: Caller): string {
  return `{crossrate:${kind}:${id}}:limits`;
}

function read(reply: Float64Array, from: number): CountsReply {
  const at = (place: number) => reply[from + place] ?? 0;
  const cell = (place: number) => ({ start: at(place), current: at(place + 1), previous: at(place + 2) });
  const month = at(8) < 0 ? null : { ...monthAt(at(8) * MILLISECONDS_PER_DAY), used: at(9) };
  return {
    code: at(0) === 1 ? "charged" : at(0) === 0 ? "refused" : "month_unknown",
    now: at(1),
    counts: { minute: cell(2), hour: cell(5), month },
    tokens: at(10),
  };
}
