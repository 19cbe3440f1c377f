/** Compares a table with its entries: makes the content of missing entries, and finds where a table goes on after a repair. */

import { type CommitBody, filesText, type Pinned, sha256 } from "#domain/chain/entry.ts";
import type { ChainState } from "#domain/chain/state.ts";
import type { Snapshot } from "#store/delta/snapshot.ts";
import type { Table } from "#store/delta/table.ts";
import type { Segments } from "./segments.ts";

const ADVICE = "crossrate verify names every fault; crossrate repair goes on from what is there";

/** The lake differs from what was signed, or cannot be signed: nothing is added until an operator decides. */
export class HistoryDiffers extends Error {
  constructor(what: string, advice = ADVICE) {
    super(`${what}: nothing more is signed. ${advice}`);
    this.name = "HistoryDiffers";
  }
}

/** The content of a commit's entry; all of it follows from the table. */
export type Commitment = Omit<CommitBody, "sequence" | "previous" | "key">;

/**
 * Returns the commitments that wait, by ascending version. Of a table that is new to the history only the newest version is
 * signed: its list of files covers the older commits. Throws HistoryDiffers, LakeDamaged.
 */
export function pendingOf(table: Table, state: ChainState | null): readonly Commitment[] {
  const { name } = table.definition;
  const newest = table.latest();
  const last = state?.tables[name];
  if (newest === null) {
    if (last === undefined || last.version < 0) return [];
    throw new HistoryDiffers(`${name} has no version, and version ${last.version} was signed`);
  }
  if (last === undefined) return [commitmentOf(table, newest)];
  if (newest.version < last.version)
    throw new HistoryDiffers(
      `${name} ends with version ${newest.version}, and version ${last.version} was signed`,
    );
  const signed = last.sha256 === null ? null : table.log.commitText(last.version);
  if (signed !== null && sha256(signed) !== last.sha256)
    throw new HistoryDiffers(
      `the commit of version ${last.version} of ${name} is not the one that was signed`,
    );
  const commitments: Commitment[] = [];
  for (let version = last.version + 1; version <= newest.version; version++) {
    const snapshot = version === newest.version ? newest : table.at(version);
    if (snapshot === null)
      throw new HistoryDiffers(`version ${version} of ${name} is gone, and was not signed yet`);
    commitments.push(commitmentOf(table, snapshot));
  }
  return commitments;
}

function commitmentOf(table: Table, snapshot: Snapshot): Commitment {
  const { name } = table.definition;
  const { version, timestamp } = snapshot;
  const pins = pinsOf(snapshot);
  return {
    kind: "commit",
    table: name,
    version,
    at: new Date(timestamp).toISOString(),
    sha256: sha256(table.log.commitText(version) as string),
    files: filesDigest(snapshot),
    ...(pins === null ? {} : { with: pins }),
  };
}

export function filesDigest(snapshot: Pick<Snapshot, "files">): string {
  return sha256(filesText(listedIn(snapshot)));
}

export function listedIn({ files }: Pick<Snapshot, "files">) {
  return [...files.values()].map(({ path, tags }) => ({ path, sha256: tags.sha256 }));
}

/** Returns the versions of other tables that a version of `daily` names; null for any other table. */
export function pinsOf({ txns }: Pick<Snapshot, "txns">): Pinned | null {
  const versionOf = (name: keyof Pinned) => txns.get(`crossrate/${name}`)?.version;
  const [revisions, held, statements] = [versionOf("revisions"), versionOf("held"), versionOf("statements")];
  if (revisions === undefined || held === undefined) return null;
  return { revisions, held, ...(statements === undefined ? {} : { statements }) };
}

/** Orders the commitments of all tables by commit time, then by table: a late signer makes the same entries as a prompt one. */
export function inOrder(waiting: readonly Commitment[][]): readonly Commitment[] {
  const ordered: Commitment[] = [];
  for (;;) {
    const [next] = waiting
      .filter((queue) => queue.length > 0)
      .toSorted(([a], [b]) => ((a?.at ?? "") < (b?.at ?? "") ? -1 : (a?.at ?? "") > (b?.at ?? "") ? 1 : 0));
    const first = next?.shift();
    if (first === undefined) return ordered;
    ordered.push(first);
  }
}

export interface Resumption {
  readonly table: string;
  /** The last version that still matches its entry, or -1. */
  readonly version: number;
  /** The last version that was signed. */
  readonly signed: number;
}

/** Returns an empty list when the last signed version is intact. Reads all entries. */
export function resumption(
  table: Table,
  before: ChainState | null,
  segments: Segments,
): readonly Resumption[] {
  const { name } = table.definition;
  const last = before?.tables[name];
  if (last === undefined) return [];
  const goOn = (version: number) =>
    version === last.version ? [] : [{ table: name, version, signed: last.version }];
  const signed = new Map<number, string>();
  for (const { entry } of segments.linesFrom(0)) {
    if (entry.kind === "commit" && entry.table === name) signed.set(entry.version, entry.sha256);
    if (entry.kind !== "resume" || entry.table !== name) continue;
    for (const version of signed.keys()) if (version > entry.version) signed.delete(version);
  }
  const newest = table.latest()?.version ?? -1;
  const { commits } = table.log.list();
  for (const version of commits.toReversed()) {
    const text = version > newest ? null : table.log.commitText(version);
    if (text === null || signed.get(version) !== sha256(text)) continue;
    return goOn(version);
  }
  // No signed version is left: the table goes on from its oldest commit.
  return goOn((commits[0] ?? 0) - 1);
}
