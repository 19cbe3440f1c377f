/** The signed history for the commands that verify, repair and change its key. They do not open the product. */

import { join, resolve } from "node:path";
import type { Config } from "#config.ts";
import type { ChainKey, ChainState, Head } from "#domain/chain/state.ts";
import { headOf } from "#domain/chain/state.ts";
import { openChain } from "#store/chain/chain.ts";
import { makeNextKey } from "#store/chain/keys.ts";
import { HistoryDiffers } from "#store/chain/pending.ts";
import { CHAIN_FOLDER, ChainUnreadable } from "#store/chain/segments.ts";
import { type HistoryReport, verifyHistory } from "#store/chain/verify.ts";
import type { LakeStorage } from "#store/delta/storage.ts";
import { isTable, openTable, type Table } from "#store/delta/table.ts";
import { DAILY } from "#store/lake/tables.ts";
import { LAKE_TABLES, onFreshCopy, storageOf } from "./storage.ts";

type Place = Pick<Config, "dataDir" | "lakeSigningKeys" | "storage">;

/** Of a lake in a bucket what is there is read, not the copy of this machine. */
export async function verifyLakeHistory(
  { dataDir, lakeSigningKeys: given, storage }: Place,
  kept: Head | null,
): Promise<HistoryReport> {
  const verify = (directory: string, opened: LakeStorage | null = null) =>
    verifyHistory(directory, tablesIn(directory, opened), { dataDir, given }, kept);
  return storage === null ? await verify(lakeOf(dataDir)) : await onFreshCopy({ dataDir, storage }, verify);
}

/** Null where nothing is signed. Rejects with HistoryDiffers, ChainUnreadable, and as onFreshCopy. */
export async function headOfLake({ dataDir, storage }: Omit<Place, "lakeSigningKeys">): Promise<Head | null> {
  const headIn = async (directory: string) => {
    const state = openChain({ directory, keys: null, mode: "real" }).state();
    return state === null ? null : headOf(state);
  };
  return storage === null ? await headIn(lakeOf(dataDir)) : await onFreshCopy({ dataDir, storage }, headIn);
}

/** Makes a key and has the old one sign the change; resolves with its id. Rejects with SigningKeyFault, HistoryDiffers. */
export async function newSigningKey(config: Place, now: number): Promise<string> {
  const { dataDir, lakeSigningKeys: given } = config;
  const keys = { dataDir, given };
  const directory = lakeOf(dataDir);
  const storage = await storageOf(config, directory, {
    clock: { now: () => now },
    emit: () => {},
    fencing: () => null,
  });
  try {
    const chain = openChain({ directory, storage, keys, mode: "real", now: () => now });
    if (chain.state() === null)
      throw new Error("nothing is signed yet; a server begins when it starts, with a key of its own");
    makeNextKey(keys);
    await chain.sign([]);
    return ((chain.state() as ChainState).keys.at(-1) as ChainKey).key;
  } finally {
    await storage?.close();
  }
}

/** Brings the signed history in line with tables that a repair has set back. One sentence a step. */
export async function resumeHistory(
  { dataDir, lakeSigningKeys: given }: Omit<Place, "storage">,
  now: number,
  apply: boolean,
): Promise<readonly string[]> {
  const directory = lakeOf(dataDir);
  const chain = openChain({ directory, keys: { dataDir, given }, mode: "real", now: () => now });
  try {
    const resumed = await chain.resume(tablesIn(directory), apply);
    return resumed.map(
      ({ table, version, signed }) =>
        `the signed history of ${table} goes on after version ${version}; version ${signed} was signed, and is not there as it was`,
    );
  } catch (fault) {
    if (!(fault instanceof HistoryDiffers || fault instanceof ChainUnreadable)) throw fault;
    const away = join(directory, CHAIN_FOLDER);
    return [
      `${fault.message}: restore ${away} from a backup, or move it away, and a new history begins at the next start`,
    ];
  }
}

function tablesIn(directory: string, storage: LakeStorage | null = null): readonly Table[] {
  // Those with which `daily` goes come before it: its entries name their versions.
  const tables = [...LAKE_TABLES].sort((a, b) => Number(a === DAILY) - Number(b === DAILY));
  // The mode counts for new tables only, and none is made here.
  return tables
    .filter((definition) => isTable(directory, definition))
    .map((definition) => openTable(directory, definition, "real", undefined, storage));
}

function lakeOf(dataDir: string): string {
  return resolve(join(dataDir, "lake"));
}
