/**
 * Calls counted in Redis for all replicas, by atomic scripts: while Redis answers, and only in windows that it has counted from
 * their beginning.
 */

import {
  type Allowance,
  type Caller,
  type Counts,
  type MonthCell,
  monthAt,
  monthDay,
  WIDTHS,
} from "#domain/limits/counts.ts";
import { countedAs, type Moment } from "#domain/limits/quota-status.ts";
import { type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { CountersState } from "#ports/ledger.ts";
import type { Clock } from "#ports.ts";
import type { RedisConnection } from "#store/redis/connection/connection.ts";
import type { Emit } from "#telemetry.ts";
import cell from "./cell.lua" with { type: "text" };
import life from "./life.lua" with { type: "text" };
import take from "./take.lua" with { type: "text" };

/** The key of the life of Redis: the microsecond of its first use since it last lost counts. */
export const LIFE_KEY = "{crossrate}:limits:began";
/** The key of the beats: how often Redis was asked for its life. The number falls only when Redis loses data. */
export const BEATS_KEY = "{crossrate}:limits:beats";
const MICROSECONDS_PER_MILLISECOND = 1000;
export const TAKE_SCRIPT = `${cell}\n${take}`;
/** A script of so many calls blocks Redis for less than a millisecond. A call that counts for networks too counts as several. */
export const MOST_CALLS = 64;
const ASKED_NUMBERS = 12;
const REPLY_NUMBERS = 11;

export interface Charge {
  /** 0 charges nothing. */
  readonly cost: number;
  /** Calls to give back first, and when they were charged. */
  readonly unspent?: number;
  readonly unspentAt?: Instant;
  /** Tokens to lease, and the least room for each of them. */
  readonly tokens?: number;
  readonly leastRoom?: number;
  /** The month as this replica knows it: the larger figure holds. Null when the ledger was not asked. */
  readonly month?: MonthCell | null;
}

export interface CountsReply {
  /** `month_unknown`: Redis has no count of the month, or its clock is in another month than the expected one. */
  readonly code: "charged" | "refused" | "month_unknown";
  /** The clock of Redis. */
  readonly now: Instant;
  readonly counts: Counts;
  /** The counts of the networks around the caller, in the order of `countedAs`. */
  readonly around: readonly Counts[];
  readonly tokens: number;
}

/** The calls of one turn of the event loop. */
interface Batch {
  /** The life and the hashes of the callers, each once, with its place in KEYS. */
  readonly keys: Map<string, number>;
  readonly figures: number[];
  readonly calls: (PromiseWithResolvers<CountsReply> & { readonly counted: number })[];
}

interface Commands {
  takeCountsBuffer(...words: readonly (number | string | Buffer)[]): Promise<Buffer>;
  meetStore(...words: readonly (number | string)[]): Promise<[string, number, number]>;
}

/** `meant` returns the expected life of Redis, which a loss of counts ends, and its clock. Tests put a clock into `script`. */
export function countsScripts(
  redis: RedisConnection,
  meant: () => { life: string; now: Instant },
  script = TAKE_SCRIPT,
) {
  redis.defineCommand("takeCounts", { lua: script });
  redis.defineCommand("meetStore", { numberOfKeys: 2, lua: `${cell}\n${life}` });
  const commands = redis as unknown as Commands;
  let waiting: Batch | null = null;

  /**
   * Numbers are sent and received as bytes of doubles, the lower byte first: as text they cost as much as the rest of the call. A
   * failed batch fails each of its calls: it is not known whether any was charged.
   */
  const send = async (batch: Batch) => {
    if (waiting === batch) waiting = null;
    const { life, now } = meant();
    const month = monthAt(now);
    const days = [monthDay(month), month.end / MILLISECONDS_PER_DAY];
    const figures = Buffer.from(new Float64Array(batch.figures).buffer);
    try {
      const keys = [...batch.keys.keys()];
      const bytes = await commands.takeCountsBuffer(keys.length, ...keys, life, ...days, figures);
      // Copied: the bytes may begin anywhere in a larger buffer, and doubles must be aligned.
      const numbers = new Float64Array(new Uint8Array(bytes).buffer);
      let from = 0;
      for (const { resolve, counted } of batch.calls) {
        resolve(read(numbers, from, counted));
        from += counted * REPLY_NUMBERS;
      }
    } catch (fault) {
      for (const { reject } of batch.calls) reject(fault);
    }
  };
  /** Collects calls until the event loop has handled what had arrived. */
  const begin = (): Batch => {
    const batch: Batch = { keys: new Map([[LIFE_KEY, 1]]), figures: [], calls: [] };
    setImmediate(() => {
      if (waiting === batch) void send(batch);
    });
    return batch;
  };

  return {
    /** Sends the calls of one turn of the event loop together, in their order: one script, one round trip. */
    take: (caller: Caller, charge: Charge): Promise<CountsReply> => {
      waiting ??= begin();
      const { keys, figures, calls } = waiting;
      const { cost, unspent = 0, unspentAt = 0, tokens = 0, leastRoom = 1, month: cell = null } = charge;
      const counted = countedAs(caller);
      for (const [nth, one] of counted.entries()) {
        const key = keyOf(one, redis.isCluster);
        const place = keys.get(key) ?? keys.size + 1;
        keys.set(key, place);
        const { minute, hour, month } = one.allowance;
        figures.push(place, cost, minute, hour ?? -1, month ?? -1, tokens, leastRoom, unspent, unspentAt);
        figures.push(cell === null ? -1 : monthDay(cell), cell?.used ?? 0, counted.length - 1 - nth);
      }
      const call = { ...Promise.withResolvers<CountsReply>(), counted: counted.length };
      calls.push(call);
      if (figures.length >= MOST_CALLS * ASKED_NUMBERS) void send(waiting);
      return call.promise;
    },
    /** Resolves with the life of Redis, its clock, its beats, and how long the life has lasted. `beats` are those of the last meeting. */
    meet: async (beats: number) => {
      const [met, now, seen] = await commands.meetStore(LIFE_KEY, BEATS_KEY, meant().life, beats);
      return {
        life: met,
        now,
        beats: seen,
        ageMilliseconds: now - Number(met) / MICROSECONDS_PER_MILLISECOND,
      };
    },
  };
}

/** One script reads the life and the counts: in a cluster their keys must be in one slot. */
export function keyOf({ kind, id }: Caller, isCluster = false): string {
  return isCluster ? `{crossrate}:limits:${kind}:${id}` : `{crossrate:${kind}:${id}}:limits`;
}

function read(numbers: Float64Array, from: number, counted: number): CountsReply {
  const at = (place: number) => numbers[from + place] ?? 0;
  const around: Counts[] = [];
  for (let nth = 1; nth < counted; nth++) around.push(readCounts(numbers, from + nth * REPLY_NUMBERS));
  return {
    code: at(0) === 1 ? "charged" : at(0) === 0 ? "refused" : "month_unknown",
    now: at(1),
    counts: readCounts(numbers, from),
    around,
    tokens: at(10),
  };
}

function readCounts(numbers: Float64Array, from: number): Counts {
  const at = (place: number) => numbers[from + place] ?? 0;
  const cell = (place: number) => ({ start: at(place), current: at(place + 1), previous: at(place + 2) });
  const month = at(8) < 0 ? null : { ...monthAt(at(8) * MILLISECONDS_PER_DAY), used: at(9) };
  return { minute: cell(2), hour: cell(5), month };
}

export interface LinkDeps {
  readonly clock: Clock;
  readonly emit: Emit;
  /** Calls `run` after a pause; the returned function prevents it. */
  readonly later: (milliseconds: number, run: () => void) => () => void;
}

export type Link = ReturnType<typeof openLink>;

/** A loss of counts in Redis is noticed after this long, unless a call notices it before. */
const HEARTBEAT_MILLISECONDS = 200;
const RECONNECT_MILLISECONDS = 50;

/** `heartbeat` is called a few times a second while Redis answers. */
export function openLink(redis: RedisConnection, { clock, emit, later }: LinkDeps, heartbeat: () => void) {
  let life = "";
  /** The first life that this process met: while it lasts, no counts were lost. */
  let firstLife = "";
  let beats = 0;
  let countedFor = 0;
  let isUp = false;
  let returns = 0;
  let fault: string | null = "not connected yet";
  let isOutage = false;
  let offset = 0;
  let closed = false;
  let callOff = () => {};
  /** Returns the time by the clock of Redis, as far as its last answer tells, and by this process's clock. */
  const moment = (): Moment => {
    const wall = clock.now();
    return { now: wall + offset, wall };
  };
  const scripts = countsScripts(redis, () => ({ life, now: moment().now }));

  const answered = (now: Instant) => {
    offset = now - clock.now();
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
  // A client that looks for a sentinel emits errors, but no `close`.
  redis.on("error", (reason) => {
    if (!isUp) lost(reason);
  });
  redis.on("close", () => lost(fault ?? "the connection was closed"));
  keepBeating();

  return {
    /**
     * Returns whether Redis counts these windows. After a loss of counts it does so only when its life is as long as the longest
     * window: all calls in that window were then counted in this life, or by shares.
     */
    counts: ({ hour }: Allowance) => isUp && countedFor >= WIDTHS[hour === null ? "minute" : "hour"],
    /** Charges in Redis; null when Redis does not answer, or has lost counts. */
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
    /** Returns how often Redis has come, or come back. A month that was compared before the last return is unreliable. */
    returns: () => returns,
    moment,
    state: (): Pick<CountersState, "status" | "detail"> => ({
      status: isUp && countedFor >= WIDTHS.minute ? "ok" : "degraded",
      detail: fault === null ? null : `Redis: ${fault}`,
    }),
    close: () => {
      closed = true;
      isUp = false;
      callOff();
    },
  };
}

/** Returns what Redis does not count yet, for an operator; null when it counts everything. */
function uncounted(countedFor: number): string | null {
  if (countedFor >= WIDTHS.hour) return null;
  if (countedFor >= WIDTHS.minute)
    return "it was emptied or set back within the last hour; of client addresses each replica grants its share";
  return "it was emptied or set back within the last minute; each replica grants its share";
}
