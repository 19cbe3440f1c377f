/**
 * Commits in shared storage: another machine may commit first; then the work runs again on the newest version. A
 * replaced collector is fenced: a transaction identifier of the Delta protocol carries the epoch of the collector's
 * lease.
 */

import type { Action } from "./actions.ts";
import { CommitConflict } from "./log.ts";
import type { Snapshot } from "./snapshot.ts";
import type { FencingToken, LakeStorage } from "./storage.ts";

/** Writers on other machines are few, and a commit takes less than a second. */
const MOST_ATTEMPTS = 8;

/**
 * Runs `work`, which begins with reading the tables, again when its commit met another one. Without storage the writer's
 * lock rules that out.
 */
export async function onNewest<T>(storage: LakeStorage | null, work: () => Promise<T>): Promise<T> {
  if (storage === null) return await work();
  for (let attempt = 1; ; attempt++) {
    await storage.follow();
    try {
      return await work();
    } catch (fault) {
      if (!(fault instanceof CommitConflict) || attempt >= MOST_ATTEMPTS) throw fault;
    }
  }
}

/** Another collector has taken over; this process's commit was not made. */
export class Fenced extends Error {
  constructor(table: string, epoch: number, newer: number) {
    super(
      `${table} has a commit of epoch ${newer}, and this process collected under epoch ${epoch}: another collector has taken over`,
    );
    this.name = "Fenced";
  }
}

/** Returns the actions with the token; empty when the table has it. Throws Fenced when the table has a newer one. */
export function fencingActions(
  table: string,
  base: Snapshot | null,
  token: FencingToken | null,
  now: number,
): readonly Action[] {
  if (token === null) return [];
  const appId = `crossrate/collector/${token.ledger}`;
  const known = base?.txns.get(appId)?.version ?? 0;
  if (known > token.epoch) throw new Fenced(table, token.epoch, known);
  return known === token.epoch ? [] : [{ txn: { appId, version: token.epoch, lastUpdated: now } }];
}
