/** What a process has of each caller, in bounded memory: no record is dropped while anything in it still counts. */

import type { Caller } from "#domain/limits/caller.ts";

export interface CallerTable<T> {
  /** The caller's record; a new one where there is none. */
  of(caller: Pick<Caller, "kind" | "id">): T;
  /** Records of one caller each. */
  values(): T[];
  readonly size: number;
  /** Calls for a record that several addresses had to share because the table was full. */
  readonly crowded: number;
}

export interface CallerTableDeps<T> {
  /** Most addresses with a record of their own. Organizations are as many as the ledger has: only addresses can be made up. */
  readonly addresses: number;
  /** `isShared`: of several addresses, see below. */
  readonly create: (isShared: boolean) => T;
  /** True when dropping the record changes nothing. */
  readonly isIdle: (record: T) => boolean;
}

export const MOST_ADDRESSES = 250_000;
const SHARED_RECORDS = 65_536;
/** Checked for each new caller: the table is gone through at least once while it grows by half. */
const CHECKS = 3;

/**
 * Each newcomer has a few others checked, in turn, and the idle ones dropped; so the table follows the number of
 * callers of the last two windows down again without a timer. When it is full all the same, newcomers are counted together
 * with the others of the same hash, in records for that: a flood of addresses makes limits narrower, never wider.
 */
export function callerTable<T>({ addresses, create, isIdle }: CallerTableDeps<T>): CallerTable<T> {
  const [orgs, others] = [new Map<string, T>(), new Map<string, T>()];
  const [dropFromOrgs, dropFromOthers] = [dropper(orgs, isIdle), dropper(others, isIdle)];
  const shared = new Map<number, T>();
  let crowded = 0;

  const newcomer = (kind: Caller["kind"], id: string): T => {
    const isOrg = kind === "org";
    if (isOrg) dropFromOrgs();
    else dropFromOthers();
    if (isOrg || others.size < addresses) {
      const record = create(false);
      (isOrg ? orgs : others).set(id, record);
      return record;
    }
    crowded += 1;
    const place = Number(Bun.hash.wyhash(id)) % SHARED_RECORDS;
    const record = shared.get(place) ?? create(true);
    shared.set(place, record);
    return record;
  };

  return {
    of: ({ kind, id }) => (kind === "org" ? orgs : others).get(id) ?? newcomer(kind, id),
    values: () => [...orgs.values(), ...others.values()],
    get size() {
      return orgs.size + others.size;
    },
    get crowded() {
      return crowded;
    },
  };
}

/** Each call checks the next few records, and begins anew after the last one. */
function dropper<T>(records: Map<string, T>, isIdle: (record: T) => boolean): () => void {
  let next = records.entries();
  return () => {
    for (let check = 0; check < CHECKS; check++) {
      const { done, value } = next.next();
      if (done) {
        next = records.entries();
        return;
      }
      if (isIdle(value[1])) records.delete(value[0]);
    }
  };
}
