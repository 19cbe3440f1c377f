/** One official table brought up to what the ledger has of it: whether anything is to be done, and the actions that do it. */

import { parseDay } from "#domain/time/day.ts";
import type { DamagedVersion, VersionKey } from "#ports/official.ts";
import { type Action, removalOf } from "#store/delta/actions.ts";
import type { DamagedFile } from "#store/delta/damage.ts";
import type { Snapshot } from "#store/delta/snapshot.ts";
import { compare, nameOf, type StoredKey } from "./compare.ts";
import { inBatches } from "./ledger-keys.ts";
import { fileOf, isSame, standingActions, standingIn, standingOf } from "./table.ts";
import { storedKeys, type Turnover, type Writing, writeTable } from "./write.ts";

export interface Copied {
  /** Empty when nothing changes. The files that they add are durable. */
  readonly actions: readonly Action[];
  readonly added: number;
  readonly dropped: number;
  /** Versions that do not read as the ledger stored them. The lake has them where it had them before. */
  readonly damaged: readonly DamagedVersion[];
  /** The lake's own file, where it is damaged: then nothing is written over it. */
  readonly refused: DamagedFile | null;
}

const NOTHING = { actions: [], added: 0, dropped: 0, damaged: [], refused: null };

/** `keys`: all that the ledger has of the table. `anew`: what is readable there takes the place of what the lake has. */
export async function copyTable(
  writing: Writing,
  snapshot: Snapshot,
  keys: readonly VersionKey[],
  anew: boolean,
): Promise<Copied> {
  const { connection, table, official, now } = writing;
  const file = fileOf(snapshot, official.id);
  const refused = file === null ? null : await table.verifier.check(file);
  if (refused !== null && !anew) return { ...NOTHING, refused };
  const old = refused === null ? file : null;
  const lake = old === null ? [] : await storedKeys(connection, table, old);
  const { turnover, damaged } = await turnoverOf(writing, keys, { old, lake, anew });
  const isWritten = turnover.fresh.length + turnover.gone.length > 0 || old !== file;
  const written = isWritten ? await writeTable(writing, turnover) : { add: file, arrived: [], damaged: [] };
  const gone = new Set(turnover.gone);
  const has = [...lake.filter((key) => !gone.has(key)), ...written.arrived];
  const standing = standingOf(has, written.add);
  const known = standingIn(snapshot, official.id);
  const isNoted = known !== null && isSame(known, standing);
  return {
    actions: [
      ...(isWritten && file !== null ? [removalOf(file, now)] : []),
      ...(isWritten && written.add !== null ? [{ add: written.add }] : []),
      ...(isNoted ? [] : standingActions(official.id, standing, now)),
    ],
    added: has.length - lake.length + turnover.gone.length,
    dropped: turnover.gone.length,
    damaged: [...damaged, ...written.damaged],
    refused: null,
  };
}

interface Found {
  readonly old: Turnover["old"];
  readonly lake: readonly StoredKey[];
  readonly anew: boolean;
}

/** What comes and what goes, with what is known to be damaged in the ledger left as the lake has it. */
async function turnoverOf(
  writing: Writing,
  keys: readonly VersionKey[],
  { old, lake, anew }: Found,
): Promise<{ readonly turnover: Turnover; readonly damaged: readonly DamagedVersion[] }> {
  const { fresh, replaced, foreign } = compare(keys, lake, anew);
  const doubtful = fresh.filter(({ validFrom }) => parseDay(validFrom) === null);
  // A version that the lake has is given up only for one that reads.
  const damaged = await damagedOf(writing, [...doubtful, ...replaced]);
  const unreadable = new Set([...doubtful, ...damaged].map(nameOf));
  const readable = fresh.filter((key) => !unreadable.has(nameOf(key)));
  const gone = [...foreign, ...replaced.filter((key) => !unreadable.has(nameOf(key)))];
  if (gone.length > 0 || old === null) return { turnover: { old, lake, fresh: readable, gone }, damaged };
  // Nothing is written for the sake of versions none of which reads.
  const lost: DamagedVersion[] = [];
  for await (const batch of inBatches(writing.ledger, writing.official.id, readable, writing.signal)) {
    if (batch.versions.length > 0) return { turnover: { old, lake, fresh: readable, gone }, damaged };
    lost.push(...batch.damaged);
  }
  return { turnover: { old, lake, fresh: [], gone }, damaged: [...damaged, ...lost] };
}

async function damagedOf(
  { ledger, official, signal }: Writing,
  keys: readonly VersionKey[],
): Promise<readonly DamagedVersion[]> {
  const damaged: DamagedVersion[] = [];
  for await (const batch of inBatches(ledger, official.id, keys, signal)) damaged.push(...batch.damaged);
  return damaged;
}
