/**
 * Every setting, once: its default, range and meaning. docs/configuration.md and .env.example are generated from them.
 * The only reader of the environment: it validates all settings at the start and lists all faults at once.
 */

import { type StaticDecode, type TSchema, Type } from "@sinclair/typebox";
import { TransformDecodeError, Value } from "@sinclair/typebox/value";
import { ASYMMETRIC_ALGORITHMS } from "#domain/account/identity.ts";
import { parsePrices } from "#domain/billing/plan.ts";
import { readSigningKey } from "#domain/chain/entry.ts";
import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { FEEDS, type FeedId } from "#domain/live/live-quote.ts";
import { parseAddress, parseNetwork } from "#domain/net/address.ts";
import { settingHostName } from "#domain/net/message.ts";
import { parseRedisAddress, REDIS_ADDRESS_NEEDED } from "#domain/net/redis-address.ts";
import { readInstant } from "#domain/time/day.ts";

/** What a setting has beside its type and range. */
interface About {
  readonly secret?: true;
  /** The name of a setting that needs this one. */
  readonly neededBy?: string;
  /** Refused alone, because it would do nothing. */
  readonly onlyWith?: string;
  /** Why production refuses it. */
  readonly onlyForTests?: string;
}

class Refused extends Error {
  readonly faults: readonly string[];
  constructor(...faults: readonly string[]) {
    super(faults.join("; "));
    this.faults = faults;
  }
}

const refuse = (needed: string): never => {
  throw new Refused(needed);
};

/** A setting without a default may be null. */
type Empty<Default> = Default extends null ? null : never;

function text<Default extends string | null>(fallback: Default, description: string, about: About = {}) {
  const schema = Type.String({ default: fallback, description, ...about });
  return Type.Unsafe<string | Empty<Default>>(schema);
}

/** A text that `decode` reads; it throws Refused. */
function decoded<T, Default extends string | null>(
  fallback: Default,
  description: string,
  decode: (text: string) => T,
  about: About = {},
) {
  return Type.Transform(Type.String({ default: fallback, description, ...about }))
    .Decode((value): T | Empty<Default> => decode(value))
    .Encode(() => refuse("a setting is only read"));
}

type Range = readonly [minimum: number, maximum: number];

function integer<Default extends number | null>(
  fallback: Default,
  [minimum, maximum]: Range,
  description: string,
) {
  const schema = Type.Integer({ default: fallback, minimum, maximum, description });
  return Type.Unsafe<number | Empty<Default>>(schema);
}

/** Megabytes in the environment, bytes in the program. */
const megabytes = (fallback: number, range: Range, description: string) =>
  Type.Transform(integer(fallback, range, description))
    .Decode((value) => value * 1_000_000)
    .Encode((bytes) => bytes / 1_000_000);

const port = <Default extends number | null>(fallback: Default, description: string) =>
  integer(fallback, [0, 65_535], description);

function choice<T extends string>(fallback: T, allowed: readonly T[], description: string) {
  const one = (value: string): T =>
    allowed.find((candidate) => candidate === value) ?? refuse(`one of ${allowed.join(", ")} is needed`);
  return decoded(fallback, description, one);
}

const yesOrNo = (description: string, about: About = {}) =>
  decoded(
    "no",
    description,
    (value) => (value === "no" ? false : value === "yes" || refuse("one of no, yes is needed")),
    about,
  );

const itemsOf = (list: string): string[] =>
  list
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

/** A comma-separated list; every item that `read` has no value for is a fault. */
function listOf<T>(
  fallback: string,
  description: string,
  read: (item: string) => T | null,
  faultOf: (item: string) => string,
  about: About = {},
) {
  const readAll = (list: string): readonly T[] => {
    const items = itemsOf(list).map((item) => ({ item, value: read(item) }));
    const faults = items.flatMap(({ item, value }) => (value === null ? faultOf(item) : []));
    if (faults.length > 0) throw new Refused(...new Set(faults));
    return items.flatMap(({ value }) => value ?? []);
  };
  return decoded(fallback, description, readAll, about);
}

/** A comma-separated list of some of the allowed texts, each once; case does not matter. */
function someOf<T extends string>(fallback: string, allowed: readonly T[], description: string) {
  const byName = new Map(allowed.map((one) => [one.toLowerCase(), one]));
  const faultOf = (item: string) => `${item} is not one of ${allowed.join(", ")}`;
  const items = listOf(fallback, description, (item) => byName.get(item.toLowerCase()) ?? null, faultOf);
  return Type.Transform(items)
    .Decode((values) => [...new Set(values)])
    .Encode((values) => values);
}

const WEB = ["http:", "https:"];

/** An address with one of the protocols and no other query, without the slashes at its end. */
const addressOf =
  (protocols: readonly string[], needed: string, query = /^$/) =>
  (value: string): string => {
    const url = URL.parse(value);
    const isUsable = url !== null && protocols.includes(url.protocol) && query.test(url.search);
    return isUsable ? value.replace(/\/+$/, "") : refuse(needed);
  };

const webAddress = (description: string, about: About = {}) =>
  decoded(null, description, addressOf(WEB, "an http or https address without a query is needed"), about);

/** An address or name of this machine. Whether this machine has it is known when the server listens. */
const listenHost = (description: string) =>
  decoded("127.0.0.1", description, (host) =>
    /:|^[\d.]+$/.test(host) && parseAddress(host) === null
      ? refuse(
          "write an address of this machine, such as 127.0.0.1 or ::1, or 0.0.0.0 for every interface; the port is a setting of its own",
        )
      : host,
  );

/** A version as in the contract. */
const POLICY_VERSION = /^[ -~]{1,64}$/;
/** Banxico's tokens are 64 hexadecimal digits; other characters would fail in the header of every request. */
const BANXICO_TOKEN = /^[\x21-\x7e]{8,128}$/;
const RATIO = /^(?:0|1|0?\.\d{1,9}|1\.0{1,9}|0\.\d{1,9})$/;
const SAMPLERS = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

/** All settings, in the order of docs/configuration.md. */
export const SETTINGS = Type.Object({
  PORT: port(3000, "TCP port to listen on"),
  HOST: listenHost("address to listen on; 0.0.0.0 for every interface, :: for IPv6 as well"),
  ALLOWED_HOSTS: listOf(
    "",
    "host names to answer for, comma-separated, without scheme and port; empty answers for any well-formed Host",
    settingHostName,
    (name) =>
      `${name} is not a host name; write names alone, such as rates.example.com, without scheme, port and path`,
  ),
  MCP_ORIGINS: listOf(
    "",
    "origins of web pages that may use /v1/mcp/ besides this server's own, comma-separated, such as https://app.example; `*` for any",
    readOrigin,
    () => "origins such as https://app.example without a slash at the end, or *, are needed",
  ),
  DATA_DIR: text("data/live", "directory of the embedded stores (the demo uses data/demo)"),
  ACCESS: choice(
    "metered",
    ["open", "metered"],
    "`metered`: keys, plans and limits, also for callers without a key; `open`: no accounts and no limits, for private installations",
  ),
  PUBLIC_URL: decoded(
    null,
    "address at which people reach this server, for links and cookies, without a path: https, or http on the loopback address; by default http on localhost, with PORT",
    readPublicUrl,
  ),
  TRUSTED_PROXIES: listOf(
    "",
    "networks of proxies that may send X-Forwarded-For, comma-separated, such as 10.0.0.0/8",
    parseNetwork,
    (network) => `${network} is not a network such as 10.0.0.0/8`,
  ),
  PLANS_FILE: text(
    null,
    "JSON file with the figures of plans that differ from the documented ones; the same for every process on one ledger",
  ),
  DATABASE_URL: decoded(
    null,
    "postgres:// address of the ledger of accounts, with ?sslmode=verify-full or ?sslmode=require at its end for TLS; by default a SQLite file in DATA_DIR",
    addressOf(
      ["postgres:", "postgresql:"],
      "a postgres:// address is needed, without a query but ?sslmode=disable, prefer, require, verify-ca or verify-full",
      /^(\?sslmode=(disable|prefer|require|verify-ca|verify-full))?$/,
    ),
    { secret: true },
  ),
  REPLICAS: integer(
    null,
    [1, 1000],
    "processes that answer together: each grants its share of attempts to sign in, and of limits while Redis is away; a metered server with REDIS_URL needs it",
  ),
  LIMIT_LEASES: choice(
    "on",
    ["on", "off"],
    "with Redis: `on`: calls far from a limit are charged in groups ahead of time; `off`: every call goes to Redis, and Remaining is always exact",
  ),
  MASTER_KEYS: text(
    null,
    "master keys as id:base64, comma-separated, the first encrypts; required in production, elsewhere made once and stored in DATA_DIR",
    { secret: true },
  ),
  KEY_PEPPER: text(
    null,
    "32 bytes in base64 by which API keys are found, or hkdf:id of a master key; needed with several master keys",
    { secret: true },
  ),
  SMTP_URL: text(
    null,
    "smtp:// or smtps:// address of a mail server; without one the command line prints links",
    { secret: true },
  ),
  MAIL_FROM: text(null, "sender of mails", { neededBy: "SMTP_URL", onlyWith: "SMTP_URL" }),
  POLICY_VERSION: decoded(
    null,
    "version of the policy that people accept on the dashboard; without one no policy is shown",
    matching(POLICY_VERSION, "1 to 64 printable ASCII characters are needed"),
  ),
  POLICY_URL: webAddress("address at which that policy is read", {
    neededBy: "POLICY_VERSION",
    onlyWith: "POLICY_VERSION",
  }),
  OIDC_ISSUER: text(null, "issuer of an OpenID provider by which people may sign in"),
  OIDC_CLIENT_ID: text(null, "this server's client id there", {
    neededBy: "OIDC_ISSUER",
    onlyWith: "OIDC_ISSUER",
  }),
  OIDC_CLIENT_SECRET: text(null, "its secret; empty for a public client", {
    secret: true,
    onlyWith: "OIDC_ISSUER",
  }),
  OIDC_AUDIENCE: text(
    null,
    "audience of that provider's JWTs that may be sent as bearer tokens; empty accepts no JWT",
    { onlyWith: "OIDC_ISSUER" },
  ),
  OIDC_ALGORITHMS: someOf(
    "RS256,ES256",
    ASYMMETRIC_ALGORITHMS,
    "signature algorithms that its tokens may have, asymmetric ones only",
  ),
  STRIPE_SECRET_KEY: decoded(
    null,
    "Stripe's secret or restricted key; without one nothing is sold",
    matching(/^(sk|rk)_(test|live)_/, "a key that begins with sk_ or rk_ is needed"),
    { secret: true },
  ),
  STRIPE_WEBHOOK_SECRETS: listOf(
    "",
    "signing secrets of Stripe's events, comma-separated",
    (secret) => (secret.startsWith("whsec_") ? secret : null),
    () => "secrets that begin with whsec_ are needed",
    { secret: true, neededBy: "STRIPE_SECRET_KEY", onlyWith: "STRIPE_SECRET_KEY" },
  ),
  STRIPE_PRICES: text(
    null,
    "prices as plan_interval=id, comma-separated, such as basic_monthly=price_1,pro_yearly=price_2",
    { onlyWith: "STRIPE_SECRET_KEY" },
  ),
  STRIPE_API_BASE: webAddress("address that replaces Stripe's own, for tests", {
    onlyForTests: "real money goes through Stripe itself",
  }),
  ALLOW_PRIVATE_WEBHOOKS: yesOrNo(
    "`yes` lets webhook endpoints be on private addresses, other ports and plain http, for tests and the demo",
    { onlyForTests: "customers could reach what is inside your network" },
  ),
  WEBHOOK_EGRESS_PROXY: decoded(
    null,
    "HTTP proxy through which events are sent, as http://[user:password@]host[:port]; it opens a tunnel to an address that was checked",
    addressOf(["http:"], "an http:// address of a proxy is needed"),
    { secret: true },
  ),
  WEBHOOK_OWN_ADDRESSES: listOf(
    "",
    "public addresses of this installation, comma-separated, that no event is sent to; those of the machine's own interfaces are never sent to",
    (address) => (parseAddress(address) === null ? null : address),
    (address) => `${address} is not an internet address`,
  ),
  ADMIN_PORT: port(null, "TCP port of the operators' pages; empty does not serve them"),
  ADMIN_HOST: decoded(
    "127.0.0.1",
    "loopback address that the operators' port listens on: one of 127.0.0.0/8, or ::1",
    (host) =>
      host === "::1" || (!host.includes(":") && parseAddress(host)?.[0] === 127)
        ? host
        : refuse("an address of this machine alone is needed, 127.0.0.1 or ::1"),
  ),
  ROLE: choice(
    "all",
    ["all", "api", "collector"],
    "`all` collects and answers; `api` only answers, from what another process on the same DATA_DIR or LAKE_URL collects; `collector` only collects and answers /health and /status. Of several collectors of one lake one collects, the others stand by",
  ),
  SHUTDOWN_DELAY_SECONDS: integer(
    2,
    [0, 15],
    "time for which the server still answers after SIGTERM or SIGHUP, with 503 at /status: a balancer then sends requests elsewhere",
  ),
  LIVE_FEED: choice(
    "coinbase",
    [...FEEDS, "off"],
    "feed of live quotes: `coinbase` (needs no key), `oxr`, `massive`, `twelvedata`, `oanda` or `off`",
  ),
  LIVE_FALLBACK: someOf(
    "",
    FEEDS,
    "fallback feeds, comma-separated: each is used while the ones before it fail",
  ),
  // Traded in volume around the clock: every feed delivers these currencies well.
  LIVE_CURRENCIES: someOf(
    "EUR,GBP,JPY,CHF,AUD,CAD,NZD,SEK,NOK,DKK,SGD,HKD,CNY,MXN,ZAR,TRY,PLN,CZK,HUF",
    CURRENCY_CODES,
    "currencies to serve live where a feed delivers them well",
  ),
  LIVE_POLL_SECONDS: integer(
    60,
    [1, 3600],
    "seconds between polls of a feed; a plan that allows fewer is obeyed",
  ),
  LIVE_STALE_SECONDS: integer(
    null,
    [10, 86_400],
    "age in open market from which a live rate is stale; by default 300, or three polls of its feed where that is longer",
  ),
  LIVE_DELAY_MINUTES: integer(0, [0, 60], "minutes by which live rates are held back"),
  OXR_APP_ID: text(null, "Open Exchange Rates app id", { secret: true }),
  OXR_REQUESTS_PER_MONTH: integer(
    1000,
    [1, 100_000_000],
    "requests a month that the Open Exchange Rates plan allows",
  ),
  MASSIVE_API_KEY: text(null, "Massive API key", { secret: true }),
  MASSIVE_REQUESTS_PER_MINUTE: integer(5, [1, 100_000], "requests a minute that the Massive plan allows"),
  TWELVEDATA_API_KEY: text(null, "Twelve Data API key", { secret: true }),
  TWELVEDATA_CREDITS_PER_MINUTE: integer(
    8,
    [1, 1_000_000],
    "credits a minute of the Twelve Data plan; one poll takes a credit a currency",
  ),
  TWELVEDATA_CREDITS_PER_DAY: integer(
    800,
    [0, 100_000_000],
    "credits a day of the Twelve Data plan; 0 is without limit",
  ),
  OANDA_TOKEN: text(null, "OANDA v20 access token", { secret: true }),
  OANDA_ACCOUNT: text(null, "OANDA v20 account id"),
  OANDA_PRACTICE: yesOrNo("`yes` for a practice account, which has a host of its own; else `no`"),
  OFFICIAL_TABLES: decoded(
    "all",
    "official tables to collect and serve: `all`, `off`, or ids, comma-separated; `crossrate admin official` lists them",
    readTables,
  ),
  BANXICO_TOKEN: decoded(
    null,
    "Banxico's free SIE token; without one its FIX and settlement tables are left out",
    matching(BANXICO_TOKEN, "a token without spaces is needed, as Banxico gives it"),
    { secret: true },
  ),
  REDIS_URL: decoded(
    null,
    "Redis through which replicas share live quotes and limits: redis://host:6379, redis+sentinel://host1:26379,host2:26379/master-name, or redis+cluster://host1:6379,host2:6379; rediss instead of redis is with TLS; empty keeps them in memory",
    (value) => {
      const address = parseRedisAddress(value);
      if (address === null) return refuse(REDIS_ADDRESS_NEEDED);
      return address.kind === "server" ? address.url : value;
    },
    { secret: true },
  ),
  STREAM_SUBSCRIBERS: integer(2000, [0, 100_000], "streams of /v1/stream at once; more are refused with 503"),
  STREAM_KEY_SHARE: integer(
    50,
    [0, 100],
    "percent of these streams reserved for callers with a key; nothing is reserved with ACCESS=open",
  ),
  STREAMS_PER_CALLER: integer(
    20,
    [1, 100_000],
    "streams that one organization, or one address without a key (IPv6: one /64), may have open at once",
  ),
  STREAMS_PER_NETWORK: integer(
    100,
    [1, 100_000],
    "the same for all addresses of one /24 (IPv6: one /56) together",
  ),
  METRICS_PORT: port(null, "TCP port of GET /metrics (Prometheus); empty does not serve it"),
  METRICS_HOST: listenHost(
    "address that /metrics listens on; it names no secrets, yet is not for the public",
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress(
    "address of an OpenTelemetry collector that takes OTLP over HTTP, such as http://127.0.0.1:4318; traces go to /v1/traces below it; empty makes no traces",
  ),
  OTEL_EXPORTER_OTLP_HEADERS: decoded(
    "",
    "headers for the collector, as name=value, comma-separated, values percent-encoded",
    readHeaders,
    { secret: true },
  ),
  OTEL_SERVICE_NAME: text("crossrate", "service.name of the traces"),
  OTEL_RESOURCE_ATTRIBUTES: decoded(
    "",
    "more about this process in its traces, as name=value, comma-separated, values percent-encoded",
    readPairs,
  ),
  OTEL_TRACES_SAMPLER: choice(
    "parentbased_always_on",
    SAMPLERS,
    "which traces are sent: `always_on`, `always_off`, `traceidratio`, or one of them with `parentbased_` in front, which follows the caller's decision where there is one",
  ),
  OTEL_TRACES_SAMPLER_ARG: decoded(
    "1",
    "share of the traces that a sampler with `traceidratio` sends, 0 to 1",
    (share) => (RATIO.test(share) ? Number(share) : refuse("a number from 0 to 1 is needed")),
  ),
  UPSTREAM_BASE: webAddress("remaps every upstream https://host/path to this address followed by /host/path"),
  FRED_API_KEY: text(null, "FRED API key; without one the keyless CSV download is used", { secret: true }),
  NOW: decoded(
    null,
    "starts the clock at this UTC instant, e.g. 2026-04-13T16:30:00Z; it is then not compared with other clocks",
    (value) => readInstant(value) ?? refuse("a UTC instant such as 2026-04-13T16:30:00Z is needed"),
    { onlyForTests: "the clock there is the real one" },
  ),
  CURSOR_SECRET: text(
    null,
    "signs range cursors; give replicas the same one; by default made at random and stored in DATA_DIR",
    { secret: true },
  ),
  BATCH_LIMIT: integer(100, [1, 1000], "pairs that one batch conversion may hold"),
  LAKE_SIGNING_KEY: listOf(
    "",
    "Ed25519 key that signs the history of the lake, PKCS #8 as base64; by default made at random and stored in DATA_DIR. The same on all machines that collect into one LAKE_URL. A new key, a comma, and the one before, which signs the change",
    readSigningKey,
    () => "Ed25519 keys in PKCS #8, as base64 of their DER, are needed",
    { secret: true },
  ),
  LAKE_URL: decoded(
    null,
    "bucket of the lake on S3-compatible storage, as s3://bucket/prefix; DATA_DIR then has a copy of it. By default the lake is in DATA_DIR",
    readBucket,
  ),
  LAKE_CACHE_MB: megabytes(2048, [16, 10_000_000], "disk under DATA_DIR for files of a lake in a bucket"),
  AWS_ENDPOINT_URL_S3: webAddress(
    "address of the storage, such as https://minio.example:9000; by default Amazon's in AWS_REGION",
  ),
  AWS_ENDPOINT_URL: webAddress("the same, for where AWS_ENDPOINT_URL_S3 is not set"),
  AWS_REGION: text("us-east-1", "region of the bucket"),
  AWS_ACCESS_KEY_ID: text(null, "access key for the bucket", { neededBy: "LAKE_URL" }),
  AWS_SECRET_ACCESS_KEY: text(null, "its secret", { secret: true, neededBy: "LAKE_URL" }),
  AWS_SESSION_TOKEN: text(null, "token of temporary credentials for the bucket", { secret: true }),
  LAKE_RETENTION_DAYS: integer(7, [1, 365], "days for which older versions of daily tables stay readable"),
  INTRADAY_DAYS: integer(
    0,
    [0, 100_000],
    "days of intraday quotes to store, today included; 0 stores all of them",
  ),
  EXPORT_CONCURRENCY: integer(2, [1, 16], "file exports that run at once"),
  EXPORT_QUEUE: integer(32, [0, 1000], "exports that may wait for their turn; more are refused with 503"),
  EXPORT_CACHE_MB: megabytes(
    1024,
    [0, 1_000_000],
    "disk under DATA_DIR for finished exports, which are sent again without new work",
  ),
  MEMORY_CACHE_MB: megabytes(48, [8, 100_000], "memory for all caches (bodies, series, read quotes)"),
  ANSWERS_PER_ADDRESS: integer(
    64,
    [1, 100_000],
    "answers of more than 64 KB that one address (IPv6: /64) may receive at once; its /24 or /56 may receive four times as many",
  ),
  // Streams send a sign of life every 15 seconds, and the server's timer counts in steps of four.
  ANSWER_IDLE_SECONDS: integer(60, [20, 255], "a connection on which nothing moves for so long is closed"),
  LOG_LEVEL: choice(
    "info",
    ["info", "warn", "error", "silent"],
    "`info`, `warn`, `error` or `silent`: the lowest level that is logged; log lines are JSON on standard error",
  ),
  NODE_ENV: decoded(
    null,
    "`production` refuses settings that only tests need; else `development` or `test`",
    matching(/^(production|development|test)$/, "production, development or test is needed"),
  ),
});

function matching(pattern: RegExp, needed: string): (value: string) => string {
  return (value) => (pattern.test(value) ? value : refuse(needed));
}

function readOrigin(item: string): string | null {
  const origin = item.toLowerCase();
  return origin === "*" || URL.parse(origin)?.origin === origin ? origin : null;
}

/** Refuses a path: this server's paths begin at the root. */
function readPublicUrl(value: string): string {
  const needed = "write scheme, host and port alone, such as https://rates.example.com";
  const url = new URL(addressOf(WEB, needed)(value));
  return url.href === `${url.origin}/`
    ? url.origin
    : refuse(`${needed}; a path in front is not supported: give this server a host name of its own`);
}

/** Ids in the order of the setting, each once. An unknown table is refused later, when the tables are opened. */
function readTables(value: string): "all" | "off" | readonly string[] {
  const ids = [...new Set(itemsOf(value.toLowerCase()))];
  const [first] = ids;
  if (ids.length === 1 && (first === "all" || first === "off")) return first;
  const areIds = ids.length > 0 && ids.every((id) => /^(?!(?:all|off)$)[a-z0-9_]+$/.test(id));
  return areIds ? ids : refuse("all, off, or ids of tables such as mex_fix,pol_a are needed");
}

/** Headers and attributes as OpenTelemetry specifies them: W3C Baggage without properties. */
function readPairs(value: string): Readonly<Record<string, string>> {
  const pairs = itemsOf(value).map((pair) => {
    const [, name, text] = /^([^=\s]+)\s*=\s*(.*)$/.exec(pair) ?? [];
    try {
      if (name !== undefined && text !== undefined)
        return [decodeURIComponent(name), decodeURIComponent(text)];
    } catch {}
    return refuse("name=value, comma-separated, values percent-encoded, is needed");
  });
  return Object.fromEntries(pairs);
}

function readHeaders(value: string): Readonly<Record<string, string>> {
  const headers = readPairs(value);
  const areUsable = Object.entries(headers).every(
    ([name, text]) => /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) && /^[\x20-\x7e]*$/.test(text),
  );
  return areUsable ? headers : refuse("a header cannot have this name or this value");
}

/** A bucket's name as S3 allows it, but without dots: S3's certificate does not cover them. A prefix without outer slashes. */
function readBucket(value: string): { readonly bucket: string; readonly prefix: string } {
  const [, bucket, prefix = ""] =
    /^s3:\/\/([a-z0-9][a-z0-9-]{1,61}[a-z0-9])(?:\/(.*?))?\/*$/.exec(value) ?? [];
  const isFolder = prefix === "" || prefix.split("/").every((part) => /^(?!\.+$)[\w!.*'()=-]+$/.test(part));
  return bucket !== undefined && isFolder
    ? { bucket, prefix }
    : refuse(
        "s3://bucket or s3://bucket/prefix is needed, without a query: in the bucket's name 3 to 63 of a-z, 0-9 and -, in the prefix letters without accents, digits and !-_.*'()=",
      );
}

export type SettingName = keyof typeof SETTINGS.properties;
type Values = StaticDecode<typeof SETTINGS>;
/** A setting with a fault is undefined. */
export type SettingValues = Partial<Values>;

/** All faults of a configuration, one line each, ready to print. */
export class ConfigFault extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`the configuration is not usable:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`);
    this.name = "ConfigFault";
    this.faults = faults;
  }
}

export type Config = ReturnType<typeof configOf>;

/**
 * Reads and validates the environment. `defaults` replace those of the settings (the demo has its own data directory); `faultsOf` finds what only
 * the readers of settings know. Throws ConfigFault.
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  defaults: Partial<Record<SettingName, string>> = {},
  faultsOf: (values: SettingValues) => readonly string[] = () => [],
): Config {
  const schemas: Readonly<Record<string, TSchema & About>> = SETTINGS.properties;
  const sources: Readonly<Record<string, string | undefined>> = defaults;
  const textOf = (name: string): string =>
    environment[name]?.trim() || (sources[name] ?? `${schemas[name]?.default ?? ""}`);
  const faults: string[] = [];
  const fault = (name: string, what: string) => {
    const text = textOf(name);
    // Faults are printed and logged: a secret that was mistyped must not be.
    faults.push(`${name}=${schemas[name]?.secret && text !== "" ? "…" : text}: ${what}`);
  };
  const values: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(schemas)) {
    try {
      values[name] = decode(schema, textOf(name));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      for (const what of error.faults) fault(name, what);
    }
  }
  for (const [name, { neededBy, onlyWith, onlyForTests, default: fallback }] of Object.entries(schemas)) {
    const isSet = textOf(name) !== "";
    if (neededBy !== undefined && textOf(neededBy) !== "" && !isSet) fault(name, `${neededBy} needs it`);
    if (onlyWith !== undefined && textOf(onlyWith) === "" && isSet)
      fault(name, `does nothing without ${onlyWith}; set that too, or neither`);
    if (
      onlyForTests !== undefined &&
      values["NODE_ENV"] === "production" &&
      textOf(name) !== (fallback ?? "")
    )
      fault(name, `refused when NODE_ENV=production: ${onlyForTests}`);
  }
  // The runtime would believe any certificate, and so anybody who answers for a source or the identity provider.
  if (environment["NODE_TLS_REJECT_UNAUTHORIZED"] === "0")
    faults.push(
      "NODE_TLS_REJECT_UNAUTHORIZED=0: unset it; the certificate of an authority of your own goes into the file of NODE_EXTRA_CA_CERTS",
    );
  checkTogether(values, fault);
  faults.push(...faultsOf(values));
  if (faults.length > 0) throw new ConfigFault(faults);
  return configOf(values as Values);
}

/** A line for each variable that is one letter, or two in the other order, or capitals away from a setting that is absent: it does nothing. */
export function misspeltSettings(environment: Readonly<Record<string, string | undefined>>): string[] {
  const absent = Object.keys(SETTINGS.properties).filter((setting) => environment[setting] === undefined);
  return Object.keys(environment).flatMap((name) => {
    const meant = name in SETTINGS.properties ? undefined : absent.find((one) => isNear(name, one));
    return meant === undefined ? [] : `${name} is no setting and does nothing; ${meant} is one`;
  });
}

function isNear(name: string, setting: string): boolean {
  const written = name.toUpperCase();
  if (written === setting) return true;
  // Of a short name too many other programs have a variable that is near.
  if (setting.length < 8) return false;
  const same = [...setting].findIndex((letter, at) => letter !== written[at]);
  if (same === -1) return written.length === setting.length + 1;
  const [a, b] = [written.slice(same), setting.slice(same)];
  const isExchanged = a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
  return isExchanged || a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1);
}

/** The value of a setting; null where it is empty. Throws Refused. */
function decode(schema: TSchema, text: string): unknown {
  if (text === "" && schema.default === null) return null;
  const isInteger = schema.type === "integer";
  // Coercion by Value.Convert would read 1.5 as 1.
  const value = isInteger && /^\d{1,9}$/.test(text) ? Number(text) : text;
  if (!Value.Check(schema, value))
    throw new Refused(`a whole number from ${schema.minimum} to ${schema.maximum} is needed`);
  try {
    return Value.Decode(schema, value);
  } catch (error) {
    throw error instanceof TransformDecodeError ? error.error : error;
  }
}

/** The settings that a feed needs. */
const FEED_NEEDS: Readonly<Record<FeedId, readonly SettingName[]>> = {
  coinbase: [],
  oxr: ["OXR_APP_ID"],
  massive: ["MASSIVE_API_KEY"],
  twelvedata: ["TWELVEDATA_API_KEY"],
  oanda: ["OANDA_TOKEN", "OANDA_ACCOUNT"],
};

/** Checks what no schema can say. A setting that has a fault already is undefined. */
function checkTogether(values: SettingValues, fault: (name: SettingName, what: string) => void): void {
  const feeds = feedsOf(values);
  for (const feed of feeds)
    for (const name of FEED_NEEDS[feed]) if (values[name] === null) fault(name, `the feed ${feed} needs it`);
  if (values.LIVE_CURRENCIES?.includes("USD"))
    fault("LIVE_CURRENCIES", "live quotes are prices in USD: leave USD out");
  if (values.ROLE === "api" && feeds.length > 0 && values.REDIS_URL === null)
    fault("REDIS_URL", "with ROLE=api live quotes come through Redis; set it, or LIVE_FEED=off");
  const areApart = values.LAKE_URL != null && (values.REPLICAS ?? 1) > 1 && values.ROLE !== "collector";
  if (areApart && values.CURSOR_SECRET === null)
    fault(
      "CURSOR_SECRET",
      "servers on one LAKE_URL refuse each other's cursors without it; give all the same",
    );
  if (values.STRIPE_SECRET_KEY != null)
    for (const what of parsePrices(values.STRIPE_PRICES ?? "").faults) fault("STRIPE_PRICES", what);
}

function feedsOf({ LIVE_FEED = "off", LIVE_FALLBACK = [] }: SettingValues): readonly FeedId[] {
  return LIVE_FEED === "off" ? [] : [...new Set([LIVE_FEED, ...LIVE_FALLBACK])];
}

/** What `make` makes of a setting; null if the setting is empty. */
function when<T, Made>(setting: T | null, make: (setting: T) => Made): Made | null {
  return setting === null ? null : make(setting);
}

/** The settings as the program has them: grouped, and null for what is not switched on. */
function configOf(values: Values) {
  const { STREAM_SUBSCRIBERS } = values;
  const reservedStreams = Math.floor((STREAM_SUBSCRIBERS * values.STREAM_KEY_SHARE) / 100);
  return {
    production: values.NODE_ENV === "production",
    port: values.PORT,
    host: values.HOST,
    allowedHosts: values.ALLOWED_HOSTS,
    mcpOrigins: values.MCP_ORIGINS,
    dataDir: values.DATA_DIR,
    access: values.ACCESS,
    accounts: accountsOf(values),
    role: values.ROLE,
    shutdownDelaySeconds: values.SHUTDOWN_DELAY_SECONDS,
    live: liveOf(values),
    official: { tables: values.OFFICIAL_TABLES, banxicoToken: values.BANXICO_TOKEN },
    redisUrl: values.REDIS_URL,
    streamSubscribers: STREAM_SUBSCRIBERS,
    streamBounds: {
      perCaller: values.STREAMS_PER_CALLER,
      perNetwork: values.STREAMS_PER_NETWORK,
      /** Streams for all callers without a key together; null when no stream is reserved for callers with a key. */
      keyless: reservedStreams === 0 ? null : STREAM_SUBSCRIBERS - reservedStreams,
    },
    metrics: when(values.METRICS_PORT, (port) => ({ port, host: values.METRICS_HOST })),
    traces: tracesOf(values),
    upstreamBase: values.UPSTREAM_BASE,
    fredApiKey: values.FRED_API_KEY,
    startAt: values.NOW,
    cursorSecret: values.CURSOR_SECRET,
    batchLimit: values.BATCH_LIMIT,
    storage: storageOf(values),
    lakeRetentionDays: values.LAKE_RETENTION_DAYS,
    lakeSigningKeys: values.LAKE_SIGNING_KEY,
    intradayDays: values.INTRADAY_DAYS || null,
    exportConcurrency: values.EXPORT_CONCURRENCY,
    exportQueue: values.EXPORT_QUEUE,
    exportCacheBytes: values.EXPORT_CACHE_MB,
    memoryCacheBytes: values.MEMORY_CACHE_MB,
    answersPerAddress: values.ANSWERS_PER_ADDRESS,
    answerIdleSeconds: values.ANSWER_IDLE_SECONDS,
    logLevel: values.LOG_LEVEL,
  };
}

type NeededText = "MAIL_FROM" | "POLICY_URL" | "OIDC_CLIENT_ID";

function accountsOf(values: Values) {
  // A setting that another one needs is there: see `neededBy`.
  const { MAIL_FROM, POLICY_URL, OIDC_CLIENT_ID } = values as Values & Record<NeededText, string>;
  return {
    publicUrl: values.PUBLIC_URL,
    trustedProxies: values.TRUSTED_PROXIES,
    plansFile: values.PLANS_FILE,
    databaseUrl: values.DATABASE_URL,
    /** Not a setting: set by the flag --new-ledger, with which a ledger may begin where there was another. */
    newLedger: false,
    replicas: values.REPLICAS ?? 1,
    /** False: every call asks the shared counters. */
    limitLeases: values.LIMIT_LEASES === "on",
    masterKeys: values.MASTER_KEYS,
    keyPepper: values.KEY_PEPPER,
    mail: when(values.SMTP_URL, (url) => ({ url, from: MAIL_FROM })),
    policy: when(values.POLICY_VERSION, (version) => ({ version, url: POLICY_URL })),
    provider: when(values.OIDC_ISSUER, (issuer) => ({
      ...{ issuer, clientId: OIDC_CLIENT_ID, clientSecret: values.OIDC_CLIENT_SECRET },
      ...{ audience: values.OIDC_AUDIENCE, algorithms: values.OIDC_ALGORITHMS },
    })),
    stripe: when(values.STRIPE_SECRET_KEY, (secretKey) => ({
      ...{ secretKey, webhookSecrets: values.STRIPE_WEBHOOK_SECRETS, apiBase: values.STRIPE_API_BASE },
      prices: parsePrices(values.STRIPE_PRICES ?? "").prices,
    })),
    webhooks: {
      allowPrivate: values.ALLOW_PRIVATE_WEBHOOKS,
      egressProxy: values.WEBHOOK_EGRESS_PROXY,
      ownAddresses: values.WEBHOOK_OWN_ADDRESSES,
    },
    admin: when(values.ADMIN_PORT, (port) => ({ port, host: values.ADMIN_HOST })),
  };
}

function liveOf(values: Values) {
  const { OANDA_TOKEN: token, OANDA_ACCOUNT: accountId } = values;
  return {
    feeds: feedsOf(values),
    currencies: values.LIVE_CURRENCIES,
    pollSeconds: values.LIVE_POLL_SECONDS,
    staleSeconds: values.LIVE_STALE_SECONDS,
    delayMinutes: values.LIVE_DELAY_MINUTES,
    access: {
      oxr: when(values.OXR_APP_ID, (appId) => ({ appId, requestsPerMonth: values.OXR_REQUESTS_PER_MONTH })),
      massive: when(values.MASSIVE_API_KEY, (apiKey) => ({
        ...{ apiKey, requestsPerMinute: values.MASSIVE_REQUESTS_PER_MINUTE },
      })),
      twelvedata: when(values.TWELVEDATA_API_KEY, (apiKey) => ({
        ...{ apiKey, creditsPerMinute: values.TWELVEDATA_CREDITS_PER_MINUTE },
        creditsPerDay: values.TWELVEDATA_CREDITS_PER_DAY || null,
      })),
      oanda:
        token === null || accountId === null ? null : { token, accountId, practice: values.OANDA_PRACTICE },
    },
  };
}

function tracesOf(values: Values) {
  return when(values.OTEL_EXPORTER_OTLP_ENDPOINT, (endpoint) => ({
    url: `${endpoint}/v1/traces`,
    headers: values.OTEL_EXPORTER_OTLP_HEADERS,
    serviceName: values.OTEL_SERVICE_NAME,
    resourceAttributes: values.OTEL_RESOURCE_ATTRIBUTES,
    sampler: values.OTEL_TRACES_SAMPLER,
    ratio: values.OTEL_TRACES_SAMPLER_ARG,
  }));
}

/** Null where the lake is in DATA_DIR. */
function storageOf(values: Values) {
  const { LAKE_URL, AWS_REGION } = values;
  if (LAKE_URL === null) return null;
  return {
    ...LAKE_URL,
    endpoint:
      values.AWS_ENDPOINT_URL_S3 ?? values.AWS_ENDPOINT_URL ?? `https://s3.${AWS_REGION}.amazonaws.com`,
    region: AWS_REGION,
    accessKeyId: values.AWS_ACCESS_KEY_ID as string,
    secretAccessKey: values.AWS_SECRET_ACCESS_KEY as string,
    sessionToken: values.AWS_SESSION_TOKEN,
    copyBytes: values.LAKE_CACHE_MB,
  };
}
