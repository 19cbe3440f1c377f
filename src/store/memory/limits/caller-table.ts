/** The counts of each caller in bounded memory. No count is dropped while it still counts. */

import { randomBytes } from "node:crypto";
import { type Caller, type Cell, type Counts, NO_COUNTS, WIDTHS } from "#domain/limits/counts.ts";
import type { Instant } from "#domain/time/day.ts";

/** Where the counts of a caller are. */
export interface CountsPlace {
  counts: Counts;
}

export interface CallerTableOptions<T> {
  readonly now: () => Instant;
  /** The largest number of addresses that are counted separately. Organizations are as many as the ledger has: only addresses can be made up. */
  readonly addresses?: number | undefined;
  /** A record around the counts: of an organization it is made once, of an address for each call. */
  readonly create: (place: CountsPlace) => T;
}

const MOST_ADDRESSES = 250_000;
const SHARED_PLACES = 65_536;
/** After a pause of two of the longest sliding windows nothing is left, and the ledger knows the month. */
const IDLE_MILLISECONDS = 2 * WIDTHS.hour;

/**
 * A call moves its caller's counts to the recent ones. Every two hours these become the older ones, and what was older is
 * dropped: a caller is forgotten between two and four hours after the last call. When there is no room for an address all the
 * same, it is counted with the others of the same hash: a flood of addresses makes limits narrower, never wider.
 */
export function callerTable<T>({ now, addresses = MOST_ADDRESSES, create }: CallerTableOptions<T>) {
  const none = () => ({ orgs: new Map<string, T>(), addresses: newAddressCounts() });
  let [recent, older] = [none(), none()];
  const shared = newPlaces();
  /** Secret, so that no client can choose addresses that collide. By chance two of 250,000 do in one of some 300,000 processes. */
  const seed = randomBytes(8).readBigUInt64LE();
  let turnedAt = now();
  let crowded = 0;

  const turn = (elapsed: number) => {
    [recent, older] = [none(), elapsed < 2 * IDLE_MILLISECONDS ? recent : none()];
    turnedAt += elapsed;
  };
  const organization = (id: string): T => {
    const known = recent.orgs.get(id);
    if (known !== undefined) return known;
    const record = older.orgs.get(id) ?? create({ counts: NO_COUNTS });
    older.orgs.delete(id);
    recent.orgs.set(id, record);
    return record;
  };
  const placeOf = (address: string): CountsPlace => {
    // 53 bits of 64: as many as a number has, so that none of its low bits is always zero.
    const key = Number(Bun.hash.wyhash(address, seed) >> 11n);
    const known = recent.addresses.find(key);
    if (known !== null) return known;
    const idle = older.addresses.find(key);
    if (idle === null && recent.addresses.size() + older.addresses.size() >= addresses) {
      crowded += 1;
      return shared(key % SHARED_PLACES);
    }
    const place = recent.addresses.add(key);
    if (idle !== null) {
      place.counts = idle.counts;
      older.addresses.delete(key);
    }
    return place;
  };

  return {
    /** What is counted of the caller; nothing yet where it is a new one. */
    of: ({ kind, id }: Pick<Caller, "kind" | "id">): T => {
      const elapsed = now() - turnedAt;
      if (elapsed >= IDLE_MILLISECONDS) turn(elapsed);
      return kind === "org" ? organization(id) : create(placeOf(id));
    },
    /** Callers that are counted separately, and calls that several addresses had to share a place for. */
    state: () => {
      const callers = [recent, older].map(({ orgs, addresses }) => orgs.size + addresses.size());
      return { callers: callers.reduce((sum, count) => sum + count, 0), crowded };
    },
  };
}

/** Of an address: the start, the running count and the one before it, for the minute and for the hour. */
const NUMBERS = 6;
/** Memory is taken for so many places at a time. */
const CHUNK_PLACES = 4096;

/** Places of addresses by their number, from 0 on: some 100 bytes each, where an object took 360. They start empty. */
function newPlaces(): (nth: number) => CountsPlace {
  const chunks: Float64Array[] = [];
  return (nth) => {
    const chunk = Math.floor(nth / CHUNK_PLACES);
    chunks[chunk] ??= new Float64Array(CHUNK_PLACES * NUMBERS);
    return new Place(chunks[chunk], (nth % CHUNK_PLACES) * NUMBERS);
  };
}

class Place implements CountsPlace {
  readonly #numbers: Float64Array;
  readonly #at: number;

  constructor(numbers: Float64Array, at: number) {
    this.#numbers = numbers;
    this.#at = at;
  }

  get counts(): Counts {
    return { minute: this.#cell(0), hour: this.#cell(3), month: null };
  }

  set counts({ minute, hour, month }: Counts) {
    if (month !== null) throw new Error("the calls of a month are not counted for an address");
    this.#setCell(0, minute);
    this.#setCell(3, hour);
  }

  #cell(from: number): Cell {
    const at = this.#at + from;
    const [start, current, previous] = [this.#numbers[at], this.#numbers[at + 1], this.#numbers[at + 2]];
    return { start: start as number, current: current as number, previous: previous as number };
  }

  #setCell(from: number, { start, current, previous }: Cell): void {
    const at = this.#at + from;
    this.#numbers[at] = start;
    this.#numbers[at + 1] = current;
    this.#numbers[at + 2] = previous;
  }
}

/** Places by a number that is a hash of the address. */
function newAddressCounts() {
  const places = newPlaces();
  const numbers = new Map<number, number>();
  let last = 0;
  return {
    size: () => numbers.size,
    find: (key: number): CountsPlace | null => {
      const nth = numbers.get(key);
      return nth === undefined ? null : places(nth);
    },
    /** Adds a key that is not there. */
    add: (key: number): CountsPlace => {
      numbers.set(key, last);
      last += 1;
      return places(last - 1);
    },
    delete: (key: number) => numbers.delete(key),
  };
}
