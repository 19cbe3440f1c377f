/** The outside of the accounts, each out of its settings: address, plans, mail, provider, billing. */

import { type Config, ConfigFault } from "#config.ts";
import { randomText } from "#domain/account/key-format.ts";
import { DEFAULT_PLANS, type Plans, type Terms } from "#domain/billing/plan.ts";
import { readPlans } from "#domain/billing/read-plans.ts";
import { noBilling, stripeBilling } from "#gateways/billing/stripe.ts";
import { publicUrlFaults } from "#gateways/cookies.ts";
import { noMail, openSmtp, smtpFaults } from "#gateways/mail/smtp.ts";
import { systemRandom } from "#gateways/random.ts";
import type { Billing } from "#ports/billing.ts";
import type { BearerTokens, ExternalSignIn } from "#ports/identity.ts";
import type { Mail } from "#ports/mail.ts";
import type { Vault } from "#ports/vault.ts";
import type { Clock } from "#ports.ts";

const ID_CHARACTERS = 20;

/** A new, random id. */
export function newAccountId(prefix: string): string {
  return `${prefix}${randomText(systemRandom, ID_CHARACTERS)}`;
}

export function publicUrlOf({ accounts: { publicUrl }, port }: Config): string {
  const url = publicUrl ?? `http://localhost:${port}`;
  refuse(publicUrlFaults(url));
  return url;
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

/** What speaks with a provider is loaded where there is one. */
export async function providerOf(
  { accounts: { provider: settings } }: Config,
  publicUrl: string,
  vault: Vault,
  clock: Clock,
): Promise<{ readonly bearers: BearerTokens | null; readonly provider: ExternalSignIn | null }> {
  if (settings === null) return { bearers: null, provider: null };
  const { issuerFaults, openProvider } = await import("#gateways/oidc/provider.ts");
  const { openBearerTokens } = await import("#gateways/oidc/jwt.ts");
  const { openSignIn } = await import("#gateways/oidc/sign-in.ts");
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

/** Throws ConfigFault where there are faults. */
export function refuse(faults: readonly string[]): void {
  if (faults.length > 0) throw new ConfigFault(faults);
}
