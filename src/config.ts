/** The only reader of the environment. It validates every setting at the start and lists all faults at once. */

import { readSigningKey, type SigningKey } from "#domain/chain/entry.ts";
import { settingHostName } from "#domain/net/host.ts";
import type { Instant } from "#domain/time/day.ts";
import { type AccountSettings, readAccounts } from "#settings/accounts.ts";
import { type LiveSettings, readLive } from "#settings/live.ts";
import { type Environment, listOf, newReader, type SettingsReader } from "#settings/reader.ts";
import { readStorage, type StorageSettings } from "#settings/storage.ts";
import type { SettingName } from "#settings/table.ts";
import { readTraces, type TraceSettings } from "#settings/traces.ts";

const LOG_LEVELS = ["info", "warn", "error", "silent"] as const;

export interface Config {
  readonly production: boolean;
  readonly port: number;
  readonly host: string;
  /** Host names this server answers for, lower case without port; empty answers for any well-formed one. */
  readonly allowedHosts: readonly string[];
  /** Origins of web pages that may use MCP, lower case; `*` for any. */
  readonly mcpOrigins: readonly string[];
  readonly dataDir: string;
  readonly access: "open" | "metered";
  readonly accounts: AccountSettings;
  /** `api` collects nothing and runs no upkeep; `collector` answers probes only. */
  readonly role: "all" | "api" | "collector";
  /** How long requests are still taken after SIGTERM and SIGHUP. */
  readonly shutdownDelaySeconds: number;
  readonly live: LiveSettings;
  readonly official: OfficialSettings;
  /** Where live quotes are shared; null holds them in this process. */
  readonly redisUrl: string | null;
  readonly streamSubscribers: number;
  readonly streamBounds: StreamSettings;
  /** null serves no metrics. */
  readonly metrics: { readonly port: number; readonly host: string } | null;
  /** null sends no traces. */
  readonly traces: TraceSettings | null;
  /** Remaps every upstream: https://host/path becomes `${upstreamBase}/host/path`. */
  readonly upstreamBase: string | null;
  readonly fredApiKey: string | null;
  /** Instant at which the process's clock starts; null is the real time. */
  readonly startAt: Instant | null;
  readonly cursorSecret: string | null;
  readonly batchLimit: number;
  /** Where the lake is shared; null where it is in the data directory. */
  readonly storage: StorageSettings | null;
  /** Days of intraday quotes to keep, today included; null keeps all. */
  readonly intradayDays: number | null;
  /** Older versions of the daily tables stay readable for so many days. */
  readonly lakeRetentionDays: number;
  /** Keys that sign the history of the lake, the one for new entries first; empty: that in the data directory. */
  readonly lakeSigningKeys: readonly SigningKey[];
  /** Exports under way at once, and callers that may wait for a turn. */
  readonly exportConcurrency: number;
  readonly exportQueue: number;
  /** Disk for finished exports, in bytes. */
  readonly exportCacheBytes: number;
  /** Memory for all caches, in bytes. */
  readonly memoryCacheBytes: number;
  /** Large answers that one address may have under way. */
  readonly answersPerAddress: number;
  /** A connection without progress is closed after so many seconds. */
  readonly answerIdleSeconds: number;
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

/** All faults of a configuration, one line each, ready to print. */
export class ConfigFault extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`the configuration is not usable:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`);
    this.name = "ConfigFault";
    this.faults = faults;
  }
}

/** Reads and validates the environment. `defaults` override the fallbacks (the demo has its own data directory). Throws ConfigFault. */
export function readConfig(
  environment: Environment,
  defaults: Partial<Record<SettingName, string>> = {},
): Config {
  const faults: string[] = [];
  const read = newReader(environment, defaults, faults);
  const config = configOf(read);
  if (config.role === "api" && config.live.feeds.length > 0 && config.redisUrl === null)
    read.fault("REDIS_URL", "with ROLE=api live quotes come through Redis; set it, or LIVE_FEED=off");
  if (faults.length > 0) throw new ConfigFault(faults);
  return config;
}

function configOf(read: SettingsReader): Config {
  const production = read.text("NODE_ENV") === "production";
  const streamSubscribers = read.integer("STREAM_SUBSCRIBERS", 0, 100_000);
  const metricsPort = read.integerOrNull("METRICS_PORT", 0, 65_535);
  return {
    production,
    port: read.integer("PORT", 0, 65_535),
    host: read.listenHost("HOST"),
    allowedHosts: readHosts(read),
    mcpOrigins: readOrigins(read),
    dataDir: read.text("DATA_DIR") as string,
    access: read.choice("ACCESS", ["open", "metered"]),
    accounts: readAccounts(read, production),
    role: read.choice("ROLE", ["all", "api", "collector"]),
    shutdownDelaySeconds: read.integer("SHUTDOWN_DELAY_SECONDS", 0, 15),
    live: readLive(read),
    official: readOfficial(read),
    redisUrl: read.redisAddress("REDIS_URL"),
    streamSubscribers,
    streamBounds: readStreams(read, streamSubscribers),
    metrics: metricsPort === null ? null : { port: metricsPort, host: read.listenHost("METRICS_HOST") },
    traces: readTraces(read),
    upstreamBase: read.address(
      "UPSTREAM_BASE",
      ["http:", "https:"],
      "an http or https address without a query is needed",
    ),
    fredApiKey: read.text("FRED_API_KEY"),
    startAt: startAt(read, production),
    cursorSecret: read.text("CURSOR_SECRET"),
    batchLimit: read.integer("BATCH_LIMIT", 1, 1000),
    storage: readStorage(read),
    lakeRetentionDays: read.integer("LAKE_RETENTION_DAYS", 1, 365),
    lakeSigningKeys: readSigningKeys(read),
    intradayDays: read.integer("INTRADAY_DAYS", 0, 100_000) || null,
    exportConcurrency: read.integer("EXPORT_CONCURRENCY", 1, 16),
    exportQueue: read.integer("EXPORT_QUEUE", 0, 1000),
    exportCacheBytes: read.integer("EXPORT_CACHE_MB", 0, 1_000_000) * 1_000_000,
    memoryCacheBytes: read.integer("MEMORY_CACHE_MB", 8, 100_000) * 1_000_000,
    answersPerAddress: read.integer("ANSWERS_PER_ADDRESS", 1, 100_000),
    // Streams send a sign of life every 15 seconds, and the server's timer counts in steps of four.
    answerIdleSeconds: read.integer("ANSWER_IDLE_SECONDS", 20, 255),
    logLevel: read.choice("LOG_LEVEL", LOG_LEVELS),
  };
}

function readHosts(read: SettingsReader): readonly string[] {
  return listOf(read.text("ALLOWED_HOSTS")).flatMap((text) => {
    const name = settingHostName(text);
    if (name === null)
      read.fault(
        "ALLOWED_HOSTS",
        `${text} is not a host name; write names alone, such as rates.example.com, without scheme, port and path`,
      );
    return name ?? [];
  });
}

function readOrigins(read: SettingsReader): readonly string[] {
  const origins = listOf(read.text("MCP_ORIGINS")).map((origin) => origin.toLowerCase());
  const wrong = origins.find((origin) => origin !== "*" && URL.parse(origin)?.origin !== origin);
  if (wrong !== undefined)
    read.fault(
      "MCP_ORIGINS",
      "origins such as https://app.example without a slash at the end, or *, are needed",
    );
  return origins;
}

function readSigningKeys(read: SettingsReader): readonly SigningKey[] {
  const keys = listOf(read.text("LAKE_SIGNING_KEY")).map(readSigningKey);
  if (keys.includes(null))
    read.fault("LAKE_SIGNING_KEY", "Ed25519 keys in PKCS #8, as base64 of their DER, are needed");
  return keys.filter((key) => key !== null);
}

function startAt(read: SettingsReader, production: boolean): Instant | null {
  if (!production || read.text("NOW") === null) return read.instant("NOW");
  read.fault("NOW", "refused when NODE_ENV=production, the clock there is the real one");
  return null;
}

export interface OfficialSettings {
  /** Ids in the order given, each once; which there are is known where they are opened. */
  readonly tables: "all" | "off" | readonly string[];
  readonly banxicoToken: string | null;
}

const ID = /^[a-z0-9_]+$/;
/** Banxico's tokens are 64 hexadecimal digits; other characters would fail in the header of every request. */
const TOKEN = /^[\x21-\x7e]{8,128}$/;

function readOfficial(read: SettingsReader): OfficialSettings {
  const banxicoToken = read.text("BANXICO_TOKEN");
  if (banxicoToken !== null && !TOKEN.test(banxicoToken))
    read.fault("BANXICO_TOKEN", "a token without spaces is needed, as Banxico gives it");
  return { tables: readTables(read), banxicoToken };
}

function readTables(read: SettingsReader): OfficialSettings["tables"] {
  const words = [...new Set(listOf(read.text("OFFICIAL_TABLES")).map((word) => word.toLowerCase()))];
  const [first] = words;
  if (words.length === 1 && (first === "all" || first === "off")) return first;
  const wrong = words.find((word) => !ID.test(word) || word === "all" || word === "off");
  if (wrong === undefined && words.length > 0) return words;
  read.fault("OFFICIAL_TABLES", "all, off, or ids of tables such as mex_fix,pol_a are needed");
  return "off";
}

export interface StreamSettings {
  /** Streams that one organization, or without a key one address, may have open at once. */
  readonly perCaller: number;
  /** The same for all addresses of one /24 (IPv6: one /56) together. */
  readonly perNetwork: number;
  /** The same for all callers without a key together, where there are keys; null where nothing is reserved for those. */
  readonly keyless: number | null;
}

/** `places` are all that there are. */
function readStreams(read: SettingsReader, places: number): StreamSettings {
  const reserved = Math.floor((places * read.integer("STREAM_KEY_SHARE", 0, 100)) / 100);
  return {
    perCaller: read.integer("STREAMS_PER_CALLER", 1, 100_000),
    perNetwork: read.integer("STREAMS_PER_NETWORK", 1, 100_000),
    keyless: reserved === 0 ? null : places - reserved,
  };
}
