/**
 * The signed history of a lake (docs/signed-history.md): appends an entry for each commit of each table, and reads entries for
 * requests.
 */

import { randomUUID } from "node:crypto";
import pLimit from "p-limit";
import {
  type BeginBody,
  CHAIN_FORMAT,
  canonical,
  type Entry,
  type EntryBody,
  filesText,
  hashOf,
  NO_HASH,
  type SignedCommit,
  type SigningKey,
  sealed,
} from "#domain/chain/entry.ts";
import { advance, type ChainKey, type ChainState } from "#domain/chain/state.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { ProvenVersion, SignedHistory } from "#ports.ts";
import { LakeDamaged } from "#store/delta/damage.ts";
import { CommitConflict } from "#store/delta/log.ts";
import { filesOfPartition, type Snapshot } from "#store/delta/snapshot.ts";
import type { LakeStorage } from "#store/delta/storage.ts";
import type { Table } from "#store/delta/table.ts";
import type { WriterLock } from "#store/disk/writer-lock.ts";
import type { Emit } from "#telemetry.ts";
import { adoptNextKey, type KeyPlace, makeKey, readKeys, type SigningKeys } from "./keys.ts";
import { HistoryDiffers, inOrder, listedIn, pendingOf, type Resumption, resumption } from "./pending.ts";
import { ChainUnreadable, openSavedState, openSegments } from "./segments.ts";

interface ChainOptions {
  /** The lake's own directory; the history is in `chain/` under it. */
  readonly directory: string;
  /** Null for a process that only reads. */
  readonly keys: KeyPlace | null;
  /** The storage of a shared lake: it has the history, and `chain/` is a copy. */
  readonly storage?: LakeStorage | null;
  readonly mode: BeginBody["mode"];
  readonly now?: () => number;
  readonly emit?: Emit;
}

export type Chain = ReturnType<typeof openChain>;
/** The content of an entry without its place in the history; `at` is now by default. */
type Content = EntryBody extends infer Body
  ? Body extends EntryBody
    ? Omit<Body, "sequence" | "previous" | "key" | "at"> & { readonly at?: string }
    : never
  : never;

/** The number of appends after which the state is saved and small segments are joined. */
const TIDY_EVERY = 64;
/** Other writers are few: so many conflicts in a row have another cause. */
const MOST_ATTEMPTS = 100;

/** Reads and makes nothing before the first call of a method. */
export function openChain(options: ChainOptions) {
  const { directory, keys: place, mode, now = Date.now, emit, storage = null } = options;
  const segments = openSegments(directory, storage?.history);
  const saved = openSavedState(segments);
  let newest: ChainState | null = null;
  let keys: SigningKeys | null = null;
  let appends = 0;
  let isReported = false;
  const inTurn = pLimit(1);

  /** Returns the newest state, with the entries of other processes. Throws ChainUnreadable, HistoryDiffers. */
  const state = (): ChainState | null => {
    newest ??= saved.read();
    if (segments.last() <= (newest?.sequence ?? -1)) return newest;
    for (const { entry } of segments.linesFrom((newest?.sequence ?? -1) + 1)) newest = after(newest, entry);
    return newest;
  };

  const keysFor = (before: ChainState | null): SigningKeys => {
    const current = before?.keys.at(-1)?.key;
    const hasIt = ({ signer, former }: SigningKeys) =>
      current === undefined || [signer, ...former].some(({ id }) => id === current);
    // Another process may have changed the key meanwhile.
    if (keys === null || !hasIt(keys)) keys = readKeys(place as KeyPlace);
    // A key is made for a new history only: an existing one needs the key that it names.
    if (keys === null && before === null) keys = makeKey(place as KeyPlace);
    if (keys?.signer.id === current) adoptNextKey(place as KeyPlace);
    if (keys !== null && hasIt(keys)) return keys;
    throw new HistoryDiffers(
      `the key ${current} that signs the history is not here`,
      "Restore signing.key from a backup, or set LAKE_SIGNING_KEY to the one that other machines have; a former key goes after a comma there",
    );
  };

  /** Makes an entry of each content, after an entry that begins the history or changes the key, if either is needed. */
  const entriesFor = (before: ChainState | null, contents: readonly Content[]): readonly Entry[] => {
    const { signer, former } = keysFor(before);
    const entries: Entry[] = [];
    let [sequence, previous] = [before?.sequence ?? -1, before?.hash ?? NO_HASH];
    const add = (key: SigningKey, content: Content) => {
      sequence += 1;
      const at = content.at ?? new Date(now()).toISOString();
      const entry = sealed({ ...content, at, sequence, previous, key: key.id } as EntryBody, key);
      previous = hashOf(entry);
      entries.push(entry);
    };
    const current = before?.keys.at(-1) as ChainKey | undefined;
    if (current === undefined) {
      const public_key = signer.publicKey;
      add(signer, { kind: "begin", format: CHAIN_FORMAT, chain: randomUUID(), mode, public_key });
    } else if (current.key !== signer.id) {
      const old = former.find(({ id }) => id === current.key) as SigningKey;
      add(old, { kind: "key", new_key: signer.id, public_key: signer.publicKey });
    }
    for (const content of contents) add(signer, content);
    return entries;
  };

  const isKeyOld = (before: ChainState | null) =>
    before !== null && keysFor(before).signer.id !== before.keys.at(-1)?.key;

  /** Appends the contents that `make` gives for the newest state; calls it again when another process was faster. */
  const append = async (make: (before: ChainState | null) => readonly Content[]): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      while (storage?.history.isBehind()) await storage.follow();
      const lost = storage?.history.fault() ?? null;
      if (lost !== null)
        throw new HistoryDiffers(lost, "Put it back, from the bucket's versions or from a copy");
      const before = state();
      // Checked first: without the key no commit needs to be read.
      const isOld = isKeyOld(before);
      const contents = make(before);
      if (contents.length === 0 && !isOld) return;
      const entries = entriesFor(before, contents);
      try {
        await segments.append(entries.map(canonical), (before?.sequence ?? -1) + 1);
      } catch (fault) {
        if (!(fault instanceof CommitConflict) || attempt >= MOST_ATTEMPTS) throw fault;
        // The next state() reads the other process's segment. The commits that it signs must be in the copy, too.
        await storage?.follow();
        continue;
      }
      newest = entries.reduce(after, before);
      keysFor(newest);
      appends += 1;
      if (appends % TIDY_EVERY === 0) await tidy();
      return;
    }
  };

  const tidy = async () => {
    await saved.write(newest);
    await segments.join();
  };

  const sign = (tables: readonly Table[]) =>
    inTurn(() => append((before) => inOrder(tables.map((table) => [...pendingOf(table, before)]))));

  const isBehind = (tables: readonly Table[]): boolean => {
    if (place === null) return false;
    try {
      const signed = state();
      if (signed === null || isKeyOld(signed)) return true;
      return tables.some(
        (table) => (table.latest()?.version ?? -1) !== (signed.tables[table.definition.name]?.version ?? -1),
      );
    } catch {
      // The same fault prevents signing: `follow` reports it.
      return true;
    }
  };

  /** Signs after a durable commit. Reports a fault once; the next call tries again. */
  const follow = async (tables: readonly Table[]): Promise<void> => {
    if (place === null) return;
    try {
      await sign(tables);
      if (isReported) emit?.({ kind: "history_signed" });
      isReported = false;
    } catch (fault) {
      const detail = fault instanceof Error ? fault.message : String(fault);
      if (!isReported) emit?.({ kind: "history_unsigned", detail });
      isReported = true;
    }
  };

  return {
    segments,
    state,
    /**
     * Signs the commits that have no entry yet, in the order of the tables. Rejects with HistoryDiffers, ChainUnreadable,
     * SigningKeyFault, LakeDamaged, StorageAway, or the file system's fault; then nothing was appended, or the next call
     * finds it in shared storage. The caller is the tables' one writer on this machine.
     */
    sign,
    follow,
    /** Signs waiting commits under the tables' lock: those of a writer that died, or could not reach the storage. */
    catchUp: async (tables: readonly Table[], lock: WriterLock): Promise<void> => {
      if (isBehind(tables)) await lock.exclusive(() => follow(tables));
    },
    /**
     * Returns, after a repair, the tables that lost their last signed version, with the version from which each goes on. With `apply`,
     * signs that version and then the commits after it. Rejects as `sign`.
     */
    resume: async (tables: readonly Table[], apply: boolean): Promise<readonly Resumption[]> => {
      let resumptions: readonly Resumption[] = [];
      const differing = (before: ChainState | null) => {
        resumptions = tables.flatMap((table) => resumption(table, before, segments));
        return resumptions.map(({ table, version }): Content => ({ kind: "resume", table, version }));
      };
      if (!apply || state() === null) differing(state());
      else {
        await inTurn(() => append(differing));
        await sign(tables);
      }
      return resumptions;
    },
    /** Returns the entry of a version of a table; null when it was not signed, or was given up in a repair. Reads backwards. */
    entryOf: (table: string, version: number): SignedCommit | null => {
      for (const { entry } of segments.linesBackwards()) {
        if (entry.kind === "begin" || entry.kind === "key" || entry.table !== table) continue;
        if (entry.kind === "commit" && entry.version === version) return entry;
        if (entry.version < version) return null;
      }
      return null;
    },
    /** Waits for the running call. */
    close: (): Promise<void> => inTurn(async () => {}),
  };
}

function after(before: ChainState | null, entry: Entry): ChainState {
  const { state, faults } = advance(before, entry);
  if (state === null || faults.length > 0) throw new HistoryDiffers(faults.join("; "));
  return state;
}

interface Daily {
  readonly table: Table;
  readonly nameOf: (snapshot: Snapshot) => string;
  /** Returns the table's version of a name; null for any other text. */
  readonly versionOf: (name: string) => number | null;
}

/** Reads nothing before the first call of a method. */
export function openSignedHistory(chain: Chain, { table, nameOf, versionOf }: Daily): SignedHistory {
  const proven = (name: string): ProvenVersion | null => {
    const newest = table.latest();
    if (newest === null) return null;
    const signedAs = (snapshot: Snapshot | null) =>
      snapshot === null || nameOf(snapshot) !== name
        ? null
        : chain.entryOf(table.definition.name, snapshot.version);
    // Commits without new figures keep the name. The newest commit is tried first: it is signed if any of them is.
    const number = versionOf(name);
    const older = number === null || number === newest.version ? null : table.at(number);
    const snapshot = signedAs(newest) !== null ? newest : older;
    const signed = signedAs(snapshot);
    if (snapshot === null || signed === null) return null;
    return {
      version: name,
      entry: signed,
      files: filesText(listedIn(snapshot)),
      fileOf: (source, year) => {
        const [add] = filesOfPartition(snapshot, { source, year: String(year) });
        if (add === undefined) return null;
        return { path: `${table.definition.name}/${add.path}`, bytes: add.size, sha256: add.tags.sha256 };
      },
    };
  };
  return {
    state: asRefusal(() => chain.state()),
    entries: asRefusal((from, most) => {
      const entries: Entry[] = [];
      for (const { entry } of chain.segments.linesFrom(from)) {
        if (entries.length >= most) break;
        entries.push(entry);
      }
      return entries;
    }),
    proven: asRefusal(proven),
  };
}

/** The operator finds the fault with `crossrate verify`; the caller gets `data_unavailable`, without paths. */
function asRefusal<A extends unknown[], T>(work: (...args: A) => T): (...args: A) => T {
  return (...args) => {
    try {
      return work(...args);
    } catch (fault) {
      const isFault =
        fault instanceof HistoryDiffers || fault instanceof ChainUnreadable || fault instanceof LakeDamaged;
      if (!isFault) throw fault;
      throw new Failure(
        "data_unavailable",
        { reason: "the signed history of this server is damaged" },
        fault,
      );
    }
  };
}
