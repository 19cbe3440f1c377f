/** The outside of the accounts, each out of its settings: database, keys, mail, provider, billing. */

import { type Config, ConfigFault } from "#config.ts";
import { randomText } from "#domain/account/key-format.ts";
import type { Tier } from "#domain/account/organization.ts";
import { DEFAULT_PLANS, type Plans, type Terms } from "#domain/plans/plan.ts";
import { readPlans } from "#domain/plans/read-plans.ts";
import { noBilling } from "#gateways/billing/none.ts";
import { stripeBilling } from "#gateways/billing/stripe.ts";
import { publicUrlFaults } from "#gateways/cookies.ts";
import { noMail } from "#gateways/mail/none.ts";
import { openSmtp, smtpFaults } from "#gateways/mail/smtp.ts";
import { openBearerTokens } from "#gateways/oidc/jwt.ts";
import { issuerFaults, openProvider } from "#gateways/oidc/provider.ts";
import { openSignIn } from "#gateways/oidc/sign-in.ts";
import { systemRandom } from "#gateways/random.ts";
import { keyFilePath, openKeyFile } from "#gateways/vault/key-file.ts";
import { keyringFaults, readKeyring } from "#gateways/vault/keyring.ts";
import { openVault } from "#gateways/vault/vault.ts";
import type { Billing } from "#ports/billing.ts";
import type { BearerTokens, ExternalSignIn } from "#ports/identity.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { Mail } from "#ports/mail.ts";
import type { Vault } from "#ports/vault.ts";
import type { Clock } from "#ports.ts";
import { openLedger } from "#store/ledger/ledger.ts";
import type { Tell } from "#telemetry.ts";

const ID_CHARACTERS = 20;

/** An id that nobody has had before. */
export function newAccountId(prefix: string): string {
  return `${prefix}${randomText(systemRandom, ID_CHARACTERS)}`;
}

export function publicUrlOf({ accounts: { publicUrl }, port }: Config): string {
  const url = publicUrl ?? `http://localhost:${port}`;
  refuse(publicUrlFaults(url));
  return url;
}

/** Generated and kept beside the stores where no keys are configured; production refuses that. */
export async function vaultOf({ accounts, production, dataDir }: Config): Promise<Vault> {
  const settings = { masterKeys: accounts.masterKeys, keyPepper: accounts.keyPepper };
  refuse(keyringFaults(settings, production));
  const read = readKeyring(settings);
  const keyring =
    settings.masterKeys !== null && "keyring" in read
      ? read.keyring
      : await openKeyFile(keyFilePath(dataDir), systemRandom);
  return await openVault(keyring, systemRandom);
}

/**
 * `sendingTiers` are those whose plan has webhook endpoints: whoever publishes or sends gives them. Rejects when the ledger's keys are looked up with another pepper: every key would seem unknown. */
export async function ledgerOf(
  config: Config,
  vault: Vault,
  clock: Clock,
  tell: Tell,
  sendingTiers?: readonly Tier[],
): Promise<Ledger> {
  const { databaseUrl } = config.accounts;
  const place = databaseUrl === null ? { directory: config.dataDir } : { url: databaseUrl };
  const ledger = await openLedger(place, {
    tell,
    newId: newAccountId,
    clock,
    ...(sendingTiers === undefined ? {} : { sendingTiers }),
  });
  const mark = await ledger.installation.keepFirst("pepper_mark", vault.pepperMark);
  if (mark === vault.pepperMark) return ledger;
  await ledger.close();
  throw new ConfigFault([
    "KEY_PEPPER, or the key of MASTER_KEYS or secrets/master.key that stands in for it, is not the one that this ledger's API keys were made with: put the right one back",
  ]);
}

/** No plan's live rates are fresher than LIVE_DELAY_MINUTES lets any be. Rejects with PlansFault. */
export async function plansOf({ accounts: { plansFile }, live: { delayMinutes } }: Config): Promise<Plans> {
  const plans = plansFile === null ? DEFAULT_PLANS : readPlans(await Bun.file(plansFile).text());
  const late = Object.entries(plans).map(([name, terms]: [string, Terms]) => {
    return [name, { ...terms, live_delay_minutes: Math.max(terms.live_delay_minutes, delayMinutes) }];
  });
  return Object.fromEntries(late) as Plans;
}

export function mailOf({ accounts: { mail } }: Config): Mail {
  if (mail === null) return noMail;
  refuse(smtpFaults(mail));
  return openSmtp(mail);
}

export function providerOf(
  { accounts: { provider: settings } }: Config,
  publicUrl: string,
  vault: Vault,
  clock: Clock,
): { readonly bearers: BearerTokens | null; readonly provider: ExternalSignIn | null } {
  if (settings === null) return { bearers: null, provider: null };
  refuse(issuerFaults(settings.issuer));
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

export function billingOf({ accounts: { stripe } }: Config): Billing {
  return stripe === null ? noBilling() : stripeBilling(stripe);
}

function refuse(faults: readonly string[]): void {
  if (faults.length > 0) throw new ConfigFault(faults);
}
