/** The signed history of a lake: an entry for each commit of each table, appended after it and never removed (docs/signed-history.md). */

import { randomUUID } from "node:crypto";
import pLimit from "p-limit";
import {
  type BeginBody,
  CHAIN_FORMAT,
  canonical,
  type Entry,
  type EntryBody,
  hashOf,
  NO_HASH,
  type SignedCommit,
  type SigningKey,
  sealed,
} from "#domain/chain/entry.ts";
import { advance, type ChainKey, type ChainState } from "#domain/chain/state.ts";
import { CommitConflict } from "#store/delta/log.ts";
import type { LakeStorage } from "#store/delta/storage.ts";
import type { Table } from "#store/delta/table.ts";
import type { WriterLock } from "#store/disk/writer-lock.ts";
import type { Emit } from "#telemetry.ts";
import { adoptNextKey, type KeyPlace, makeKey, readKeys, type SigningKeys } from "./keys.ts";
import { HistoryDiffers, inOrder, pendingOf, type Resumption, resumption } from "./pending.ts";
import { openSavedState, openSegments } from "./segments.ts";

interface ChainOptions {
  /** The lake's own directory; the history is in `chain/` under it. */
  readonly directory: string;
  /** Null for a process that only reads. */
  readonly keys: KeyPlace | null;
  /** Where several machines share the lake: the history is there, and `chain/` is a copy of it. */
  readonly storage?: LakeStorage | null;
  readonly mode: BeginBody["mode"];
  readonly now?: () => number;
  readonly emit?: Emit;
}

export type Chain = ReturnType<typeof openChain>;
/** What an entry says beside its place in the history; `at` is now unless it is given. */
type Said = EntryBody extends infer Body
  ? Body extends EntryBody
    ? Omit<Body, "sequence" | "previous" | "key" | "at"> & { readonly at?: string }
    : never
  : never;

/** Appends after which the state is saved and small segments are joined. */
const TIDY_EVERY = 64;
/** Other writers are few: who loses so often in a row meets something else than them. */
const MOST_ATTEMPTS = 100;

/** Nothing is read or made before the first call. */
export function openChain(options: ChainOptions) {
  const { directory, keys: place, mode, now = Date.now, emit, storage = null } = options;
  const segments = openSegments(directory, storage?.history);
  const saved = openSavedState(segments);
  let known: ChainState | null = null;
  let keys: SigningKeys | null = null;
  let appends = 0;
  let isReported = false;
  const inTurn = pLimit(1);

  /** The newest state, with what other processes have appended. Throws ChainUnreadable, HistoryDiffers. */
  const state = (): ChainState | null => {
    known ??= saved.read();
    if (segments.last() <= (known?.sequence ?? -1)) return known;
    for (const { entry } of segments.linesFrom((known?.sequence ?? -1) + 1)) known = followed(known, entry);
    return known;
  };

  const keysFor = (before: ChainState | null): SigningKeys => {
    const current = before?.keys.at(-1)?.key;
    const hasIt = ({ wanted, others }: SigningKeys) =>
      current === undefined || [wanted, ...others].some(({ id }) => id === current);
    // Another process may have changed the key since it was read.
    if (keys === null || !hasIt(keys)) keys = readKeys(place as KeyPlace);
    // Never another key in silence: a history that is there goes on with the key that it names.
    if (keys === null && before === null) keys = makeKey(place as KeyPlace);
    if (keys?.wanted.id === current) adoptNextKey(place as KeyPlace);
    if (keys !== null && hasIt(keys)) return keys;
    throw new HistoryDiffers(
      `the key ${current} that signs the history is not here`,
      "Restore signing.key from a backup, or set LAKE_SIGNING_KEY to the one that other machines have",
    );
  };

  /** Entries for what is said, with those that begin the history or change the key before them. */
  const entriesFor = (before: ChainState | null, said: readonly Said[]): readonly Entry[] => {
    const { wanted, others } = keysFor(before);
    const entries: Entry[] = [];
    let [sequence, previous] = [before?.sequence ?? -1, before?.hash ?? NO_HASH];
    const add = (key: SigningKey, what: Said) => {
      sequence += 1;
      const at = what.at ?? new Date(now()).toISOString();
      const entry = sealed({ ...what, at, sequence, previous, key: key.id } as EntryBody, key);
      previous = hashOf(entry);
      entries.push(entry);
    };
    const current = before?.keys.at(-1) as ChainKey | undefined;
    if (current === undefined) {
      const public_key = wanted.publicKey;
      add(wanted, { kind: "begin", format: CHAIN_FORMAT, chain: randomUUID(), mode, public_key });
    } else if (current.key !== wanted.id) {
      const signer = others.find(({ id }) => id === current.key) as SigningKey;
      add(signer, { kind: "key", new_key: wanted.id, public_key: wanted.publicKey });
    }
    for (const what of said) add(wanted, what);
    return entries;
  };

  const isKeyOld = (before: ChainState | null) =>
    before !== null && keysFor(before).wanted.id !== before.keys.at(-1)?.key;

  /** Appends what `say` makes of the newest state; asks it again when another process was faster. */
  const append = async (say: (before: ChainState | null) => readonly Said[]): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      while (storage?.history.isBehind()) await storage.follow();
      const lost = storage?.history.fault() ?? null;
      if (lost !== null)
        throw new HistoryDiffers(lost, "Put it back, from the bucket's versions or from a copy");
      const before = state();
      // First: without the key nothing that waits needs to be read.
      const isOld = isKeyOld(before);
      const said = say(before);
      if (said.length === 0 && !isOld) return;
      const entries = entriesFor(before, said);
      try {
        await segments.append(entries.map(canonical), (before?.sequence ?? -1) + 1);
      } catch (fault) {
        if (!(fault instanceof CommitConflict) || attempt >= MOST_ATTEMPTS) throw fault;
        // Its segment is there, and is read with the next state. What it signs has to be in the copy with it.
        await storage?.follow();
        continue;
      }
      known = entries.reduce(followed, before);
      keysFor(known);
      appends += 1;
      if (appends % TIDY_EVERY === 0) await tidy();
      return;
    }
  };

  const tidy = async () => {
    await saved.write(known);
    await segments.join();
  };

  const sign = (tables: readonly Table[]) =>
    inTurn(() => append((before) => inOrder(tables.map((table) => [...pendingOf(table, before)]))));

  const isBehind = (tables: readonly Table[]): boolean => {
    if (place === null) return false;
    try {
      const newest = state();
      if (newest === null || isKeyOld(newest)) return true;
      return tables.some(
        (table) => (table.latest()?.version ?? -1) !== (newest.tables[table.definition.name]?.version ?? -1),
      );
    } catch {
      // What prevents an answer prevents signing, too: `follow` reports it.
      return true;
    }
  };

  /** Signs after a commit, which is durable: what prevents it is reported, once, and the next call tries again. */
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
     * SigningKeyFault, LakeDamaged, StorageAway, or the file system's fault; then nothing was appended, or in shared storage
     * what the next call finds there. The caller is the tables' one writer on this machine.
     */
    sign,
    follow,
    /** `follow` under the tables' lock, where anything waits: commits of a writer that died, or could not reach the storage. */
    catchUp: async (tables: readonly Table[], lock: WriterLock): Promise<void> => {
      if (isBehind(tables)) await lock.exclusive(() => follow(tables));
    },
    /**
     * After a repair: the tables whose last signed version is not there any more, with the version from which they go on. `apply`
     * false changes nothing; else that is signed, and then the commits after it. Rejects as `sign`.
     */
    resume: async (tables: readonly Table[], apply: boolean): Promise<readonly Resumption[]> => {
      let resumptions: readonly Resumption[] = [];
      const differing = (before: ChainState | null) => {
        resumptions = tables.flatMap((table) => resumption(table, before, segments));
        return resumptions.map(({ table, version }): Said => ({ kind: "resume", table, version }));
      };
      if (!apply || state() === null) differing(state());
      else {
        await inTurn(() => append(differing));
        await sign(tables);
      }
      return resumptions;
    },
    /** The entry of a version of a table; null where it was not signed, or given up in a repair. Reads from the newest entry back. */
    entryOf: (table: string, version: number): SignedCommit | null => {
      for (const { entry } of segments.linesBackwards()) {
        if (entry.kind === "begin" || entry.kind === "key" || entry.table !== table) continue;
        if (entry.kind === "commit" && entry.version === version) return entry;
        if (entry.version < version) return null;
      }
      return null;
    },
    /** Waits for what is under way. */
    close: (): Promise<void> => inTurn(async () => {}),
  };
}

/** The state after an entry that follows. Throws HistoryDiffers. */
function followed(before: ChainState | null, entry: Entry): ChainState {
  const { state, faults } = advance(before, entry);
  if (state === null || faults.length > 0) throw new HistoryDiffers(faults.join("; "));
  return state;
}
