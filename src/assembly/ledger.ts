/** Opens the ledger by the settings: for accounts with the vault and the pepper that belong to it, else alone. */

import { type Config, ConfigFault } from "#config.ts";
import { endpointLimitsOf } from "#domain/billing/plan.ts";
import { systemRandom } from "#gateways/random.ts";
import {
  keyFileForeign,
  keyFileMissing,
  keyFilePath,
  openKeyFile,
  readKeyFile,
} from "#gateways/vault/key-file.ts";
import { type Keyring, keyringFaults, readKeyring } from "#gateways/vault/keyring.ts";
import { openVault } from "#gateways/vault/vault.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { Vault } from "#ports/vault.ts";
import type { Clock } from "#ports.ts";
import { type LedgerPlace, openLedger } from "#store/ledger/ledger.ts";
import type { EndpointLimits } from "#store/ledger/outbox/rows.ts";
import type { Emit } from "#telemetry.ts";
import { plansOf, refuse } from "./account-parts.ts";
import { newId } from "./process.ts";

/** Under these names the ledger stores which keys it was made with. */
const PEPPER_MARK = "pepper_mark";
const MASTER_MARK = "master_key_mark:";

/**
 * `endpointLimits` are how many webhook endpoints each plan has room for: a process that publishes or sends gives them. Rejects with
 * ConfigFault, KeyFileFault, and as `openLedger`; also where the keys are not those that the ledger was made with: with
 * another pepper every API key would seem unknown, with another master key none could be shown.
 */
export async function openAccountLedger(
  config: Config,
  clock: Clock,
  emit: Emit,
  endpointLimits?: EndpointLimits,
): Promise<{ readonly ledger: Ledger; readonly vault: Vault }> {
  const keyringOfSettings = await keyringOf(config);
  const ledger = await openLedger(ledgerPlaceOf(config), {
    emit,
    newId,
    clock,
    newLedger: config.accounts.newLedger,
    ...(endpointLimits === undefined ? {} : { endpointLimits }),
  });
  try {
    const keyring = keyringOfSettings ?? (await generatedKeyring(config, ledger));
    const vault = await openVault(keyring, systemRandom);
    await refuseForeignKeys(config, ledger, vault);
    return { ledger, vault };
  } catch (fault) {
    await ledger.close();
    throw fault;
  }
}

/** The ledger alone. Without accounts there are no endpoints to send to, even where the file once had some. Rejects as `openLedger`. */
export async function openOwnLedger(config: Config, clock: Clock, emit: Emit): Promise<Ledger> {
  const { newLedger } = config.accounts;
  const endpointLimits =
    config.access === "open"
      ? { free: 0, basic: 0, plus: 0, pro: 0 }
      : endpointLimitsOf(await plansOf(config));
  return await openLedger(ledgerPlaceOf(config), { emit, newId, clock, newLedger, endpointLimits });
}

/** Of the settings, or of the generated file where they name none; null where there is no file yet. Production has none. */
async function keyringOf({ accounts, production, dataDir }: Config): Promise<Keyring | null> {
  const settings = { masterKeys: accounts.masterKeys, keyPepper: accounts.keyPepper };
  refuse(keyringFaults(settings, production));
  const read = readKeyring(settings);
  if (settings.masterKeys !== null && "keyring" in read) return read.keyring;
  return await readKeyFile(keyFilePath(dataDir));
}

/** Makes the file with the first keys; never beside a ledger that was made with others. */
async function generatedKeyring({ dataDir }: Config, { installation }: Ledger): Promise<Keyring> {
  const path = keyFilePath(dataDir);
  // In this order: the process that is faster leaves its file before its mark.
  const mark = await installation.read(PEPPER_MARK);
  if (mark === null) return await openKeyFile(path, systemRandom);
  const made = await readKeyFile(path);
  if (made === null) throw keyFileMissing(path);
  return made;
}

async function refuseForeignKeys(config: Config, { installation }: Ledger, vault: Vault): Promise<void> {
  const keyFile = config.accounts.masterKeys === null ? keyFilePath(config.dataDir) : null;
  const kept = async (name: string, mark: string) =>
    (await installation.read(name)) ?? (await installation.keepFirst(name, mark));
  if ((await kept(PEPPER_MARK, vault.pepperMark)) !== vault.pepperMark) {
    if (keyFile !== null) throw keyFileForeign(keyFile);
    refuse([
      "KEY_PEPPER, or the key of MASTER_KEYS that is used instead, is not the one that this ledger's API keys were made with: put the right one back",
    ]);
  }
  for (const [id, mark] of vault.masterMarks) {
    if ((await kept(`${MASTER_MARK}${id}`, mark)) === mark) continue;
    if (keyFile !== null) throw keyFileForeign(keyFile);
    throw new ConfigFault([
      `MASTER_KEYS ${id}: this ledger's secrets were sealed with another key of this id: put the right one back, or give this one a new id`,
    ]);
  }
}

/** The file in DATA_DIR, or the database of DATABASE_URL. */
export function ledgerPlaceOf({ accounts: { databaseUrl }, dataDir }: Config): LedgerPlace {
  return databaseUrl === null ? { directory: dataDir } : { url: databaseUrl, markedIn: dataDir };
}
