/** All settings. A test compares docs/configuration.md and .env.example with them. */

import type { Setting } from "./setting.ts";
import { ACCOUNT_SETTINGS } from "./table-accounts.ts";
import { LIVE_SETTINGS, OFFICIAL_SETTINGS } from "./table-live.ts";

/** In the order of docs/configuration.md. */
export const SETTINGS = [
  { name: "PORT", fallback: "3000", meaning: "TCP port to listen on" },
  { name: "HOST", fallback: "127.0.0.1", meaning: "address to listen on; 0.0.0.0 for every interface" },
  {
    name: "ALLOWED_HOSTS",
    fallback: null,
    meaning:
      "host names to answer for, comma-separated, without scheme and port; empty answers for any well-formed Host",
  },
  {
    name: "MCP_ORIGINS",
    fallback: null,
    meaning:
      "origins of web pages that may use /v1/mcp/ besides this server's own, comma-separated, such as https://app.example; `*` for any",
  },
  {
    name: "DATA_DIR",
    fallback: "data/live",
    meaning: "directory of the embedded stores (the demo uses data/demo)",
  },
  {
    name: "ACCESS",
    fallback: "metered",
    meaning:
      "`metered`: keys, plans and limits, also for callers without a key; `open`: none of them, for private installations",
  },
  ...ACCOUNT_SETTINGS,
  {
    name: "ROLE",
    fallback: "all",
    meaning:
      "`all` collects and answers; `api` only answers, from what another process on the same DATA_DIR or LAKE_URL collects; `collector` only collects and answers /health and /status. Of several collectors of one lake one collects, the others stand by",
  },
  {
    name: "SHUTDOWN_DELAY_SECONDS",
    fallback: "2",
    meaning:
      "after SIGTERM or SIGHUP the server answers on for so long, with 503 at /status, so that a balancer sends requests elsewhere; 0 to 15",
  },
  ...LIVE_SETTINGS,
  ...OFFICIAL_SETTINGS,
  {
    name: "REDIS_URL",
    fallback: null,
    secret: true,
    meaning:
      "Redis through which replicas share live quotes, limits and news of keys: redis://host:6379, redis+sentinel://host1:26379,host2:26379/master-name, or redis+cluster://host1:6379,host2:6379; rediss in place of redis is with TLS; empty keeps them in memory",
  },
  {
    name: "STREAM_SUBSCRIBERS",
    fallback: "2000",
    meaning: "streams of /v1/stream at once, 0 to 100000; more are refused with 503",
  },
  {
    name: "STREAM_KEY_SHARE",
    fallback: "50",
    meaning:
      "percent of these streams reserved for callers with a key, 0 to 100; nothing is reserved with ACCESS=open",
  },
  {
    name: "STREAMS_PER_CALLER",
    fallback: "20",
    meaning:
      "streams that one organization, or one address without a key (IPv6: one /64), may have open at once, 1 to 100000",
  },
  {
    name: "STREAMS_PER_NETWORK",
    fallback: "100",
    meaning: "the same for all addresses of one /24 (IPv6: one /56) together, 1 to 100000",
  },
  {
    name: "METRICS_PORT",
    fallback: null,
    meaning: "TCP port of GET /metrics (Prometheus); empty does not serve it",
  },
  {
    name: "METRICS_HOST",
    fallback: "127.0.0.1",
    meaning: "address that /metrics listens on; it names no secrets, yet is not for the public",
  },
  {
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    fallback: null,
    meaning:
      "address of an OpenTelemetry collector that takes OTLP over HTTP, such as http://127.0.0.1:4318; traces go to /v1/traces below it; empty makes none",
  },
  {
    name: "OTEL_EXPORTER_OTLP_HEADERS",
    fallback: null,
    secret: true,
    meaning: "headers for the collector, as name=value, comma-separated, values percent-encoded",
  },
  { name: "OTEL_SERVICE_NAME", fallback: "crossrate", meaning: "service.name of the traces" },
  {
    name: "OTEL_RESOURCE_ATTRIBUTES",
    fallback: null,
    meaning: "more about this process in its traces, as name=value, comma-separated, values percent-encoded",
  },
  {
    name: "OTEL_TRACES_SAMPLER",
    fallback: "parentbased_always_on",
    meaning:
      "which traces are sent: `always_on`, `always_off`, `traceidratio`, or one of them with `parentbased_` in front, which goes by the caller's word where there is one",
  },
  {
    name: "OTEL_TRACES_SAMPLER_ARG",
    fallback: "1",
    meaning: "share of the traces that a sampler with `traceidratio` sends, 0 to 1",
  },
  {
    name: "UPSTREAM_BASE",
    fallback: null,
    meaning: "remaps every upstream https://host/path to this address followed by /host/path",
  },
  {
    name: "FRED_API_KEY",
    fallback: null,
    secret: true,
    meaning: "FRED API key; without one the keyless CSV download is used",
  },
  {
    name: "NOW",
    fallback: null,
    meaning:
      "starts the clock at this UTC instant, e.g. 2026-04-13T16:30:00Z; it is then not compared with other clocks; refused in production",
  },
  {
    name: "CURSOR_SECRET",
    fallback: null,
    secret: true,
    meaning:
      "signs range cursors; give replicas the same one; by default made at random and stored in DATA_DIR",
  },
  { name: "BATCH_LIMIT", fallback: "100", meaning: "pairs that one batch conversion may hold, 1 to 1000" },
  {
    name: "LAKE_SIGNING_KEY",
    fallback: null,
    secret: true,
    meaning:
      "Ed25519 key that signs the history of the lake, PKCS #8 as base64; by default made at random and stored in DATA_DIR. The same on all machines that collect into one LAKE_URL. A new key, a comma, and the one before, which signs the change",
  },
  {
    name: "LAKE_URL",
    fallback: null,
    meaning:
      "bucket of the lake on S3-compatible storage, as s3://bucket/prefix; DATA_DIR then has a copy of it. By default the lake is in DATA_DIR",
  },
  {
    name: "LAKE_CACHE_MB",
    fallback: "2048",
    meaning: "disk under DATA_DIR for data files of a lake in a bucket, 16 to 10000000",
  },
  {
    name: "AWS_ENDPOINT_URL_S3",
    fallback: null,
    meaning: "address of the storage, such as https://minio.example:9000; by default Amazon's in AWS_REGION",
  },
  {
    name: "AWS_ENDPOINT_URL",
    fallback: null,
    meaning: "the same, for where AWS_ENDPOINT_URL_S3 is not set",
  },
  {
    name: "AWS_REGION",
    fallback: null,
    meaning: "region of the bucket; by default us-east-1",
  },
  {
    name: "AWS_ACCESS_KEY_ID",
    fallback: null,
    meaning: "access key for the bucket; needed with LAKE_URL",
  },
  {
    name: "AWS_SECRET_ACCESS_KEY",
    fallback: null,
    secret: true,
    meaning: "its secret; needed with LAKE_URL",
  },
  {
    name: "AWS_SESSION_TOKEN",
    fallback: null,
    secret: true,
    meaning: "token of temporary credentials for the bucket",
  },
  {
    name: "LAKE_RETENTION_DAYS",
    fallback: "7",
    meaning: "days for which older versions of the daily tables stay readable, 1 to 365",
  },
  {
    name: "INTRADAY_DAYS",
    fallback: "0",
    meaning: "days of intraday quotes to store, today included; 0 stores all of them",
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
    name: "MEMORY_CACHE_MB",
    fallback: "48",
    meaning: "memory for all caches (bodies, series, quotes that were read), 8 to 100000",
  },
  {
    name: "ANSWERS_PER_ADDRESS",
    fallback: "64",
    meaning:
      "answers of more than 64 KB that one address (IPv6: /64) may have under way, 1 to 100000; its /24 or /56 may have four times as many",
  },
  {
    name: "ANSWER_IDLE_SECONDS",
    fallback: "60",
    meaning: "a connection on which nothing moves for so long is closed, 20 to 255",
  },
  {
    name: "LOG_LEVEL",
    fallback: "info",
    meaning:
      "`info`, `warn`, `error` or `silent`: the lowest level that is logged; log lines are JSON on standard error",
  },
  { name: "NODE_ENV", fallback: null, meaning: "`production` refuses settings that only tests need" },
] as const satisfies readonly Setting[];

export type SettingName = (typeof SETTINGS)[number]["name"];
