/** Imports that the arrow rules must refuse, one per kind of rule, and their permitted neighbours. */

export interface Planted {
  readonly kind: string;
  readonly files: Readonly<Record<string, string>>;
}

const one = (kind: string, path: string, content: string): Planted => ({ kind, files: { [path]: content } });

export const FORBIDDEN: readonly Planted[] = [
  one("the core reaching outwards", "src/domain/planted-out.ts", 'import "#store/lake.ts";'),
  one(
    "a type-only import",
    "src/domain/planted-type.ts",
    'import type { Clock } from "#ports.ts";\nexport type A = Clock;',
  ),
  one(
    "an inline type import",
    "src/domain/planted-inline.ts",
    'import { type Clock } from "#ports.ts";\nexport type A = Clock;',
  ),
  one("a re-export", "src/rates/planted-reexport.ts", 'export { compact } from "#ingest/compact.ts";'),
  one(
    "a type re-export",
    "src/rates/planted-reexport-type.ts",
    'export type { Compact } from "#ingest/compact.ts";',
  ),
  one(
    "a dynamic import",
    "src/rates/planted-dynamic.ts",
    'export const late = async () => await import("#api/server.ts");',
  ),
  one("one use case importing another family", "src/ingest/planted-sibling.ts", 'import "#rates/latest.ts";'),
  one("a use case importing an adapter", "src/ingest/planted-adapter.ts", 'import "#sources/ecb/ecb.ts";'),
  one(
    "a source importing another room of adapters",
    "src/sources/planted-store.ts",
    'import "#store/lake.ts";',
  ),
  one("transport importing the composition root", "src/api/planted-compose.ts", 'import "#compose.ts";'),
  one("transport importing an adapter", "src/api/deep/planted-store.ts", 'import "#store/lake.ts";'),
  one("a job importing a use case of requests", "src/jobs/planted-rates.ts", 'import "#rates/latest.ts";'),
  one("the simulator importing an adapter", "src/demo/planted-source.ts", 'import "#sources/ecb/ecb.ts";'),
  one("telemetry importing the configuration", "src/telemetry.ts", 'import "#config.ts";'),
  one("the command line importing a room", "src/main.ts", 'import "#api/server.ts";'),
  one("a file at the top entering a folder by ./", "src/compose.ts", 'import "./domain/day.ts";'),
  one("a relative import upwards", "src/store/lake/planted-up.ts", 'import "../other.ts";'),
  one("a relative import upwards in a test", "test/rates/planted-up.ts", 'import "../other.ts";'),
  one("an absolute import", "src/store/planted-absolute.ts", 'import "/srv/other.ts";'),
  one("elysia outside mcp", "src/rates/planted-elysia.ts", 'import "elysia";'),
  one("croner outside jobs", "src/ingest/planted-croner.ts", 'import "croner";'),
  one("duckdb outside store", "src/rates/planted-duckdb.ts", 'import "@duckdb/node-api";'),
  one("ioredis outside store", "src/api/planted-ioredis.ts", 'import "ioredis";'),
  one("prom-client outside metrics", "src/api/planted-prometheus.ts", 'import "prom-client";'),
  one("metrics importing a use case", "src/metrics/planted-rates.ts", 'import "#rates/latest.ts";'),
  one("stripe outside gateways", "src/accounts/planted-stripe.ts", 'import "stripe";'),
  one("sqlite outside store", "src/accounts/planted-sqlite.ts", 'import "bun:sqlite";'),
  one("files from the core", "src/domain/planted-fs.ts", 'import "node:fs/promises";'),
  one("require", "src/store/planted-require.ts", 'export const late = require("elysia");'),
  one("a folder without a row", "src/newcomer/planted-folder.ts", 'import "#domain/time/day.ts";'),
  {
    kind: "a cycle",
    files: {
      "src/domain/planted-cycle-a.ts": 'import { b } from "./planted-cycle-b.ts";\nexport const a = b;',
      "src/domain/planted-cycle-b.ts": 'import { a } from "#domain/planted-cycle-a.ts";\nexport const b = a;',
    },
  },
  {
    kind: "a cycle of types",
    files: {
      "src/domain/planted-types-a.ts": 'import type { B } from "./planted-types-b.ts";\nexport type A = B;',
      "src/domain/planted-types-b.ts": 'import type { A } from "./planted-types-a.ts";\nexport type B = A;',
    },
  },
];

export const PERMITTED: readonly Planted[] = [
  one(
    "the core importing itself",
    "src/domain/fine.ts",
    'import "./day.ts";\nimport "#domain/currency/currency.ts";\nimport "node:crypto";',
  ),
  one(
    "the ports importing the core's types",
    "src/ports.ts",
    'import type { Day } from "#domain/time/day.ts";\nexport type A = Day;',
  ),
  one(
    "an adapter importing its ports and packages",
    "src/store/lake/fine.ts",
    'import "#ports.ts";\nimport "#store/other.ts";\nimport "@duckdb/node-api";\nimport "node:fs/promises";\nimport sql from "./sql/x.sql" with { type: "text" };\nexport const text = sql;',
  ),
  one(
    "a use case importing the ports",
    "src/rates/fine.ts",
    'import "#ports.ts";\nimport "#domain/time/day.ts";\nimport "./query.ts";',
  ),
  one(
    "transport importing a use case",
    "src/api/fine.ts",
    'import "@sinclair/typebox";\nimport "#rates/latest.ts";\nexport const late = async () => await import("#ports.ts");',
  ),
  one("jobs importing croner", "src/jobs/fine.ts", 'import "croner";\nimport "#ingest/collect.ts";'),
  one("a test importing the product", "test/rates/fine.ts", 'import "#rates/latest.ts";\nimport "bun:test";'),
];
