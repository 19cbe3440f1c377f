/** Reads a signed history from its first entry to its last, and reports every entry that does not follow from the one before. */

import { canonical, type Entry } from "./entry.ts";
import type { SignedCommit } from "./proof.ts";
import { advance, againstHead, type ChainState, type Head } from "./state.ts";

export interface Audited {
  /** The newest entry; null where nothing begins. */
  readonly state: ChainState | null;
  /** What was signed, by table and version, without what a repair has given up. */
  readonly tables: ReadonlyMap<string, ReadonlyMap<number, SignedCommit>>;
  /** One sentence each. */
  readonly faults: readonly string[];
  /** What is no fault and worth knowing: repairs, and changes of the key. */
  readonly notes: readonly string[];
}

/** After so many faults the rest says nothing new. */
const MOST_FAULTS = 50;

/** `kept`: a head that was stored elsewhere; null for none. */
export function newAudit(kept: Head | null) {
  let state: ChainState | null = null;
  let isBegun = false;
  let keptEntry: Entry | null = null;
  const tables = new Map<string, Map<number, SignedCommit>>();
  const faults: string[] = [];
  const notes: string[] = [];

  const remember = (entry: Entry) => {
    if (entry.kind === "begin") return;
    if (entry.kind === "key") {
      notes.push(
        `entry ${entry.sequence}, ${entry.at}: the key ${entry.new_key} takes over from ${entry.key}`,
      );
      return;
    }
    const { table, version, at, sequence } = entry;
    const signed = tables.get(table) ?? new Map<number, SignedCommit>();
    tables.set(table, signed);
    if (entry.kind === "commit") {
      signed.set(version, entry);
      return;
    }
    const gone = [...signed.keys()].filter((found) => found > version);
    for (const found of gone) signed.delete(found);
    notes.push(
      `entry ${sequence}, ${at}: ${table} was repaired and goes on after version ${version}; ${gone.length} later ones that were signed are given up`,
    );
  };

  return {
    /** The next entry. `line` is how it is stored, where that is known. */
    take: (entry: Entry, line?: string): void => {
      if (line !== undefined && canonical(entry) !== line)
        faults.push(`entry ${entry.sequence} is not stored in its canonical form`);
      if (isBegun && state === null) return;
      isBegun = true;
      const advanced = advance(state, entry);
      state = advanced.state;
      faults.push(...advanced.faults);
      if (kept?.sequence === entry.sequence) keptEntry = entry;
      remember(entry);
    },
    end: (): Audited => {
      if (kept !== null && state !== null) {
        const fault = againstHead(kept, state, keptEntry);
        if (fault !== null) faults.push(fault);
      }
      if (kept !== null && !isBegun)
        faults.push(
          `the history was cut short: the head that was kept is entry ${kept.sequence}, and there is none`,
        );
      const more = faults.length - MOST_FAULTS;
      return {
        state,
        tables,
        notes,
        faults: more > 0 ? [...faults.slice(0, MOST_FAULTS), `and ${more} more faults`] : faults,
      };
    },
  };
}

/** A head as `verify head` prints it and servers send it; null for anything else. */
export function readHead(text: string): Head | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The caller says which file it was.
    return null;
  }
  // What /.well-known/crossrate.json has is a head with more around it.
  const found = (value as { head?: unknown } | null)?.head ?? value;
  if (typeof found !== "object" || found === null) return null;
  const { chain, sequence, hash, at, key, signature } = found as Partial<Head>;
  const isWhole =
    typeof chain === "string" &&
    Number.isSafeInteger(sequence) &&
    typeof hash === "string" &&
    /^[0-9a-f]{64}$/.test(hash) &&
    typeof at === "string" &&
    typeof key === "string" &&
    typeof signature === "string";
  return isWhole ? (found as Head) : null;
}
