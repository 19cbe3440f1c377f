/** Settings of accounts: storage, keys, sign-in, billing. */

import { ASYMMETRIC_ALGORITHMS, type AsymmetricAlgorithm, type Policy } from "#domain/account/identity.ts";
import { type PriceList, parsePrices } from "#domain/billing/prices.ts";
import { parseAddress } from "#domain/net/address.ts";
import { type Network, parseNetwork } from "#domain/net/client-address.ts";
import { listOf, type SettingsReader } from "./reader.ts";
import type { SettingName } from "./table.ts";

export interface AccountSettings {
  /** null: http://localhost with the port that is listened on. */
  readonly publicUrl: string | null;
  readonly trustedProxies: readonly Network[];
  readonly plansFile: string | null;
  readonly databaseUrl: string | null;
  /** Not a setting: the operator's word on the command line that a ledger may begin where there was another. */
  readonly newLedger?: boolean;
  readonly replicas: number;
  /** False asks the shared counters for every call. */
  readonly limitLeases: boolean;
  readonly masterKeys: string | null;
  readonly keyPepper: string | null;
  readonly mail: { readonly url: string; readonly from: string } | null;
  /** What people are asked to accept on the dashboard. */
  readonly policy: Policy | null;
  readonly provider: ProviderSettings | null;
  readonly stripe: StripeAccess | null;
  readonly webhooks: WebhookSettings;
  /** null does not serve the operators' pages. */
  readonly admin: { readonly port: number; readonly host: string } | null;
}

export interface WebhookSettings {
  readonly allowPrivate: boolean;
  /** null: straight out. */
  readonly egressProxy: string | null;
  readonly ownAddresses: readonly string[];
}

export interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly audience: string | null;
  readonly algorithms: readonly AsymmetricAlgorithm[];
}

export interface StripeAccess {
  readonly secretKey: string;
  readonly webhookSecrets: readonly string[];
  readonly prices: PriceList;
  readonly apiBase: string | null;
}

export function readAccounts(read: SettingsReader, production: boolean): AccountSettings {
  return {
    publicUrl: publicUrl(read),
    trustedProxies: networks(read),
    plansFile: read.text("PLANS_FILE"),
    databaseUrl: read.address(
      "DATABASE_URL",
      ["postgres:", "postgresql:"],
      "a postgres:// address is needed",
    ),
    replicas: read.integer("REPLICAS", 1, 1000),
    limitLeases: read.choice("LIMIT_LEASES", ["on", "off"]) === "on",
    masterKeys: read.text("MASTER_KEYS"),
    keyPepper: read.text("KEY_PEPPER"),
    mail: mail(read),
    policy: policy(read),
    provider: provider(read),
    stripe: stripe(read, production),
    webhooks: webhooks(read, production),
    admin: admin(read),
  };
}

/** Every path of this server begins at the root. */
function publicUrl(read: SettingsReader): string | null {
  const needed = "write scheme, host and port alone, such as https://rates.example.com";
  const address = read.address("PUBLIC_URL", ["http:", "https:"], needed);
  const url = address === null ? null : new URL(address);
  if (url === null) return null;
  if (url.pathname !== "/" || url.href !== `${url.origin}/`)
    read.fault(
      "PUBLIC_URL",
      `${needed}; a path in front is not supported: give this server a host name of its own`,
    );
  return url.origin;
}

function webhooks(read: SettingsReader, production: boolean): WebhookSettings {
  const allowPrivate = read.choice("ALLOW_PRIVATE_WEBHOOKS", ["no", "yes"]) === "yes";
  if (allowPrivate && production)
    read.fault(
      "ALLOW_PRIVATE_WEBHOOKS",
      "refused when NODE_ENV=production: customers could reach what is inside your network",
    );
  const ownAddresses = listOf(read.text("WEBHOOK_OWN_ADDRESSES"));
  for (const text of ownAddresses)
    if (parseAddress(text) === null)
      read.fault("WEBHOOK_OWN_ADDRESSES", `${text} is not an internet address`);
  const egressProxy = read.address(
    "WEBHOOK_EGRESS_PROXY",
    ["http:"],
    "an http:// address of a proxy is needed",
  );
  return { allowPrivate, egressProxy, ownAddresses };
}

function admin(read: SettingsReader): AccountSettings["admin"] {
  const port = read.integerOrNull("ADMIN_PORT", 0, 65_535);
  const host = read.text("ADMIN_HOST") as string;
  const isLoopback = host === "::1" || (!host.includes(":") && parseAddress(host)?.[0] === 127);
  if (!isLoopback) read.fault("ADMIN_HOST", "an address of this machine alone is needed, 127.0.0.1 or ::1");
  return port === null ? null : { port, host };
}

function networks(read: SettingsReader): Network[] {
  return listOf(read.text("TRUSTED_PROXIES")).flatMap((text) => {
    const network = parseNetwork(text);
    if (network === null) read.fault("TRUSTED_PROXIES", `${text} is not a network such as 10.0.0.0/8`);
    return network ?? [];
  });
}

/** What means nothing without another setting was meant to do something. */
function refuseAlone(read: SettingsReader, names: readonly SettingName[], without: SettingName): void {
  for (const name of names)
    if (read.text(name) !== null)
      read.fault(name, `does nothing without ${without}; set that too, or neither`);
}

function mail(read: SettingsReader): AccountSettings["mail"] {
  const [url, from] = [read.text("SMTP_URL"), read.text("MAIL_FROM")];
  if (url === null) {
    refuseAlone(read, ["MAIL_FROM"], "SMTP_URL");
    return null;
  }
  if (from !== null) return { url, from };
  read.fault("MAIL_FROM", "mails need a sender; set it with SMTP_URL");
  return null;
}

/** As the contract has a version: printable ASCII. */
const POLICY_VERSION = /^[ -~]{1,64}$/;

function policy(read: SettingsReader): AccountSettings["policy"] {
  const version = read.text("POLICY_VERSION");
  const url = read.address("POLICY_URL", ["https:", "http:"], "an https address is needed");
  if (version === null) {
    refuseAlone(read, ["POLICY_URL"], "POLICY_VERSION");
    return null;
  }
  if (!POLICY_VERSION.test(version))
    read.fault("POLICY_VERSION", "1 to 64 printable ASCII characters are needed");
  if (url !== null) return { version, url };
  read.fault("POLICY_URL", "a policy needs an address to be read at; set it with POLICY_VERSION");
  return null;
}

function provider(read: SettingsReader): ProviderSettings | null {
  const algorithms = read.choices("OIDC_ALGORITHMS", ASYMMETRIC_ALGORITHMS);
  const [issuer, clientId] = [read.text("OIDC_ISSUER"), read.text("OIDC_CLIENT_ID")];
  if (issuer === null) {
    refuseAlone(read, ["OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_AUDIENCE"], "OIDC_ISSUER");
    return null;
  }
  if (clientId === null) {
    read.fault("OIDC_CLIENT_ID", "the provider needs it");
    return null;
  }
  const [clientSecret, audience] = [read.text("OIDC_CLIENT_SECRET"), read.text("OIDC_AUDIENCE")];
  return { issuer, clientId, clientSecret, audience, algorithms };
}

function stripe(read: SettingsReader, production: boolean): StripeAccess | null {
  const apiBase = read.address("STRIPE_API_BASE", ["http:", "https:"], "an http or https address is needed");
  if (apiBase !== null && production)
    read.fault("STRIPE_API_BASE", "refused when NODE_ENV=production: real money goes through Stripe itself");
  const { prices, faults } = parsePrices(read.text("STRIPE_PRICES") ?? "");
  const secretKey = read.text("STRIPE_SECRET_KEY");
  if (secretKey === null) {
    refuseAlone(read, ["STRIPE_WEBHOOK_SECRETS", "STRIPE_PRICES"], "STRIPE_SECRET_KEY");
    return null;
  }
  if (!/^(sk|rk)_(test|live)_/.test(secretKey))
    read.fault("STRIPE_SECRET_KEY", "a key that begins with sk_ or rk_ is needed");
  for (const fault of faults) read.fault("STRIPE_PRICES", fault);
  const webhookSecrets = listOf(read.text("STRIPE_WEBHOOK_SECRETS"));
  if (webhookSecrets.some((secret) => !secret.startsWith("whsec_")))
    read.fault("STRIPE_WEBHOOK_SECRETS", "secrets that begin with whsec_ are needed");
  return { secretKey, webhookSecrets, prices, apiBase };
}
