/** Compares the tables of a lake with their entries: commits, lists of files, and the files of older versions. */

import { canonical, type SignedCommit, sha256 } from "#domain/chain/entry.ts";
import { type ChainState, type Head, newAudit } from "#domain/chain/state.ts";
import { sentenceOf, unlessDamaged } from "#store/delta/damage.ts";
import { partitionFolder } from "#store/delta/schema.ts";
import type { Snapshot } from "#store/delta/snapshot.ts";
import type { Table } from "#store/delta/table.ts";
import { type KeyPlace, readKeys } from "./keys.ts";
import { filesDigest, pinsOf } from "./pending.ts";
import { ChainUnreadable, openSegments } from "./segments.ts";

/**
 * Reads all entries, all commits and the files of older versions; `survey` reads the files of the newest version. Damage does not
 * reject. Writers may go on meanwhile.
 */
export async function verifyHistory(
  directory: string,
  tables: readonly Table[],
  keys: KeyPlace,
  kept: Head | null,
) {
  // Read before the entries: a later commit may have no entry yet.
  const newest = new Map(tables.map((table) => [table, unlessDamaged(() => table.latest())?.version ?? -1]));
  const audit = newAudit(kept);
  const faults: string[] = [];
  try {
    const segments = openSegments(directory);
    const lines = new Map<number, string>();
    for (const { entry, line } of segments.linesFrom(0)) {
      audit.take(entry, line);
      lines.set(entry.sequence, line);
    }
    for (const { entry, line } of segments.everyLine())
      if (lines.has(entry.sequence) && lines.get(entry.sequence) !== line)
        faults.push(`entry ${entry.sequence} is stored twice, and the copies differ`);
  } catch (fault) {
    if (!(fault instanceof ChainUnreadable)) throw fault;
    faults.push(fault.what);
  }
  const { state, tables: signed, notes, faults: ofEntries } = audit.end();
  faults.unshift(...ofEntries);
  const judged = judgeKeys(keys, state);
  if (judged.fault !== undefined) faults.push(judged.fault);
  const lines: string[] = [];
  const all = judged.note === undefined ? [...notes] : [...notes, judged.note];
  for (const table of tables) {
    const versions = signed.get(table.definition.name);
    if (versions === undefined || versions.size === 0) continue;
    const comparison = await compare(table, versions, newest.get(table) ?? -1);
    lines.push(comparison.line);
    all.push(...comparison.notes);
    faults.push(...comparison.faults);
  }
  for (const name of signed.keys())
    if (!tables.some(({ definition }) => definition.name === name))
      faults.push(`the table ${name} was signed, and is gone`);
  /** `tables` has a line for each: the signed versions, and those that can still be checked. */
  return { state, tables: lines, notes: all, faults };
}

/** Finds a history that somebody rewrote without the key, and signed with another one. */
function judgeKeys(place: KeyPlace, state: ChainState | null): { note?: string; fault?: string } {
  const keys = readKeys(place);
  if (state === null) {
    if (keys === null || place.fromSetting.length > 0) return {};
    return { fault: "there is a key, signing.key, and no signed history: it was removed, or never begun" };
  }
  const { key } = state.keys.at(-1) as ChainState["keys"][number];
  // A copy of a lake may lack the key.
  if (keys === null)
    return { note: `the key ${key} is not here: entries are held against the keys that the history names` };
  if ([keys.signer, ...keys.former].some(({ id }) => id === key)) return {};
  return {
    fault: `the history is signed with the key ${key}, and the key here is ${keys.signer.id}: somebody else has signed it`,
  };
}

async function compare(table: Table, signed: ReadonlyMap<number, SignedCommit>, newest: number) {
  const { name } = table.definition;
  const { commits, checkpoints } = table.log.list();
  const versions = [...signed.keys()].sort((a, b) => a - b);
  const [first, last] = [versions[0] as number, versions.at(-1) as number];
  const notes: string[] = [];
  const faults: string[] = [];
  let cleaned = 0;
  for (const version of versions) {
    const { sha256: expected, sequence } = signed.get(version) as SignedCommit;
    const text = unlessDamaged(() => table.log.commitText(version));
    if (text === null) {
      // The survey of the log reports a commit that cannot be read.
      if (table.log.hasCommit(version)) continue;
      // Clean-up removes only commits before the oldest checkpoint.
      if (version < (checkpoints[0] ?? 0)) cleaned += 1;
      else
        faults.push(
          `the commit of version ${version} of ${name} is missing: entry ${sequence} has signed it`,
        );
    } else if (sha256(text) !== expected)
      faults.push(
        `the commit of version ${version} of ${name} was changed after entry ${sequence} had signed it`,
      );
  }
  const unsigned = commits.filter((version) => version > first && version <= newest && !signed.has(version));
  for (const version of unsigned.filter((number) => number < last))
    faults.push(`version ${version} of ${name} has no entry, and later ones have`);
  const waiting = unsigned.filter((version) => version > last);
  const next = waiting[0];
  if (next !== undefined && next > last + 1)
    faults.push(
      `${name}: ${versionsText(last + 1, next - 1)} went without an entry, so nothing after that is signed: crossrate repair goes on from what is there`,
    );
  else if (waiting.length > 0)
    notes.push(
      `${name}: ${waiting.length === 1 ? "version" : "versions up to"} ${waiting.at(-1)} ${waiting.length === 1 ? "has" : "have"} no entry yet; a server signs them when it starts, and with its next commit`,
    );
  const whole = compareFiles(table, signed, newest);
  faults.push(...whole.faults);
  const older = [...(whole.snapshot?.removed.values() ?? [])];
  // Clean-up may have removed files of older versions; those still there must be as they were signed.
  const read = table.storage === null ? table.verifier.audit : table.verifier.checkAll;
  for (const damage of await read(older))
    if (damage.kind !== "missing") faults.push(`${sentenceOf(damage)}; it is of an older version`);
  const from = versions.find((version) => version >= (whole.from ?? Number.POSITIVE_INFINITY));
  const reach = from === undefined ? "none can be checked" : `those from ${from} on can be checked`;
  const gone =
    cleaned === 0 ? "" : `; the commits of ${cleaned} older ones were cleaned up, their entries are left`;
  return {
    line: `${name.padEnd(10)} versions ${first} to ${last} are signed${neverSigned(versions)}, ${reach}${gone}`,
    notes,
    faults,
  };
}

/** Versions without an entry, which clean-up removed before a repair went on after them: `, but not versions 3 to 7`. */
function neverSigned(versions: readonly number[]): string {
  return versions
    .flatMap((version, nth) => {
      const before = versions[nth - 1] ?? version;
      return version > before + 1 ? `, but not ${versionsText(before + 1, version - 1)}` : [];
    })
    .join("");
}

function versionsText(first: number, last: number): string {
  return first === last ? `version ${first}` : `versions ${first} to ${last}`;
}

/** Compares lists of files with entries: of the first version that can be read, and of the newest. The survey of the log holds the checkpoints against the commits between. */
function compareFiles(table: Table, signed: ReadonlyMap<number, SignedCommit>, newest: number) {
  const { name } = table.definition;
  const { commits, checkpoints } = table.log.list();
  const first = checkpoints[0] ?? commits[0] ?? newest;
  const faults: string[] = [];
  let from: number | null = null;
  let snapshot: Snapshot | null = null;
  for (const version of new Set([first, newest])) {
    const made = unlessDamaged(() => table.at(version));
    // The survey of the log reports the damage.
    if (made === null) continue;
    if (version === first) from = version;
    snapshot = made;
    const entry = signed.get(version);
    if (entry === undefined) continue;
    if (filesDigest(made) !== entry.files)
      faults.push(
        `the files of version ${version} of ${name} are not those that entry ${entry.sequence} has signed`,
      );
    if (canonical(pinsOf(made)) !== canonical(entry.with ?? null))
      faults.push(
        `version ${version} of ${name} names other versions than entry ${entry.sequence} has signed`,
      );
    for (const { path, partitionValues } of made.files.values()) {
      const folder = partitionFolder(table.definition, partitionValues);
      if (folder !== "" && !path.startsWith(`${folder}/`))
        faults.push(`${name}/${path} is listed under another partition, ${folder}`);
    }
  }
  return { faults: [...new Set(faults)], from, snapshot };
}
