/** The only reader of the environment. Every setting is validated at boot and every fault is listed at once. */

import { type Day, type Instant, parseDay } from "#domain/day.ts";

export interface Config {
  readonly production: boolean;
  readonly port: number;
  readonly host: string;
  /** Host names this server answers for, lower case without port; empty answers for any well-formed one. */
  readonly allowedHosts: readonly string[];
  readonly dataDir: string;
  readonly access: "open" | "metered";
  readonly liveFeed: "off";
  /** Remaps every upstream: https://host/path becomes `${upstreamBase}/host/path`. */
  readonly upstreamBase: string | null;
  readonly fredApiKey: string | null;
  /** Instant at which the process's clock starts; null is the real time. */
  readonly startAt: Instant | null;
  readonly cursorSecret: string | null;
  readonly batchLimit: number;
  /** Days of intraday quotes to keep, today included; null keeps all. */
  readonly intradayDays: number | null;
  /** Exports under way at once, and callers that may wait for a turn. */
  readonly exportConcurrency: number;
  readonly exportQueue: number;
  /** Disk for finished exports, in bytes. */
  readonly exportCacheBytes: number;
  readonly logLevel: "info" | "warn" | "silent";
}

interface Setting {
  readonly name: string;
  /** As shown in the README; null means the setting is empty by default. */
  readonly fallback: string | null;
  readonly meaning: string;
}

/** Every setting there is, in the order of the README's table; a test holds the two against each other. */
export const SETTINGS = [
  { name: "PORT", fallback: "3000", meaning: "TCP port to listen on" },
  { name: "HOST", fallback: "127.0.0.1", meaning: "address to listen on; 0.0.0.0 for every interface" },
  {
    name: "ALLOWED_HOSTS",
    fallback: null,
    meaning: "host names to answer for, comma-separated; empty answers for any well-formed Host",
  },
  {
    name: "DATA_DIR",
    fallback: "data/live",
    meaning: "directory of the embedded stores (the demo uses data/demo)",
  },
  {
    name: "ACCESS",
    fallback: "open",
    meaning: "`open`: no keys and no limits; `metered` is accepted and not enforced yet",
  },
  { name: "LIVE_FEED", fallback: "off", meaning: "intraday feed; only `off` so far" },
  {
    name: "UPSTREAM_BASE",
    fallback: null,
    meaning: "remaps every upstream https://host/path to this address followed by /host/path",
  },
  {
    name: "FRED_API_KEY",
    fallback: null,
    meaning: "FRED API key; without one the keyless CSV download is used",
  },
  {
    name: "NOW",
    fallback: null,
    meaning: "starts the clock at this UTC instant, e.g. 2026-04-13T16:30:00Z; refused in production",
  },
  {
    name: "CURSOR_SECRET",
    fallback: null,
    meaning:
      "signs range cursors; give replicas the same one; by default made at random and kept in DATA_DIR",
  },
  { name: "BATCH_LIMIT", fallback: "100", meaning: "pairs that one batch conversion may hold, 1 to 1000" },
  {
    name: "INTRADAY_DAYS",
    fallback: "0",
    meaning: "days of intraday quotes to keep, today included; 0 keeps all of them",
  },
  { name: "EXPORT_CONCURRENCY", fallback: "2", meaning: "file exports under way at once, 1 to 16" },
  {
    name: "EXPORT_QUEUE",
    fallback: "32",
    meaning: "exports that may wait for their turn, 0 to 1000; more are refused with 503",
  },
  {
    name: "EXPORT_CACHE_MB",
    fallback: "1024",
    meaning: "disk under DATA_DIR for finished exports, which are sent again without new work",
  },
  {
    name: "LOG_LEVEL",
    fallback: "info",
    meaning: "`info`, `warn` or `silent`; log lines are JSON on standard error",
  },
  { name: "NODE_ENV", fallback: null, meaning: "`production` refuses settings that only tests need" },
] as const satisfies readonly Setting[];

type SettingName = (typeof SETTINGS)[number]["name"];

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
  environment: Readonly<Record<string, string | undefined>>,
  defaults: Partial<Record<SettingName, string>> = {},
): Config {
  const faults: string[] = [];
  const text = (name: SettingName): string | null => {
    const given = environment[name]?.trim();
    if (given !== undefined && given !== "") return given;
    return defaults[name] ?? SETTINGS.find((setting) => setting.name === name)?.fallback ?? null;
  };
  const integer = (name: SettingName, least: number, most: number): number => {
    const value = text(name) ?? "";
    if (/^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most) return Number(value);
    faults.push(`${name}=${value}: a whole number from ${least} to ${most} is needed`);
    return least;
  };
  const choice = <T extends string>(name: SettingName, allowed: readonly T[]): T => {
    const value = text(name);
    const found = allowed.find((candidate) => candidate === value);
    if (found !== undefined) return found;
    faults.push(`${name}=${value}: one of ${allowed.join(", ")} is needed`);
    return allowed[0] as T;
  };

  const production = text("NODE_ENV") === "production";
  const config: Config = {
    production,
    port: integer("PORT", 0, 65_535),
    host: text("HOST") as string,
    allowedHosts: (text("ALLOWED_HOSTS") ?? "")
      .split(",")
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name !== ""),
    dataDir: text("DATA_DIR") as string,
    access: choice("ACCESS", ["open", "metered"]),
    liveFeed: choice("LIVE_FEED", ["off"]),
    upstreamBase: httpBase("UPSTREAM_BASE", text("UPSTREAM_BASE"), faults),
    fredApiKey: text("FRED_API_KEY"),
    startAt: instant("NOW", text("NOW"), production, faults),
    cursorSecret: text("CURSOR_SECRET"),
    batchLimit: integer("BATCH_LIMIT", 1, 1000),
    intradayDays: integer("INTRADAY_DAYS", 0, 100_000) || null,
    exportConcurrency: integer("EXPORT_CONCURRENCY", 1, 16),
    exportQueue: integer("EXPORT_QUEUE", 0, 1000),
    exportCacheBytes: integer("EXPORT_CACHE_MB", 0, 1_000_000) * 1_000_000,
    logLevel: choice("LOG_LEVEL", ["info", "warn", "silent"]),
  };
  if (faults.length > 0) throw new ConfigFault(faults);
  return config;
}

function httpBase(name: string, value: string | null, faults: string[]): string | null {
  if (value === null) return null;
  const url = URL.parse(value);
  if (url !== null && (url.protocol === "http:" || url.protocol === "https:") && url.search === "") {
    return value.replace(/\/+$/, "");
  }
  faults.push(`${name}=${value}: an http or https address without a query is needed`);
  return null;
}

function instant(name: string, value: string | null, production: boolean, faults: string[]): Instant | null {
  if (value === null) return null;
  if (production) {
    faults.push(`${name}=${value}: refused when NODE_ENV=production, the clock there is the real one`);
    return null;
  }
  const day: Day | null = parseDay(value.slice(0, 10));
  const at = Date.parse(value);
  if (day !== null && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/.test(value) && !Number.isNaN(at))
    return at;
  faults.push(`${name}=${value}: a UTC instant such as 2026-04-13T16:30:00Z is needed`);
  return null;
}
