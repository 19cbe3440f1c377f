/**
 * The state of a signed history after an entry; an audit, in which every entry that does not follow from the one before is a
 * fault; and the proof that a day's rate was in a version.
 */

import type { CurrencyIndex } from "#domain/currency/currency.ts";
import type { DailySource } from "#domain/currency/source.ts";
import type { Figure } from "#domain/history/observation.ts";
import type { Day } from "#domain/time/day.ts";
import {
  type BeginBody,
  CHAIN_FORMAT,
  canonical,
  type Entry,
  hashOf,
  isSignedBy,
  keyIdOf,
  NO_HASH,
  type SignedCommit,
} from "./entry.ts";

export interface ChainKey {
  readonly key: string;
  /** Base64 of its 32 bytes. */
  readonly public_key: string;
  /** The entry that names this key. The first key signs that entry itself, a later key only those after it. */
  readonly sequence: number;
}

export interface SignedVersion {
  readonly version: number;
  /** Null after a repair, until the next commit. */
  readonly sha256: string | null;
  readonly sequence: number;
}

export interface ChainState extends Omit<Head, "key"> {
  readonly mode: BeginBody["mode"];
  /** The keys in the order of their use; the last one signs. */
  readonly keys: readonly ChainKey[];
  readonly tables: Readonly<Record<string, SignedVersion>>;
}

/** Identifies the whole history up to an entry. A head that is kept elsewhere detects any later rewriting. */
export interface Head {
  readonly chain: string;
  readonly sequence: number;
  readonly hash: string;
  readonly at: string;
  readonly key: string;
  readonly signature: string;
}

export function headOf({ chain, sequence, hash, at, keys, signature }: ChainState): Head {
  return { chain, sequence, hash, at, key: (keys.at(-1) as ChainKey).key, signature };
}

export interface Advanced {
  /** The state as if the entry were right: later entries can still be judged. Null where the entry begins no history. */
  readonly state: ChainState | null;
  /** One sentence each; empty where the entry follows. */
  readonly faults: readonly string[];
}

/** Judges the next entry. `before` is null for the first one. */
export function advance(before: ChainState | null, entry: Entry): Advanced {
  if (before === null) return begin(entry);
  const name = `entry ${entry.sequence}`;
  const faults: string[] = [];
  const isNext = entry.sequence === before.sequence + 1;
  if (!isNext) {
    faults.push(
      entry.sequence > before.sequence
        ? `${entriesText(before.sequence + 1, entry.sequence - 1)} missing from the history: ${name} comes after entry ${before.sequence}`
        : `${name} comes after entry ${before.sequence}: the history is out of order`,
    );
  } else if (entry.previous !== before.hash)
    faults.push(`${name} does not follow entry ${before.sequence}: that one was changed after it was signed`);
  const signer = before.keys.at(-1) as ChainKey;
  if (entry.key !== signer.key)
    faults.push(
      `${name} is signed with the key ${entry.key}, which no entry before it names as the next one`,
    );
  else if (!isSignedBy(entry, signer.public_key)) faults.push(`the signature of ${name} is wrong`);
  const { sequence, at, signature } = entry;
  const common = { ...before, sequence, at, signature, hash: hashOf(entry) };
  switch (entry.kind) {
    case "commit": {
      const { table, version, sha256 } = entry;
      const last = before.tables[table];
      if (last !== undefined && version !== last.version + 1 && isNext)
        faults.push(`${name} signs version ${version} of ${table}, after version ${last.version}`);
      return {
        faults,
        state: { ...common, tables: { ...before.tables, [table]: { version, sha256, sequence } } },
      };
    }
    case "resume": {
      const { table, version } = entry;
      const tables = { ...before.tables, [table]: { version, sha256: null, sequence } };
      return { faults, state: { ...common, tables } };
    }
    case "key": {
      const { new_key: key, public_key } = entry;
      if (keyIdOf(public_key) !== key) faults.push(`${name} names a key that is not its public key's id`);
      return { faults, state: { ...common, keys: [...before.keys, { key, public_key, sequence }] } };
    }
    default:
      faults.push(`${name} is of a kind that is not known here: ${entry.kind}`);
      return { faults, state: common };
  }
}

function begin(entry: Entry): Advanced {
  if (entry.kind !== "begin" || entry.format !== CHAIN_FORMAT)
    return { state: null, faults: [`entry ${entry.sequence} begins no history of the form ${CHAIN_FORMAT}`] };
  const { sequence, previous, chain, mode, key, public_key, at, signature } = entry;
  const faults: string[] = [];
  if (sequence !== 0 || previous !== NO_HASH)
    faults.push("the first entry is not of sequence 0, or claims one before it");
  if (keyIdOf(public_key) !== key || !isSignedBy(entry, public_key))
    faults.push("the signature of entry 0 is wrong");
  const keys = [{ key, public_key, sequence }];
  return { faults, state: { chain, mode, sequence, hash: hashOf(entry), signature, at, keys, tables: {} } };
}

function entriesText(first: number, last: number): string {
  return first === last ? `entry ${first} is` : `entries ${first} to ${last} are`;
}

/** Compares a history with a head that was kept elsewhere: one sentence, or null where the head is part of the history. */
export function againstHead(kept: Head, end: ChainState, at: Entry | null): string | null {
  if (kept.chain !== end.chain)
    return `the head that was kept is of the history ${kept.chain}, and this is ${end.chain}: another one, begun again or of another lake`;
  if (kept.sequence > end.sequence)
    return `the history was cut short: the head that was kept is entry ${kept.sequence}, and it ends with entry ${end.sequence}`;
  if (at === null || hashOf(at) !== kept.hash || at.signature !== kept.signature)
    return `the history was rewritten: entry ${kept.sequence} is not the one that was kept`;
  return null;
}

export interface Audited {
  /** The state after the newest entry; null where no history begins. */
  readonly state: ChainState | null;
  /** The signed commits by table and version, without those that a repair has given up. */
  readonly tables: ReadonlyMap<string, ReadonlyMap<number, SignedCommit>>;
  readonly faults: readonly string[];
  /** Repairs and changes of the key, which are no faults. */
  readonly notes: readonly string[];
}

/** Faults after this many say nothing new. */
const MOST_FAULTS = 50;

/** `kept`: a head that was stored elsewhere, or null. */
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
    const gone = [...signed.keys()].filter((number) => number > version);
    for (const number of gone) signed.delete(number);
    notes.push(
      `entry ${sequence}, ${at}: ${table} was repaired and ${version < 0 ? "begins again" : `goes on after version ${version}`}; ${gone.length} later ones that were signed are given up`,
    );
  };

  return {
    /** Takes the next entry. `line` is its stored text, where known. */
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
  // /.well-known/crossrate.json has the head as a member.
  const head = (value as { head?: unknown } | null)?.head ?? value;
  if (typeof head !== "object" || head === null) return null;
  const { sequence, ...texts } = head as Head;
  const isWhole =
    [texts.chain, texts.at, texts.key, texts.signature].every((one) => typeof one === "string") &&
    Number.isSafeInteger(sequence) &&
    /^[0-9a-f]{64}$/.test(texts.hash);
  return isWhole ? (head as Head) : null;
}

export interface ProvenFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface ProvenLeg extends Pick<Figure, "date" | "base" | "quote" | "printed"> {
  readonly multiplies: boolean;
  readonly source: DailySource;
  readonly revision: number;
  readonly file: ProvenFile;
}

export interface Proof {
  readonly from: CurrencyIndex;
  readonly to: CurrencyIndex;
  readonly day: Day;
  /** The version of the daily figures, as manifests name it. */
  readonly version: string;
  /** Decimal digits, as on the JSON pages. */
  readonly rate: string;
  readonly derived: boolean;
  readonly legs: readonly ProvenLeg[];
  /** The text with the SHA-256 `entry.files`. */
  readonly files: string;
  readonly entry: SignedCommit;
  readonly head: Head;
}
