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
interface OrderedEntries {
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
  readonly #caches: OrderedEntries[] = [];
  #bytes = 0;
  #clock = 0;

  constructor(limitBytes: number) {
    this.limitBytes = limitBytes;
  }

  /** The cache of a name, which is the label of its gauge; made on first use. */
  cache<K, V>(name: string, { share = 1 }: CacheOptions = {}): Cache<K, V> {
    let cache = this.#caches.find((one) => one.name === name);
    if (cache === undefined) {
      cache = {
        name,
        limitBytes: this.limitBytes * share,
        bytes: 0,
        entries: new Map(),
        oldest: null,
        newest: null,
      };
      this.#caches.push(cache);
    }
    return this.#cacheOf(cache);
  }

  #cacheOf<K, V>(cache: OrderedEntries): Cache<K, V> {
    const entries = cache.entries as Map<K, Entry<V>>;
    return {
      get: (key) => {
        const entry = entries.get(key);
        if (entry === undefined) return undefined;
        if (!entry.used) entry.used = true;
        return entry.value;
      },
      set: (key, value, bytes) => {
        this.#remove(cache, key);
        const whole = bytes + ENTRY_BYTES;
        if (whole > cache.limitBytes * LARGEST_SHARE) return;
        const entry = { key, value, bytes: whole, placedAt: 0, used: false, older: null, newer: null };
        entries.set(key, entry);
        this.#append(cache, entry);
        cache.bytes += whole;
        this.#bytes += whole;
        while (cache.bytes > cache.limitBytes) this.#evict(cache);
        while (this.#bytes > this.limitBytes) this.#evict(this.#oldest());
      },
      delete: (key) => this.#remove(cache, key),
      deleteWhere: (condition) => {
        for (const [key, { value }] of entries) if (condition(value)) this.#remove(cache, key);
      },
      clear: () => {
        this.#bytes -= cache.bytes;
        cache.bytes = 0;
        cache.oldest = null;
        cache.newest = null;
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

  #remove(cache: OrderedEntries, key: unknown): void {
    const entry = cache.entries.get(key);
    if (entry === undefined) return;
    cache.entries.delete(key);
    unlink(cache, entry);
    cache.bytes -= entry.bytes;
    this.#bytes -= entry.bytes;
  }

  /** The cache with the oldest unmarked entry. */
  #oldest(): OrderedEntries {
    let oldest: OrderedEntries | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (const cache of this.#caches) {
      const first = this.#firstUnused(cache);
      if (first === null || first.placedAt >= least) continue;
      least = first.placedAt;
      oldest = cache;
    }
    // Bytes are counted with their entries: while there are too many, there is an entry.
    return oldest as OrderedEntries;
  }

  #evict(cache: OrderedEntries): void {
    const entry = this.#firstUnused(cache);
    if (entry !== null) this.#remove(cache, entry.key);
  }

  /** Puts used entries back to the end until the first is an unused one; null in an empty cache. */
  #firstUnused(cache: OrderedEntries): Entry<unknown> | null {
    let entry = cache.oldest;
    for (; entry?.used; entry = cache.oldest) {
      entry.used = false;
      unlink(cache, entry);
      this.#append(cache, entry);
    }
    return entry;
  }

  #append(cache: OrderedEntries, entry: Entry<unknown>): void {
    entry.placedAt = ++this.#clock;
    entry.older = cache.newest;
    entry.newer = null;
    if (cache.newest === null) cache.oldest = entry;
    else cache.newest.newer = entry;
    cache.newest = entry;
  }
}

function unlink(cache: OrderedEntries, entry: Entry<unknown>): void {
  if (entry.older === null) cache.oldest = entry.newer;
  else entry.older.newer = entry.newer;
  if (entry.newer === null) cache.newest = entry.older;
  else entry.newer.older = entry.older;
}
