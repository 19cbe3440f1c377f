/** Settings of accounts, in the order of docs/configuration.md. */

import type { Setting } from "./setting.ts";

export const ACCOUNT_SETTINGS = [
  {
    name: "PUBLIC_URL",
    fallback: null,
    meaning:
      "address at which people reach this server, for links and cookies, without a path: https, or http on the loopback address; by default http://localhost:PORT",
  },
  {
    name: "TRUSTED_PROXIES",
    fallback: null,
    meaning: "proxies' networks whose X-Forwarded-For is trusted, comma-separated, such as 10.0.0.0/8",
  },
  {
    name: "PLANS_FILE",
    fallback: null,
    meaning: "JSON file with the figures of plans that differ from the documented ones",
  },
  {
    name: "DATABASE_URL",
    fallback: null,
    secret: true,
    meaning: "postgres:// address of the ledger of accounts; by default a SQLite file in DATA_DIR",
  },
  {
    name: "REPLICAS",
    fallback: "1",
    meaning: "processes that answer together, 1 to 1000: each grants its share while Redis is away",
  },
  {
    name: "LIMIT_LEASES",
    fallback: "on",
    meaning:
      "with Redis: on: calls far from a limit are charged in groups ahead of time; off: every call goes to Redis, so that Remaining is always exact",
  },
  {
    name: "MASTER_KEYS",
    fallback: null,
    secret: true,
    meaning:
      "master keys as id:base64, comma-separated, the first encrypts; required in production, elsewhere made once and stored in DATA_DIR",
  },
  {
    name: "KEY_PEPPER",
    fallback: null,
    secret: true,
    meaning:
      "32 bytes in base64 by which API keys are found, or hkdf:id of a master key; needed with several master keys",
  },
  {
    name: "SMTP_URL",
    fallback: null,
    secret: true,
    meaning: "smtp:// or smtps:// address of a mail server; without one the command line prints links",
  },
  { name: "MAIL_FROM", fallback: null, meaning: "sender of mails; needed with SMTP_URL" },
  {
    name: "POLICY_VERSION",
    fallback: null,
    meaning: "version of the policy that people accept on the dashboard; without one none is shown",
  },
  { name: "POLICY_URL", fallback: null, meaning: "where that policy is read; needed with POLICY_VERSION" },
  {
    name: "OIDC_ISSUER",
    fallback: null,
    meaning: "issuer of an OpenID provider by which people may sign in",
  },
  { name: "OIDC_CLIENT_ID", fallback: null, meaning: "this server's client id there" },
  {
    name: "OIDC_CLIENT_SECRET",
    fallback: null,
    secret: true,
    meaning: "its secret; empty for a public client",
  },
  {
    name: "OIDC_AUDIENCE",
    fallback: null,
    meaning: "audience of that provider's JWTs that may be sent as bearer tokens; empty accepts none",
  },
  {
    name: "OIDC_ALGORITHMS",
    fallback: "RS256,ES256",
    meaning: "signature algorithms that its tokens may have, asymmetric ones only",
  },
  {
    name: "STRIPE_SECRET_KEY",
    fallback: null,
    secret: true,
    meaning: "Stripe's secret or restricted key; without one nothing is sold",
  },
  {
    name: "STRIPE_WEBHOOK_SECRETS",
    fallback: null,
    secret: true,
    meaning: "signing secrets of Stripe's events, comma-separated",
  },
  {
    name: "STRIPE_PRICES",
    fallback: null,
    meaning: "prices as plan_interval=id, comma-separated, such as basic_monthly=price_1,pro_yearly=price_2",
  },
  {
    name: "STRIPE_API_BASE",
    fallback: null,
    meaning: "address in place of Stripe's own, for tests; refused in production",
  },
  {
    name: "ALLOW_PRIVATE_WEBHOOKS",
    fallback: "no",
    meaning:
      "yes lets webhook endpoints be on private addresses, other ports and plain http, for tests and the demo; refused in production",
  },
  {
    name: "WEBHOOK_EGRESS_PROXY",
    fallback: null,
    secret: true,
    meaning:
      "HTTP proxy through which events are sent, as http://[user:password@]host[:port]; it opens a tunnel to an address that was checked",
  },
  {
    name: "WEBHOOK_OWN_ADDRESSES",
    fallback: null,
    meaning:
      "public addresses of this installation, comma-separated, that no event is sent to; those of the machine's own interfaces are never sent to",
  },
  {
    name: "ADMIN_PORT",
    fallback: null,
    meaning: "TCP port of the operators' pages; empty does not serve them",
  },
  {
    name: "ADMIN_HOST",
    fallback: "127.0.0.1",
    meaning: "loopback address that the operators' port listens on: one of 127.0.0.0/8, or ::1",
  },
] as const satisfies readonly Setting[];
