/**
 * For the commands doctor, verify, repair and sign: the stores of a server, the lake and its signed history, read without opening
 * the server, which damage may prevent.
 */

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Config } from "#config.ts";
import { priceFaults } from "#domain/billing/price-check.ts";
import { type ChainKey, type ChainState, type Head, headOf } from "#domain/chain/state.ts";
import type { DailySource } from "#domain/currency/source.ts";
import { dayAt } from "#domain/time/day.ts";
import type { UpstreamRequest } from "#ports/upstream.ts";
import type { Clock } from "#ports.ts";
import { dailyAdapters, liveFeed } from "#sources/catalogue.ts";
import { sendingAddress } from "#sources/fetch/address.ts";
import { FILES_LOCK, OWNER_LOCK } from "#store/archive/journal/journal.ts";
import { INTRADAY } from "#store/archive/table.ts";
import { openChain } from "#store/chain/chain.ts";
import { makeNextKey } from "#store/chain/keys.ts";
import { HistoryDiffers } from "#store/chain/pending.ts";
import { CHAIN_FOLDER, ChainUnreadable } from "#store/chain/segments.ts";
import { verifyHistory } from "#store/chain/verify.ts";
import { LakeDamaged, sentenceOf } from "#store/delta/damage.ts";
import { repairTable } from "#store/delta/repair.ts";
import type { LakeStorage } from "#store/delta/storage.ts";
import { isTable, openTable, type Table } from "#store/delta/table.ts";
import { repairDaily, surveyLake } from "#store/lake/maintain.ts";
import { DAILY } from "#store/lake/tables.ts";
import { openLedger } from "#store/ledger/ledger.ts";
import { OFFICIAL, OFFICIAL_LOCK } from "#store/official-lake/official-lake.ts";
import { billingOf, ledgerPlaceOf, plansComparison, plansOf } from "./ledger.ts";
import { chosenTables } from "./official.ts";
import { newId } from "./process.ts";
import { LAKE_TABLES, onFreshCopy, storageOf } from "./storage.ts";

export { openClockWatch } from "#sources/fetch/clock-watch.ts";
export { probeRedis } from "#store/redis/connection/connection.ts";
export { OTHER_PLANS } from "./ledger.ts";

/** Days of the requested documents: every authority publishes within them. */
const RECENT_DAYS = 7;

/** Each host of the sources with the URL of a document, without credentials. */
export function sourceAddresses(config: Config, clock: Clock) {
  const to = dayAt(clock.now());
  const window = { reach: "latest", from: to - RECENT_DAYS, to } as const;
  const { feeds, access, currencies } = config.live;
  const requests: readonly (readonly [string, UpstreamRequest | undefined])[] = [
    ...dailyAdapters({ fredApiKey: config.fredApiKey }).map(
      (adapter) => [adapter.id, adapter.routes(window)[0]?.requests[0]] as const,
    ),
    ...feeds.map((id) => [id, liveFeed(id, access)?.polls(currencies)[0]?.request] as const),
    ...(config.official.tables === "off" ? [] : chosenTables(config).collected).map(
      (adapter) => [adapter.id, adapter.routes(window)[0]?.requests[0]] as const,
    ),
  ];
  const byHost = new Map<string, { host: string; address: string; sources: readonly string[] }>();
  for (const [source, request] of requests) {
    if (request === undefined) continue;
    const { secretQuery: _, secretHeaders: __, ...plain } = request;
    const { host } = new URL(request.url);
    const entry = byHost.get(host);
    const address = entry?.address ?? sendingAddress(plain, config.upstreamBase);
    byHost.set(host, { host, address, sources: [...(entry?.sources ?? []), source] });
  }
  return [...byHost.values()];
}

/** Opens the ledger and checks it. "missing" if its file does not exist yet; it is not created. Rejects as `openLedger` does. */
export async function probeLedger(config: Config, clock: Clock): Promise<"missing" | "ok" | "other_plans"> {
  const isFile = config.accounts.databaseUrl === null;
  if (isFile && !existsSync(join(config.dataDir, "ledger.sqlite"))) return "missing";
  const ledger = await openLedger(ledgerPlaceOf(config), { emit: () => {}, newId, clock });
  try {
    await ledger.check();
    await ledger.probe();
    return (await (await plansComparison(config, ledger)).differs()) ? "other_plans" : "ok";
  } finally {
    await ledger.close();
  }
}

/** Where Stripe charges another price than pages say; null where nothing is sold. Rejects with BillingFault and PlansFault. */
export async function priceFaultsOf(config: Config): Promise<readonly string[] | null> {
  const billing = billingOf(config, () => {});
  return billing.kind === "none" ? null : priceFaults(await plansOf(config), await billing.prices());
}

/** Reads every table whole; of a lake in a bucket, on a fresh copy. A version is null when its log cannot be read. */
export async function verifyLake(
  place: Pick<Config, "dataDir" | "storage">,
  progress: (table: string, done: number, total: number) => void,
) {
  return await onLake(place, async (directory, opened) => {
    const surveys = await surveyLake(directory, LAKE_TABLES, progress, opened);
    const address = opened?.state().address ?? directory;
    return surveys.map(({ log, damaged, ...facts }) => ({
      ...facts,
      faults: [...log.map((line) => line.replaceAll(directory, address)), ...damaged.map(sentenceOf)],
    }));
  });
}

/** Works on the lake of this machine; of a lake in a bucket, on a fresh copy. */
async function onLake<T>(
  { dataDir, storage }: Pick<Config, "dataDir" | "storage">,
  work: (directory: string, opened: LakeStorage | null) => Promise<T>,
): Promise<T> {
  return storage === null ? await work(lakeOf(dataDir), null) : await onFreshCopy({ dataDir, storage }, work);
}

/** The steps of a repair, one sentence each; `apply` does them. Empty when nothing needs repair. Rejects for a lake in a bucket. */
export async function repairLake(
  config: Pick<Config, "dataDir" | "lakeSigningKeys" | "storage">,
  now: number,
  apply: boolean,
): Promise<{ readonly steps: readonly string[]; readonly collectAgain: readonly DailySource[] }> {
  const { dataDir, storage } = config;
  if (storage !== null)
    throw new Error(
      `LAKE_URL=s3://${storage.bucket}/${storage.prefix}: a lake in a bucket is repaired in a directory; docs/lake.md, "A lake in a bucket", says how`,
    );
  const directory = lakeOf(dataDir);
  if (!existsSync(directory)) return { steps: [], collectAgain: [] };
  // The owner of the journal is a running server.
  const quotes = await repairTable(directory, INTRADAY, [OWNER_LOCK, FILES_LOCK], now, apply);
  const publications = [...(await repairTable(directory, OFFICIAL, [OFFICIAL_LOCK], now, apply))];
  if (publications.length > 0)
    publications.push("the next copy from the ledger has all official publications again");
  const { steps, collectAgain } = await repairDaily(directory, now, apply);
  const signed = await resumeHistory(config, now, apply);
  return { steps: [...steps, ...quotes, ...publications, ...signed], collectAgain };
}

function lakeOf(dataDir: string): string {
  return resolve(join(dataDir, "lake"));
}

type Place = Pick<Config, "dataDir" | "lakeSigningKeys" | "storage">;

/** Verifies the signed history; of a lake in a bucket, on a fresh copy of the bucket. */
export async function verifyLakeHistory(place: Place, kept: Head | null) {
  const { dataDir, lakeSigningKeys: fromSetting } = place;
  return await onLake(place, (directory, opened) =>
    verifyHistory(directory, tablesIn(directory, opened), { dataDir, fromSetting }, kept),
  );
}

/** Null where nothing is signed. Rejects with HistoryDiffers, ChainUnreadable, and as onFreshCopy. */
export async function headOfLake(place: Omit<Place, "lakeSigningKeys">): Promise<Head | null> {
  return await onLake(place, async (directory) => {
    const state = openChain({ directory, keys: null, mode: "real" }).state();
    return state === null ? null : headOf(state);
  });
}

/** Makes a key, and has the old one sign the change; resolves with its id. Rejects with SigningKeyFault, HistoryDiffers. */
export async function newSigningKey(config: Place, now: number): Promise<string> {
  const { dataDir, lakeSigningKeys: fromSetting } = config;
  const keys = { dataDir, fromSetting };
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

/** Brings the signed history in line with repaired tables. Returns one sentence for each step. */
export async function resumeHistory(
  { dataDir, lakeSigningKeys: fromSetting }: Omit<Place, "storage">,
  now: number,
  apply: boolean,
): Promise<readonly string[]> {
  const directory = lakeOf(dataDir);
  const chain = openChain({ directory, keys: { dataDir, fromSetting }, mode: "real", now: () => now });
  try {
    const resumed = await chain.resume(tablesIn(directory), apply);
    return resumed.map(
      ({ table, version, signed }) =>
        `the signed history of ${table} ${version < 0 ? "begins again" : `goes on after version ${version}`}; version ${signed} was signed, and is not there as it was`,
    );
  } catch (fault) {
    // The log has to be repaired first: only then is it known after which version the history goes on.
    if (fault instanceof LakeDamaged && !apply) return [];
    if (!(fault instanceof HistoryDiffers || fault instanceof ChainUnreadable)) throw fault;
    const away = join(directory, CHAIN_FOLDER);
    return [
      `${fault.message}: restore ${away} from a backup, or move it away, and a new history begins at the next start`,
    ];
  }
}

function tablesIn(directory: string, storage: LakeStorage | null = null): readonly Table[] {
  // `daily` comes last: its entries name the versions of the others.
  const tables = [...LAKE_TABLES].sort((a, b) => Number(a === DAILY) - Number(b === DAILY));
  // The mode counts for new tables only.
  return tables
    .filter((definition) => isTable(directory, definition))
    .map((definition) => openTable(directory, definition, "real", undefined, storage));
}
