/** What a process knows of each caller, in bounded memory: nobody is forgotten while anything of him still counts. */

export interface CallerTable<T> {
  /** The caller's record; a new one where there is none. */
  of(id: string): T;
  /** The caller's own record, if it has one. */
  find(id: string): T | undefined;
  values(): IterableIterator<T>;
  /** Records of one caller each, and calls for a record that had to be shared because the table was full. */
  readonly size: number;
  readonly crowded: number;
}

export interface CallerTableDeps<T> {
  /** Most callers with a record of their own. */
  readonly capacity: number;
  /** `isShared`: of several callers, see below. */
  readonly create: (id: string, isShared: boolean) => T;
  /** True when forgetting the record changes nothing. */
  readonly isIdle: (record: T) => boolean;
}

const SHARED_RECORDS = 65_536;
/** Looked at for each new caller: the table is seen through at least once while it grows by half. */
const LOOKS = 3;

/**
 * Each newcomer has a few others looked at, in turn, and the idle ones forgotten; so the table follows the number of
 * callers of the last two windows down again without a timer. When it is full all the same, newcomers are counted together
 * with the others of the same hash, in records for that: a flood of addresses makes limits narrower, never wider.
 */
export function callerTable<T>({ capacity, create, isIdle }: CallerTableDeps<T>): CallerTable<T> {
  const own = new Map<string, T>();
  const shared = new Map<number, T>();
  let hand = own.entries();
  let crowded = 0;

  const lookAround = () => {
    for (let look = 0; look < LOOKS; look++) {
      const next = hand.next();
      if (next.done) {
        hand = own.entries();
        return;
      }
      const [id, record] = next.value;
      if (isIdle(record)) own.delete(id);
    }
  };

  const newcomer = (id: string): T => {
    lookAround();
    if (own.size < capacity) {
      const record = create(id, false);
      own.set(id, record);
      return record;
    }
    crowded += 1;
    const place = Number(Bun.hash.wyhash(id)) % SHARED_RECORDS;
    let record = shared.get(place);
    if (record === undefined) {
      record = create(id, true);
      shared.set(place, record);
    }
    return record;
  };

  return {
    of: (id) => own.get(id) ?? newcomer(id),
    find: (id) => own.get(id),
    values: () => own.values(),
    get size() {
      return own.size;
    },
    get crowded() {
      return crowded;
    },
  };
}
