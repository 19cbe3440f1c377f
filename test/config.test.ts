import { describe, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
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

test("an empty environment is a complete configuration, in which nothing is switched on that needs a key", () => {
  expect(readConfig({})).toMatchObject({
    ...{
      host: "127.0.0.1",
      dataDir: "data/live",
      access: "metered",
      role: "all",
      metrics: null,
      traces: null,
    },
    live: { feeds: ["coinbase"], access: { oxr: null, massive: null, twelvedata: null, oanda: null } },
    accounts: { masterKeys: null, mail: null, policy: null, provider: null, stripe: null, admin: null },
    streamBounds: { perCaller: 20, perNetwork: 100, keyless: 1000 },
    ...{ storage: null, intradayDays: null, exportCacheBytes: 1_024_000_000 },
  });
});

test("lists, numbers, choices and what belongs together are read as they are meant", () => {
  expect(
    readConfig({
      ALLOWED_HOSTS: "Rates.Example, localhost",
      MCP_ORIGINS: "https://App.Example, http://localhost:5173",
      UPSTREAM_BASE: "http://127.0.0.1:9999/",
      NOW: "2026-04-13T16:30:00Z",
      INTRADAY_DAYS: "90",
      EXPORT_QUEUE: " 0 ",
      LIMIT_LEASES: "off",
      EXPORT_CACHE_MB: "10",
      LIVE_FEED: "massive",
      LIVE_FALLBACK: "oxr, OANDA,massive",
      LIVE_CURRENCIES: "eur,JPY, EUR",
      MASSIVE_API_KEY: "m",
      OXR_APP_ID: "o",
      TWELVEDATA_API_KEY: "t",
      TWELVEDATA_CREDITS_PER_DAY: "0",
      OANDA_TOKEN: "a",
      OANDA_ACCOUNT: "001-001-1-001",
      OANDA_PRACTICE: "yes",
      STREAM_SUBSCRIBERS: "7",
      STREAM_KEY_SHARE: "20",
      METRICS_PORT: "0",
      METRICS_HOST: "::1",
      WEBHOOK_OWN_ADDRESSES: "198.51.100.7, 2001:db8::7",
      ADMIN_PORT: "9470",
      ...{ BATCH_LIMIT: "5", EXPORT_CONCURRENCY: "3", LOG_LEVEL: "silent", SHUTDOWN_DELAY_SECONDS: "9" },
      ...{ LIVE_POLL_SECONDS: "5", LIVE_STALE_SECONDS: "90", LIVE_DELAY_MINUTES: "15" },
      ...{ STREAMS_PER_CALLER: "3", STREAMS_PER_NETWORK: "9", MASSIVE_REQUESTS_PER_MINUTE: "60" },
      ...{ OXR_REQUESTS_PER_MONTH: "100000", TWELVEDATA_CREDITS_PER_MINUTE: "55" },
      ...{ ANSWERS_PER_ADDRESS: "8", ANSWER_IDLE_SECONDS: "70", MEMORY_CACHE_MB: "50" },
    }),
  ).toMatchObject({
    allowedHosts: ["rates.example", "localhost"],
    mcpOrigins: ["https://app.example", "http://localhost:5173"],
    upstreamBase: "http://127.0.0.1:9999",
    startAt: Date.parse("2026-04-13T16:30:00Z"),
    ...{ intradayDays: 90, exportQueue: 0, exportCacheBytes: 10_000_000, memoryCacheBytes: 50_000_000 },
    ...{ batchLimit: 5, exportConcurrency: 3, logLevel: "silent", shutdownDelaySeconds: 9 },
    ...{ streamSubscribers: 7, answersPerAddress: 8, answerIdleSeconds: 70 },
    live: {
      feeds: ["massive", "oxr", "oanda"],
      currencies: ["EUR", "JPY"],
      ...{ pollSeconds: 5, staleSeconds: 90, delayMinutes: 15 },
      access: {
        massive: { apiKey: "m", requestsPerMinute: 60 },
        oxr: { appId: "o", requestsPerMonth: 100_000 },
        twelvedata: { apiKey: "t", creditsPerMinute: 55, creditsPerDay: null },
        oanda: { token: "a", accountId: "001-001-1-001", practice: true },
      },
    },
    streamBounds: { perCaller: 3, perNetwork: 9, keyless: 6 },
    metrics: { port: 0, host: "::1" },
    accounts: {
      ...{ replicas: 1, limitLeases: false },
      admin: { port: 9470, host: "127.0.0.1" },
      webhooks: { ownAddresses: ["198.51.100.7", "2001:db8::7"] },
    },
  });
});

test("a share of 0 reserves no stream for callers with a key", () => {
  expect(readConfig({ STREAM_KEY_SHARE: "0" }).streamBounds.keyless).toBeNull();
});

test("traces need an address alone; headers and attributes are read as OpenTelemetry has them", () => {
  const traces = (environment: Record<string, string>) =>
    readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318/", ...environment }).traces;
  expect(traces({})).toEqual({
    ...{ url: "http://127.0.0.1:4318/v1/traces", headers: {}, serviceName: "crossrate" },
    ...{ resourceAttributes: {}, sampler: "parentbased_always_on", ratio: 1 },
  });
  expect(
    traces({
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc, x-scope = a=b,",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test,host.name=one%2Ctwo",
      OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
      OTEL_TRACES_SAMPLER_ARG: "0.25",
    }),
  ).toMatchObject({
    headers: { authorization: "Bearer abc", "x-scope": "a=b" },
    resourceAttributes: { "deployment.environment.name": "test", "host.name": "one,two" },
    ...{ sampler: "parentbased_traceidratio", ratio: 0.25 },
  });
});

test.each([
  ["STRIPE_PRICES", "basic.monthly=price_1", "STRIPE_SECRET_KEY"],
  ["STRIPE_WEBHOOK_SECRETS", "whsec_1", "STRIPE_SECRET_KEY"],
  ["OIDC_CLIENT_ID", "crossrate", "OIDC_ISSUER"],
  ["OIDC_CLIENT_SECRET", "s3cret", "OIDC_ISSUER"],
  ["OIDC_AUDIENCE", "rates", "OIDC_ISSUER"],
  ["MAIL_FROM", "rates@example.org", "SMTP_URL"],
])("%s alone is refused, not ignored", (name, value, needed) => {
  const [fault, ...others] = faultsOf({ [name]: value });
  expect(others).toEqual([]);
  expect(fault).toStartWith(`${name}=`);
  expect(fault).toContain(`does nothing without ${needed}`);
});

test("no plan is sold without the secret of the events that say it was paid", () => {
  const prices = "basic_monthly=price_1,pro_monthly=price_2";
  expect(faultsOf({ STRIPE_SECRET_KEY: "sk_test_1", STRIPE_PRICES: prices })).toEqual([
    "STRIPE_WEBHOOK_SECRETS=: STRIPE_SECRET_KEY needs it",
  ]);
  const selling = { STRIPE_SECRET_KEY: "sk_test_1", STRIPE_WEBHOOK_SECRETS: "whsec_1" };
  expect(faultsOf({ ...selling, STRIPE_PRICES: prices })).toEqual([]);
  expect(faultsOf({ ...selling, STRIPE_PRICES: "gold_monthly=price_1" })[0]).toStartWith("STRIPE_PRICES=");
});

test("the environment overrides a command's defaults", () => {
  expect(readConfig({}, { DATA_DIR: "data/demo" }).dataDir).toBe("data/demo");
  expect(readConfig({ DATA_DIR: "mine" }, { DATA_DIR: "data/demo" }).dataDir).toBe("mine");
});

describe("a fault names the setting and what is needed", () => {
  test.each([
    ["PORT", "eighty"],
    ["PORT", "70000"],
    ["ACCESS", "closed"],
    ["OIDC_ALGORITHMS", "HS256"],
    ["OIDC_ALGORITHMS", "none"],
    ["OIDC_ALGORITHMS", "RS256,HS512"],
    ["ROLE", "worker"],
    ["LIVE_FEED", "bloomberg"],
    ["LIVE_FALLBACK", "reuters"],
    ["LIVE_CURRENCIES", "XXX"],
    ["LIVE_CURRENCIES", "USD"],
    ["LIVE_POLL_SECONDS", "0"],
    ["LIVE_STALE_SECONDS", "9"],
    ["LIVE_DELAY_MINUTES", "61"],
    ["OANDA_PRACTICE", "true"],
    ["STREAM_SUBSCRIBERS", "-1"],
    ["STREAM_KEY_SHARE", "101"],
    ["STREAMS_PER_NETWORK", "0"],
    ["METRICS_PORT", "metrics"],
    ["ALLOW_PRIVATE_WEBHOOKS", "true"],
    ["WEBHOOK_OWN_ADDRESSES", "198.51.100.0/24"],
    ["ADMIN_PORT", "70000"],
    ["ADMIN_HOST", "0.0.0.0"],
    ["ADMIN_HOST", "::"],
    ["ADMIN_HOST", "10.0.0.1"],
    ["ADMIN_HOST", "localhost"],
    ["ADMIN_HOST", "127.0.0.1.example.org"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "ftp://collector"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
    ["OTEL_TRACES_SAMPLER", "jaeger_remote"],
    ["OTEL_TRACES_SAMPLER_ARG", "1.5"],
    ["OTEL_TRACES_SAMPLER_ARG", "-0"],
    ["OTEL_RESOURCE_ATTRIBUTES", "a=%zz"],
    ["UPSTREAM_BASE", "ftp://x"],
    ["UPSTREAM_BASE", "nonsense"],
    ["UPSTREAM_BASE", "http://x?y=1"],
    ["MCP_ORIGINS", "https://a.example/x"],
    ["OFFICIAL_TABLES", "all,mex_fix"],
    ["NOW", "yesterday"],
    ["NOW", "2026-02-30T00:00:00Z"],
    ["NOW", "2026-04-13T16:30:00+25:00"],
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
  test("a feed without its key", () => {
    expect(faultsOf({ LIVE_FEED: "oanda", LIVE_FALLBACK: "oxr" })).toEqual([
      "OANDA_TOKEN=: the feed oanda needs it",
      "OANDA_ACCOUNT=: the feed oanda needs it",
      "OXR_APP_ID=: the feed oxr needs it",
    ]);
  });
  test("a replica that only answers has to get live quotes from somewhere", () => {
    expect(faultsOf({ ROLE: "api" })[0]).toStartWith("REDIS_URL=");
    expect(faultsOf({ ROLE: "api", LIVE_FEED: "off" })).toEqual([]);
  });
  test("an address of Redis that cannot be one says how it is written", () => {
    expect(faultsOf({ REDIS_URL: "redis+sentinel://:secret@a:26379,b:26379" })).toEqual([
      expect.stringMatching(/^REDIS_URL=…: .*redis\+sentinel:\/\/host1:26379,host2:26379\/master-name/),
    ]);
    const cluster = "rediss+cluster://:secret@a:6379,b:6379";
    expect(readConfig({ REDIS_URL: cluster }).redisUrl).toBe(cluster);
  });
  test("servers on one bucket without a secret for cursors would refuse each other's", () => {
    const apart = {
      REPLICAS: "2",
      LAKE_URL: "s3://rates",
      AWS_ACCESS_KEY_ID: "id",
      AWS_SECRET_ACCESS_KEY: "key",
    };
    expect(faultsOf(apart)).toEqual([expect.stringMatching(/^CURSOR_SECRET=: .* give all the same$/)]);
    for (const more of [{ CURSOR_SECRET: "x" }, { ROLE: "collector" }, { REPLICAS: "1" }])
      expect(faultsOf({ ...apart, ...more })).toEqual([]);
  });
  test.each(["s3://ab", "s3://my.bucket", "s3://rates/fx lake", "s3://rates/größe"])(
    "LAKE_URL=%s is refused with the characters that it may have",
    (LAKE_URL) => {
      expect(faultsOf({ LAKE_URL })[0]).toContain("3 to 63 of a-z, 0-9 and -, in the prefix letters without");
    },
  );
  test("a query of DATABASE_URL other than that of TLS is refused with what to write", () => {
    const address = "postgres://rates@db.example/rates";
    expect(faultsOf({ DATABASE_URL: `${address}?sslmode=verify-full` })).toEqual([]);
    expect(faultsOf({ DATABASE_URL: `${address}?ssl=true` })[0]).toMatch(/^DATABASE_URL=…: .*\?sslmode=/);
  });
  test("a secret is never repeated", () => {
    expect(faultsOf({ DATABASE_URL: "mysql://a:secret@localhost/rates" })[0]).toStartWith("DATABASE_URL=…:");
    expect(faultsOf({ STRIPE_SECRET_KEY: "secret" })[0]).toStartWith("STRIPE_SECRET_KEY=…:");
    expect(faultsOf({ REDIS_URL: "http://:secret@cache.example" }).join("")).not.toContain("secret");
    expect(faultsOf({ WEBHOOK_EGRESS_PROXY: "https://a:secret@proxy.example" })[0]).toStartWith(
      "WEBHOOK_EGRESS_PROXY=…: ",
    );
    for (const wrong of ["no value", "x=%0d%0ainjected: 1", "a%20b=1"])
      expect(faultsOf({ OTEL_EXPORTER_OTLP_HEADERS: wrong })[0]).toStartWith(
        "OTEL_EXPORTER_OTLP_HEADERS=…: ",
      );
  });
  test("NOW is refused in production", () => {
    expect(faultsOf({ NODE_ENV: "production", NOW: "2026-04-13T16:30:00Z" })[0]).toContain("refused");
  });
  test("ALLOW_PRIVATE_WEBHOOKS is refused in production", () => {
    expect(faultsOf({ NODE_ENV: "production", ALLOW_PRIVATE_WEBHOOKS: "yes" })[0]).toContain("refused");
    expect(faultsOf({ NODE_ENV: "production", ALLOW_PRIVATE_WEBHOOKS: "no" })).toEqual([]);
    expect(faultsOf({ NODE_ENV: "prod" })).toEqual([
      "NODE_ENV=prod: production, development or test is needed",
    ]);
  });
});

test("keys that sign the history are Ed25519 keys in PKCS #8; what is none is refused without its content", () => {
  const der = (type: "ed25519" | "x25519") =>
    (type === "ed25519" ? generateKeyPairSync("ed25519") : generateKeyPairSync("x25519")).privateKey
      .export({ format: "der", type: "pkcs8" })
      .toString("base64");
  expect(
    readConfig({ LAKE_SIGNING_KEY: `${der("ed25519")}, ${der("ed25519")}` }).lakeSigningKeys,
  ).toHaveLength(2);
  for (const wrong of ["nonsense", der("x25519"), `${der("ed25519")},nonsense`]) {
    const [fault, ...others] = faultsOf({ LAKE_SIGNING_KEY: wrong });
    expect(others).toEqual([]);
    expect(fault).toContain("Ed25519 keys in PKCS #8");
    expect(fault).not.toContain(wrong);
  }
});

describe("ALLOWED_HOSTS", () => {
  test("are names, whatever their case; an IPv6 address needs no brackets", () => {
    const { allowedHosts } = readConfig({
      ALLOWED_HOSTS: "FX, a.b, Rates.Example., ::1, [2001:DB8:0::7], 10.0.0.1",
    });
    expect(allowedHosts).toEqual(["fx", "a.b", "rates.example", "[::1]", "[2001:db8::7]", "10.0.0.1"]);
  });
  test.each(["http://a.example", "a.example:3000", "[::1]:3000", "a.example/x", "*", "*.example", ":::::"])(
    "%p would never match: it is refused, and the setting is named",
    (name) => {
      expect(faultsOf({ ALLOWED_HOSTS: `localhost,${name}` }).join()).toStartWith("ALLOWED_HOSTS=");
    },
  );
});

test.each([
  ["HOST", "::zz"],
  ["HOST", "http://127.0.0.1"],
  ["HOST", "127.0.0.1:3000"],
  ["HOST", "256.0.0.1"],
  ["METRICS_HOST", "::zz"],
])("%s=%s is refused with what to write, before anything is opened", (name, value) => {
  const faults = faultsOf({ [name]: value, METRICS_PORT: "0" });
  expect(faults).toHaveLength(1);
  expect(faults[0]).toStartWith(`${name}=${value}: write an address of this machine, such as 127.0.0.1`);
});

describe("PUBLIC_URL", () => {
  test.each([
    "https://a.example/x",
    "https://a.example/?",
    "https://u:p@a.example",
    "https://a.example#x",
    "zz",
  ])("%s is refused with or without accounts", (PUBLIC_URL) => {
    for (const ACCESS of ["open", "metered"])
      expect(faultsOf({ PUBLIC_URL, ACCESS }).join()).toMatch(
        /^PUBLIC_URL=.*such as https:\/\/rates\.example\.com/,
      );
  });
  test("is an origin, however it is written", () => {
    for (const PUBLIC_URL of ["https://a.example", "https://a.example/", "HTTPS://A.Example:443/"])
      expect(readConfig({ PUBLIC_URL }).accounts.publicUrl).toBe("https://a.example");
  });
});
