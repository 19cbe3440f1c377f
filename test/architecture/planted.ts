/** Imports that the arrow rules must refuse, one a kind of rule: what each row permits is in docs/architecture.md. */

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
  one("the command line importing a room", "src/main.ts", 'import "#api/server.ts";'),
  one("a file at the top entering a folder by ./", "src/compose.ts", 'import "./domain/day.ts";'),
  one("a relative import upwards", "src/store/lake/planted-up.ts", 'import "../other.ts";'),
  one("a relative import upwards in a test", "test/rates/planted-up.ts", 'import "../other.ts";'),
  one("an absolute import", "src/store/planted-absolute.ts", 'import "/srv/other.ts";'),
  one("elysia outside mcp", "src/rates/planted-elysia.ts", 'import "elysia";'),
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
