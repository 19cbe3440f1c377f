/** Brings one official table of the lake up to the state of the ledger: decides what to do, and returns the actions. */

import { parseDay } from "#domain/time/day.ts";
import type { CopyReport, DamagedVersion, VersionKey } from "#ports/official.ts";
import { type Action, removalOf } from "#store/delta/actions.ts";
import { type DamagedFile, sentenceOf } from "#store/delta/damage.ts";
import type { Snapshot } from "#store/delta/snapshot.ts";
import type { Emit, TelemetryEvent } from "#telemetry.ts";
import { compare, inBatches, nameOf, type StoredKey } from "./keys.ts";
import { copyStateActions, copyStateIn, copyStateOf, fileOf, isSame } from "./table.ts";
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

/** `keys`: all that the ledger has of the table. `rebuilt`: everything readable there replaces what the lake has. */
export async function copyTable(
  writing: Writing,
  snapshot: Snapshot,
  keys: readonly VersionKey[],
  rebuilt: boolean,
): Promise<Copied> {
  const { connection, table, official, now } = writing;
  const file = fileOf(snapshot, official.id);
  const refused = file === null ? null : await table.verifier.check(file);
  if (refused !== null && !rebuilt) return { ...NOTHING, refused };
  const old = refused === null ? file : null;
  const lake = old === null ? [] : await storedKeys(connection, table, old);
  const { turnover, damaged } = await turnoverOf(writing, keys, { old, lake, rebuilt });
  const isWritten = turnover.fresh.length + turnover.gone.length > 0 || old !== file;
  const written = isWritten ? await writeTable(writing, turnover) : { add: file, arrived: [], damaged: [] };
  const gone = new Set(turnover.gone);
  const has = [...lake.filter((key) => !gone.has(key)), ...written.arrived];
  const state = copyStateOf(has, written.add);
  const known = copyStateIn(snapshot, official.id);
  const isNoted = known !== null && isSame(known, state);
  return {
    actions: [
      ...(isWritten && file !== null ? [removalOf(file, now)] : []),
      ...(isWritten && written.add !== null ? [{ add: written.add }] : []),
      ...(isNoted ? [] : copyStateActions(official.id, state, now)),
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
  readonly rebuilt: boolean;
}

/** The versions to add and to remove; those damaged in the ledger stay as the lake has them. */
async function turnoverOf(
  writing: Writing,
  keys: readonly VersionKey[],
  { old, lake, rebuilt }: Found,
): Promise<{ readonly turnover: Turnover; readonly damaged: readonly DamagedVersion[] }> {
  const { fresh, replaced, foreign } = compare(keys, lake, rebuilt);
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

interface CopyReports {
  damage(id: string, copied: Copied): void;
  /** `other`: the ledger that the table was a copy of before, where that is another one. */
  takenOut(before: Snapshot, after: Snapshot, report: CopyReport, other: string | null): void;
}

export function openCopyReports(emit: Emit | undefined, retentionDays: number): CopyReports {
  const reports = new Set<string>();
  const once = (name: string, event: TelemetryEvent) => {
    if (!reports.has(name)) emit?.(event);
    reports.add(name);
  };
  return {
    damage: (id, { refused, damaged }) => {
      if (refused !== null) {
        const detail = `${sentenceOf(refused)}; nothing is written over it: crossrate repair says how to go on`;
        once(refused.path, { kind: "lake_damaged", detail });
      }
      for (const { publication, version, detail } of damaged) {
        const name = `${id} ${nameOf({ publication, version })}`;
        once(name, { kind: "publication_damaged", table: id, publication, version, detail });
      }
    },
    takenOut: (before, after, { dropped }, other) => {
      if (dropped === 0 && other === null) return;
      const copyOf = other === null ? "" : `it was a copy of another ledger (${other}); `;
      const kept =
        dropped === 0
          ? "everything in it is in this one"
          : `${dropped} versions that the ledger does not have were taken out by version ${after.version} of the table; version ${before.version} has them, and is kept for ${retentionDays} days`;
      emit?.({ kind: "lake_repaired", detail: `official: ${copyOf}${kept}` });
    },
  };
}
