/** The counts of each caller in bounded memory. No record is dropped while it still counts. */

import { type Caller, WIDTHS } from "#domain/limits/caller.ts";
import type { Instant } from "#domain/time/day.ts";

export interface CallerTableDeps<T> {
  readonly now: () => Instant;
  /** The largest number of addresses with separate records. Organizations are as many as the ledger has: only addresses can be made up. */
  readonly addresses?: number | undefined;
  readonly create: () => T;
}

const MOST_ADDRESSES = 250_000;
const SHARED_RECORDS = 65_536;
/** After a pause of two of the longest sliding windows nothing is left, and the ledger knows the month. */
const IDLE_MILLISECONDS = 2 * WIDTHS.hour;

/**
 * A call moves its caller's record to the recent ones. Every two hours these become the older ones, and what was older is
 * dropped: a caller is forgotten between two and four hours after the last call. When there is no room for an address all the
 * same, it shares a record with the others of the same hash: a flood of addresses makes limits narrower, never wider.
 */
export function callerTable<T>({ now, addresses = MOST_ADDRESSES, create }: CallerTableDeps<T>) {
  const none = () => ({ org: new Map<string, T>(), address: new Map<string, T>() });
  let [recent, older] = [none(), none()];
  const shared = new Map<number, T>();
  let turnedAt = now();
  let crowded = 0;

  const turn = (elapsed: number) => {
    [recent, older] = [none(), elapsed < 2 * IDLE_MILLISECONDS ? recent : none()];
    turnedAt += elapsed;
  };
  const sharedRecord = (id: string): T => {
    crowded += 1;
    const place = Number(Bun.hash.wyhash(id)) % SHARED_RECORDS;
    const record = shared.get(place) ?? create();
    shared.set(place, record);
    return record;
  };

  return {
    /** The caller's record; a new one where there is none. */
    of: ({ kind, id }: Pick<Caller, "kind" | "id">): T => {
      const elapsed = now() - turnedAt;
      if (elapsed >= IDLE_MILLISECONDS) turn(elapsed);
      const known = recent[kind].get(id);
      if (known !== undefined) return known;
      const idle = older[kind].get(id);
      const isFull = kind === "address" && recent.address.size + older.address.size >= addresses;
      if (idle === undefined && isFull) return sharedRecord(id);
      const record = idle ?? create();
      older[kind].delete(id);
      recent[kind].set(id, record);
      return record;
    },
    /** Callers with separate records, and calls for a record that several addresses had to share. */
    state: () => {
      const maps = [recent, older].flatMap(({ org, address }) => [org, address]);
      return { callers: maps.reduce((sum, { size }) => sum + size, 0), crowded };
    },
  };
}
