/** Fencing of commits in shared storage: a transaction identifier of the Delta protocol has the epoch of the collector's lease. */

import type { FencingToken } from "#ports/fencing.ts";
import type { Action } from "./actions.ts";
import type { Snapshot } from "./snapshot.ts";

/** Another collector has taken over: this process's commit was not made. */
export class Fenced extends Error {
  constructor(table: string, epoch: number, newer: number) {
    super(
      `${table} has a commit of epoch ${newer}, and this process collected under epoch ${epoch}: another collector has taken over`,
    );
    this.name = "Fenced";
  }
}

/** The actions that carry the token; none where the table has it. Throws Fenced where the table has a newer one. */
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
