import { describe, expect, test } from "bun:test";
import { ConfigFault, readConfig } from "#config.ts";

const faultsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    readConfig(environment);
  } catch (fault) {
    if (fault instanceof ConfigFault) return fault.faults;
    throw fault;
  }
  return [];
};

test("an empty environment is a complete configuration", () => {
  expect(readConfig({})).toEqual({
    production: false,
    port: 3000,
    host: "127.0.0.1",
    allowedHosts: [],
    dataDir: "data/live",
    access: "open",
    liveFeed: "off",
    upstreamBase: null,
    fredApiKey: null,
    startAt: null,
    cursorSecret: null,
    batchLimit: 100,
    intradayDays: null,
    exportConcurrency: 2,
    exportQueue: 32,
    exportCacheBytes: 1_024_000_000,
    logLevel: "info",
  });
});

test("every setting is read", () => {
  expect(
    readConfig({
      PORT: "0",
      HOST: "0.0.0.0",
      ALLOWED_HOSTS: "Rates.Example, localhost",
      DATA_DIR: "/srv/rates",
      ACCESS: "metered",
      UPSTREAM_BASE: "http://127.0.0.1:9999/",
      NOW: "2026-04-13T16:30:00Z",
      BATCH_LIMIT: "5",
      INTRADAY_DAYS: "90",
      EXPORT_CONCURRENCY: "3",
      EXPORT_QUEUE: "0",
      EXPORT_CACHE_MB: "10",
      LOG_LEVEL: "silent",
    }),
  ).toMatchObject({
    port: 0,
    host: "0.0.0.0",
    allowedHosts: ["rates.example", "localhost"],
    access: "metered",
    upstreamBase: "http://127.0.0.1:9999",
    startAt: Date.parse("2026-04-13T16:30:00Z"),
    batchLimit: 5,
    intradayDays: 90,
    exportConcurrency: 3,
    exportQueue: 0,
    exportCacheBytes: 10_000_000,
    logLevel: "silent",
  });
});

test("a command's defaults stand below the environment", () => {
  expect(readConfig({}, { DATA_DIR: "data/demo" }).dataDir).toBe("data/demo");
  expect(readConfig({ DATA_DIR: "mine" }, { DATA_DIR: "data/demo" }).dataDir).toBe("mine");
});

describe("a fault names the setting and what is needed", () => {
  test.each([
    ["PORT", "eighty"],
    ["PORT", "70000"],
    ["ACCESS", "closed"],
    ["LIVE_FEED", "coinbase"],
    ["UPSTREAM_BASE", "ftp://x"],
    ["UPSTREAM_BASE", "nonsense"],
    ["NOW", "yesterday"],
    ["NOW", "2026-02-30T00:00:00Z"],
    ["NOW", "2026-04-13T16:30:00+02:00"],
    ["BATCH_LIMIT", "0"],
    ["EXPORT_CONCURRENCY", "17"],
    ["EXPORT_QUEUE", "-1"],
    ["EXPORT_CACHE_MB", "1.5"],
    ["LOG_LEVEL", "debug"],
  ])("%s=%s", (name, value) => {
    const faults = faultsOf({ [name]: value });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toStartWith(`${name}=${value}: `);
  });
  test("all of them at once", () => expect(faultsOf({ PORT: "x", ACCESS: "x", NOW: "x" })).toHaveLength(3));
  test("NOW is refused in production", () => {
    expect(faultsOf({ NODE_ENV: "production", NOW: "2026-04-13T16:30:00Z" })[0]).toContain("refused");
  });
});
