/** Makes a proof: a day's rate, its figures, their files, and the signed entry of the version. */

import type { Proof } from "#domain/chain/proof.ts";
import { headOf } from "#domain/chain/state.ts";
import type { CurrencyIndex } from "#domain/currency/currency.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { Failure } from "#domain/faults/errors.ts";
import { type Day, yearOf } from "#domain/time/day.ts";
import type { SignedHistory } from "#ports.ts";
import { dailyLegs, type FigureDeps } from "./explain.ts";
import { type DailyDeps, openView } from "./query.ts";
import { crossOn, refuseUncertain } from "./quote.ts";

export interface ProofDeps extends DailyDeps, Pick<FigureDeps, "giver"> {
  /** An older version that is in memory. */
  readonly pinned: (version: string) => Dataset | null;
  /** Makes `pinned` have an older version, where the lake still does. */
  readonly recall?: (version: string) => Promise<void>;
  /** Null where nothing is signed. */
  readonly signedHistory: SignedHistory | null;
}

export interface ProofQuery {
  readonly from: CurrencyIndex;
  readonly to: CurrencyIndex;
  readonly day: Day;
  /** As manifests name it; null for the newest. */
  readonly version: string | null;
}

/**
 * Reads no data file: figures are in memory, digests in the table's log. Failures as of `historical`; `invalid_request` for a version
 * that is not retained or was never signed; `data_unavailable` where nothing is signed, or the newest version not yet.
 */
export async function proof(deps: ProofDeps, query: ProofQuery): Promise<Proof> {
  const { from, to, day } = query;
  if (from === to)
    throw new Failure("invalid_request", {
      reason: "a currency against itself has no figure to prove",
    });
  const history = deps.signedHistory;
  const state = history?.state() ?? null;
  if (history === null || state === null)
    throw new Failure("data_unavailable", { reason: "this server has signed nothing yet" });
  const present = openView(deps);
  const dataset =
    query.version === null ? present.dataset : await versionOf(deps, present.dataset, query.version);
  const view = { dataset, now: present.now };
  if (query.version === null) {
    refuseUncertain(view, day, from, to);
  }
  const cross = crossOn(view, day, from, to);
  const proven = history.proven(dataset.history.version);
  if (proven === null) throw query.version === null ? notYetSigned() : unproved(dataset.history.version);
  const legs = dailyLegs(deps, dataset, cross.legs).map((leg) => {
    const file = proven.fileOf(leg.source, yearOf(leg.date));
    if (file === null) throw new Error(`no file of ${proven.version} has ${leg.source} of ${leg.date}`);
    return { ...leg, file };
  });
  const { version, files, entry } = proven;
  return {
    from,
    to,
    day,
    version,
    rate: cross.text,
    derived: cross.derived,
    legs,
    files,
    entry,
    head: headOf(state),
  };
}

async function versionOf(deps: ProofDeps, newest: Dataset, version: string): Promise<Dataset> {
  if (newest.history.version === version) return newest;
  const held = deps.pinned(version);
  if (held !== null) return held;
  await deps.recall?.(version);
  const recalled = deps.pinned(version);
  if (recalled === null) throw unproved(version);
  return recalled;
}

/** The entry follows its commit: within seconds where another machine makes it. */
function notYetSigned(): Failure {
  return new Failure("data_unavailable", { reason: "the newest version is not signed yet" });
}

/** Failure `invalid_request`. */
export function unproved(version: string): Failure {
  return new Failure("invalid_request", {
    reason: `version ${version} is not retained, is damaged, or is from before the signed history`,
  });
}
