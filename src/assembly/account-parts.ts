/**
 * The outside of the accounts, each out of its settings: address, plans, mail, provider, billing, the way to webhooks, and what replicas
 * share. A library is loaded only where its setting is there: it costs memory and a part of the start.
 */

import { type Config, ConfigFault } from "#config.ts";
import { DEFAULT_PLANS, type Plans, readPlans, type Terms } from "#domain/billing/plan.ts";
import { noBilling, stripeBilling } from "#gateways/billing/stripe.ts";
import { publicUrlFaults } from "#gateways/cookies.ts";
import { noMail, openSmtp, smtpFaults } from "#gateways/mail/smtp.ts";
import { systemRandom } from "#gateways/random.ts";
import { readProxy } from "#gateways/webhook/proxy.ts";
import type { Billing } from "#ports/billing.ts";
import type { Attempts, Counters, KeyNews, MonthUsed } from "#ports/counters.ts";
import type { BearerTokens, ExternalSignIn } from "#ports/identity.ts";
import type { Mail } from "#ports/mail.ts";
import type { Vault } from "#ports/vault.ts";
import type { WebhookPost } from "#ports/webhooks.ts";
import type { Clock } from "#ports.ts";
import { memoryAttempts } from "#store/memory/attempts/attempts.ts";
import { memoryCounters } from "#store/memory/limits/counters.ts";
import type { Emit } from "#telemetry.ts";
import { every, later, once } from "./process.ts";

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

/** Nulls where no provider is set. */
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

/** What sends webhooks, loaded with the first attempt: it costs a start some 15 ms. Throws ConfigFault. */
export function webhookPostOf({ accounts: { webhooks } }: Config): WebhookPost {
  const { allowPrivate, egressProxy: proxy, ownAddresses } = webhooks;
  if (proxy !== null && readProxy(proxy) === null)
    refuse(["WEBHOOK_EGRESS_PROXY=…: http://[user:password@]host[:port] is needed"]);
  const post = once(async () => {
    const { openWebhookPost } = await import("#gateways/webhook/post.ts");
    const { machineAddresses } = await import("#gateways/webhook/resolve.ts");
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
  { redisUrl, accounts: { replicas, limitLeases: leases } }: Config,
  deps: { readonly clock: Clock; readonly emit: Emit; readonly monthUsed: MonthUsed },
): Promise<Counters> {
  if (redisUrl === null) return memoryCounters(deps);
  const { openRedisCounters } = await import("#store/redis/limits/counters.ts");
  return openRedisCounters({ ...deps, later, url: redisUrl, replicas, leases });
}

/** Attempts, and news of keys that have ended; in Redis where replicas share one. `hide` is a hash that all replicas have. */
export async function sharedOf(
  { redisUrl: url, accounts: { replicas } }: Config,
  hide: Vault["lookup"],
  forget: KeyNews["ended"],
  emit: Emit,
): Promise<{ readonly attempts: Attempts; readonly keyNews: KeyNews; close(): Promise<void> }> {
  if (url === null) {
    return { attempts: memoryAttempts(), keyNews: { ended: forget }, close: async () => {} };
  }
  const { openRedisAttempts } = await import("#store/redis/attempts/attempts.ts");
  const { openKeyMessages } = await import("#store/redis/key-news/key-news.ts");
  const attempts = openRedisAttempts({ url, hide, replicas, emit });
  const keyNews = openKeyMessages({ url, forget, later, every, emit });
  return {
    attempts,
    keyNews,
    close: async () => {
      attempts.close();
      await keyNews.close();
    },
  };
}

/** For a command beside running servers: `close` waits until they are notified, a second at most. */
export async function keyNewsOf({ redisUrl: url }: Config): Promise<KeyNews & { close(): Promise<void> }> {
  if (url === null) return { ended: () => {}, close: async () => {} };
  const { sendKeyNews } = await import("#store/redis/key-news/key-news.ts");
  return sendKeyNews(url, later);
}

/** Throws ConfigFault where there are faults. */
export function refuse(faults: readonly string[]): void {
  if (faults.length > 0) throw new ConfigFault(faults);
}
