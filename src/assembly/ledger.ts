/**
 * Opens by the settings what accounts depend on: ledger, vault, public URL, plans, mail, provider, billing, webhooks, and what replicas
 * share. An optional library is loaded only if it is configured.
 */

import { createHash } from "node:crypto";
import { type Config, ConfigFault } from "#config.ts";
import { DEFAULT_PLANS, endpointLimitsOf, type Plans, readPlans, type Terms } from "#domain/billing/plan.ts";
import { once } from "#domain/queues/once.ts";
import { noBilling, stripeBilling } from "#gateways/billing/stripe.ts";
import { publicUrlFaults } from "#gateways/cookies.ts";
import { noMail, openSmtp } from "#gateways/mail/smtp.ts";
import {
  type Keyring,
  keyFileForeign,
  keyFileMissing,
  keyFilePath,
  keyringFaults,
  openKeyFile,
  readKeyFile,
  readKeyring,
} from "#gateways/vault/keyring.ts";
import { openVault } from "#gateways/vault/vault.ts";
import type { Billing } from "#ports/billing.ts";
import type { BearerTokens, ExternalSignIn, Mail, Vault } from "#ports/identity.ts";
import type { Counters, CountersState, Ledger, MonthUsed } from "#ports/ledger.ts";
import type { WebhookPost } from "#ports/webhooks.ts";
import type { Clock } from "#ports.ts";
import type { ClockWatch } from "#sources/fetch/clock-watch.ts";
import { type LedgerPlace, openLedger } from "#store/ledger/ledger.ts";
import type { EndpointLimits } from "#store/ledger/outbox/rows.ts";
import { memoryCounters } from "#store/memory/limits/counters.ts";
import type { Count, Emit } from "#telemetry.ts";
import { later, newId, systemRandom } from "./process.ts";

/** Names under which the ledger stores its keys' marks. */
const PEPPER_MARK = "pepper_mark";
const MASTER_MARK = "master_key_mark:";
/** Name of a stored digest of plans: each server with accounts writes the digest of its own at its start. */
const PLANS_MARK = "plans_mark";

/**
 * To publish events or send webhooks, pass `endpointLimits`. Rejects with ConfigFault, KeyFileFault, as `openLedger`, and when
 * the ledger has other keys: with another pepper every API key would seem unknown, with another master key none could be shown.
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

/** The ledger for a process without accounts. It queues webhooks that other servers send. Rejects as `openLedger`. */
export async function openOwnLedger(config: Config, clock: Clock, emit: Emit): Promise<Ledger> {
  const { newLedger } = config.accounts;
  const endpointLimits = endpointLimitsOf(await plansOf(config));
  return await openLedger(ledgerPlaceOf(config), { emit, newId, clock, newLedger, endpointLimits });
}

/** Compares this machine's clock with the database's. The embedded ledger has no clock of its own. /status reports a database without an answer. */
export async function compareClocks(
  { accounts: { databaseUrl } }: Config,
  { leases }: Pick<Ledger, "leases">,
  watch: ClockWatch,
): Promise<void> {
  if (databaseUrl === null) return;
  await leases.now().then(
    (time) => watch.compare("the database", time),
    () => {},
  );
}

/** The keyring of the settings, or of the generated file; null before the file exists. */
async function keyringOf({ accounts, production, dataDir }: Config): Promise<Keyring | null> {
  const settings = { masterKeys: accounts.masterKeys, keyPepper: accounts.keyPepper };
  refuse(keyringFaults(settings, production));
  const read = readKeyring(settings);
  if (settings.masterKeys !== null && "keyring" in read) return read.keyring;
  return await readKeyFile(keyFilePath(dataDir));
}

/** Makes the file with the first keys. Throws when the ledger has keys already and the file is missing. */
async function generatedKeyring({ dataDir }: Config, { installation }: Ledger): Promise<Keyring> {
  const path = keyFilePath(dataDir);
  // The mark is read before the file, because a process that starts at the same time writes them in the other order.
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
      "KEY_PEPPER, or the key of MASTER_KEYS that is used instead, is not the one that this ledger's API keys were made with: put the right one back; of a ledger that began without MASTER_KEYS both settings are lines of secrets/master.key in DATA_DIR",
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

export function ledgerPlaceOf({ accounts: { databaseUrl }, dataDir }: Config): LedgerPlace {
  return databaseUrl === null ? { directory: dataDir } : { url: databaseUrl, markedIn: dataDir };
}

export function publicUrlOf({ accounts: { publicUrl }, port }: Config): string {
  const url = publicUrl ?? `http://localhost:${port}`;
  refuse(publicUrlFaults(url));
  return url;
}

async function tableOf({ accounts: { plansFile } }: Config): Promise<Plans> {
  return plansFile === null ? DEFAULT_PLANS : readPlans(await Bun.file(plansFile).text());
}

/** LIVE_DELAY_MINUTES is the least delay of any plan. Rejects with PlansFault. */
export async function plansOf(config: Config): Promise<Plans> {
  const { delayMinutes } = config.live;
  const late = Object.entries(await tableOf(config)).map(([name, terms]: [string, Terms]) => {
    return [name, { ...terms, live_delay_minutes: Math.max(terms.live_delay_minutes, delayMinutes) }];
  });
  return Object.fromEntries(late) as Plans;
}

export const OTHER_PLANS =
  "the server that started last on this ledger has another table of plans: limits, and the deliveries of webhooks, depend on which process has them; give PLANS_FILE the same content for all";

/** Compares this process's table of plans with that of the server started last. Rejects with PlansFault, LedgerUnavailable. */
export async function plansComparison(config: Config, { installation }: Pick<Ledger, "installation">) {
  const own = createHash("sha256")
    .update(JSON.stringify(await tableOf(config)))
    .digest("hex");
  return {
    note: () => installation.write(PLANS_MARK, own),
    differs: async () => ((await installation.read(PLANS_MARK)) ?? own) !== own,
  };
}

/** Compares the plans now and at each call of `look`. A difference is logged once. */
export async function watchPlans(
  config: Config,
  ledger: Pick<Ledger, "installation">,
  emit: Emit,
  notes: boolean,
) {
  const { note, differs } = await plansComparison(config, ledger);
  let isOther = false;
  const look = async (): Promise<void> => {
    // /status reports an unreachable ledger.
    const isOtherNow = await differs().catch(() => isOther);
    if (isOtherNow && !isOther) emit({ kind: "plans_differ", detail: OTHER_PLANS });
    isOther = isOtherNow;
  };
  // The server also starts while the ledger takes no writes.
  if (notes) await note().catch(() => {});
  await look();
  return {
    look,
    shown: (limits: CountersState): CountersState =>
      isOther ? { ...limits, status: "degraded", detail: OTHER_PLANS } : limits,
  };
}

export function mailOf({ accounts: { mail } }: Config): Mail {
  if (mail === null) return noMail;
  return openSmtp(mail);
}

export async function providerOf(
  { accounts: { provider: settings } }: Config,
  publicUrl: string,
  vault: Vault,
  clock: Clock,
): Promise<{ readonly bearers: BearerTokens | null; readonly provider: ExternalSignIn | null }> {
  if (settings === null) return { bearers: null, provider: null };
  const { openProvider, openSignIn } = await import("#gateways/oidc/sign-in.ts");
  const { openBearerTokens } = await import("#gateways/oidc/jwt.ts");
  const { algorithms, audience, clientId, issuer } = settings;
  const provider = openProvider({ ...settings, clock });
  const rules = { issuer, algorithms, keys: provider.keys, clock };
  const idTokens = openBearerTokens({ ...rules, audience: clientId });
  const redirectUri = `${publicUrl}/v1/auth/oidc/callback`;
  return {
    bearers: audience === null ? null : openBearerTokens({ ...rules, audience }),
    provider: openSignIn({ provider, idTokens, redirectUri, vault, clock, random: systemRandom }),
  };
}

export function billingOf({ accounts: { stripe } }: Config, count: Count): Billing {
  return stripe === null ? noBilling() : stripeBilling({ ...stripe, count });
}

/** The gateway is loaded with the first attempt. */
export function webhookPostOf({ accounts: { webhooks } }: Config): WebhookPost {
  const { allowPrivate, egressProxy: proxy, ownAddresses } = webhooks;
  const post = once(async () => {
    const { openWebhookPost } = await import("#gateways/webhook/post.ts");
    const { machineAddresses } = await import("#gateways/webhook/connect.ts");
    return openWebhookPost({
      allowPrivate,
      proxy,
      ownAddresses: () => [...machineAddresses(), ...ownAddresses],
    });
  });
  return async (...attempt) => (await post.get())(...attempt);
}

/** The counts of limits; in Redis where replicas share one. */
export async function countersOf(
  { redisUrl, accounts: { databaseUrl, replicas, limitLeases: leases } }: Config,
  deps: { readonly clock: Clock; readonly emit: Emit; readonly monthUsed: MonthUsed },
): Promise<Counters> {
  // Other servers may write the calls that they grant to the same Postgres.
  if (redisUrl === null)
    return memoryCounters(databaseUrl === null ? deps : { ...deps, refreshMilliseconds: 1000 });
  const { openRedisCounters } = await import("#store/redis/limits/counters.ts");
  return openRedisCounters({ ...deps, later, url: redisUrl, replicas, leases });
}

function refuse(faults: readonly string[]): void {
  if (faults.length > 0) throw new ConfigFault(faults);
}
