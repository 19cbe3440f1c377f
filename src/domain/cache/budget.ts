/**
 * One budget for the bytes of all caches of a process. Beyond it the longest unused entry of all caches is removed by the CLOCK
 * algorithm (Corbató 1969): a read marks the entry, and a marked entry that comes up for removal loses its mark and moves to the end
 * of its cache.
 */

/** A cache within a budget. Keys are compared as in a Map. */
export interface Cache<K, V> {
  get(key: K): V | undefined;
  /** Replaces what is there. An entry of more than a quarter of the bound is not cached. */
  set(key: K, value: V, bytes: number): void;
  delete(key: K): void;
  /** Removes every entry with a value that satisfies the condition; scans all entries. */
  deleteWhere(condition: (value: V) => boolean): void;
  clear(): void;
}

export interface CacheOptions {
  /** The largest part of the bound that this cache may hold, 0 to 1; 1 by default. */
  readonly share?: number;
}

interface Entry<V> {
  readonly key: unknown;
  readonly value: V;
  readonly bytes: number;
  /** Position in the order of all caches; smaller is older. */
  placedAt: number;
  used: boolean;
  /** Its neighbours in the order of its cache. */
  older: Entry<unknown> | null;
  newer: Entry<unknown> | null;
}

/** One cache. Its order is a linked list: a Map keeps the slots of removed keys until it grows, so its first key is slow to find. */
interface Held {
  readonly name: string;
  readonly limitBytes: number;
  bytes: number;
  readonly entries: Map<unknown, Entry<unknown>>;
  oldest: Entry<unknown> | null;
  newest: Entry<unknown> | null;
}

/** Bookkeeping of an entry: its object, its place in the map, and a short key. */
export const ENTRY_BYTES = 150;
const LARGEST_SHARE = 0.25;

export class CacheBudget {
  readonly limitBytes: number;
  readonly #caches: Held[] = [];
  #bytes = 0;
  #clock = 0;

  constructor(limitBytes: number) {
    this.limitBytes = limitBytes;
  }

  /** The cache of a name, which is the label of its gauge; made on first use. */
  cache<K, V>(name: string, { share = 1 }: CacheOptions = {}): Cache<K, V> {
    let held = this.#caches.find((known) => known.name === name);
    if (held === undefined) {
      held = {
        name,
        limitBytes: this.limitBytes * share,
        bytes: 0,
        entries: new Map(),
        oldest: null,
        newest: null,
      };
      this.#caches.push(held);
    }
    return this.#cacheOf(held);
  }

  #cacheOf<K, V>(held: Held): Cache<K, V> {
    const entries = held.entries as Map<K, Entry<V>>;
    return {
      get: (key) => {
        const entry = entries.get(key);
        if (entry === undefined) return undefined;
        if (!entry.used) entry.used = true;
        return entry.value;
      },
      set: (key, value, bytes) => {
        this.#remove(held, key);
        const whole = bytes + ENTRY_BYTES;
        if (whole > held.limitBytes * LARGEST_SHARE) return;
        const entry = { key, value, bytes: whole, placedAt: 0, used: false, older: null, newer: null };
        entries.set(key, entry);
        this.#append(held, entry);
        held.bytes += whole;
        this.#bytes += whole;
        while (held.bytes > held.limitBytes) this.#evict(held);
        while (this.#bytes > this.limitBytes) this.#evict(this.#oldest());
      },
      delete: (key) => this.#remove(held, key),
      deleteWhere: (condition) => {
        for (const [key, { value }] of entries) if (condition(value)) this.#remove(held, key);
      },
      clear: () => {
        this.#bytes -= held.bytes;
        held.bytes = 0;
        held.oldest = null;
        held.newest = null;
        entries.clear();
      },
    };
  }

  uses() {
    return this.#caches.map(({ name, entries, bytes, limitBytes }) => ({
      name,
      entries: entries.size,
      bytes,
      limitBytes,
    }));
  }

  #remove(held: Held, key: unknown): void {
    const entry = held.entries.get(key);
    if (entry === undefined) return;
    held.entries.delete(key);
    unlink(held, entry);
    held.bytes -= entry.bytes;
    this.#bytes -= entry.bytes;
  }

  /** The cache with the oldest unmarked entry. */
  #oldest(): Held {
    let oldest: Held | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (const held of this.#caches) {
      const first = this.#firstUnused(held);
      if (first === null || first.placedAt >= least) continue;
      least = first.placedAt;
      oldest = held;
    }
    // Bytes are counted with their entries: while there are too many, there is an entry.
    return oldest as Held;
  }

  #evict(held: Held): void {
    const entry = this.#firstUnused(held);
    if (entry !== null) this.#remove(held, entry.key);
  }

  /** Puts used entries back to the end until the first is an unused one; null in an empty cache. */
  #firstUnused(held: Held): Entry<unknown> | null {
    let entry = held.oldest;
    for (; entry?.used; entry = held.oldest) {
      entry.used = false;
      unlink(held, entry);
      this.#append(held, entry);
    }
    return entry;
  }

  #append(held: Held, entry: Entry<unknown>): void {
    entry.placedAt = ++this.#clock;
    entry.older = held.newest;
    entry.newer = null;
    if (held.newest === null) held.oldest = entry;
    else held.newest.newer = entry;
    held.newest = entry;
  }
}

function unlink(held: Held, entry: Entry<unknown>): void {
  if (entry.older === null) held.oldest = entry.newer;
  else entry.older.newer = entry.newer;
  if (entry.newer === null) held.newest = entry.older;
  else entry.newer.older = entry.older;
}
