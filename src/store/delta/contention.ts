/**
 * A commit in shared storage, where another machine may have been faster: once more, on what that one has made. One that was
 * replaced as the collector is fenced: a transaction identifier of the Delta protocol has the epoch of the collector's lease.
 */

import type { FencingToken } from "#ports/fencing.ts";
import type { Action } from "./actions.ts";
import { CommitConflict } from "./log.ts";
import type { Snapshot } from "./snapshot.ts";
import type { LakeStorage } from "./storage.ts";

/** Writers on other machines are few, and a commit takes less than a second. */
const MOST_ATTEMPTS = 8;

/**
 * Runs `work` on the newest versions, and again when a commit of it met another one. Without storage the writer's lock rules that
 * out, and it runs once. `work` begins with reading the tables.
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

/** Another collector has taken over: this process's commit was not made. */
export class Fenced extends Error {
  constructor(table: string, epoch: number, newer: number) {
    super(
      `${table} has a commit of epoch ${newer}, and this process collected under epoch ${epoch}: another collector has taken over`,
    );
    this.name = "Fenced";
  }
}

/** The actions that carry the token; empty where the table has it. Throws Fenced where the table has a newer one. */
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
