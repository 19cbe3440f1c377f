/** The arrows of docs/architecture.md hold: Biome refuses every planted import, and what Biome cannot read is refused here. */

import { afterAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ARROW_RULES } from "#test/check-steps.ts";
import { ended } from "#test/clients/process.ts";
import { arrowTable, printedTable, ROOT } from "./arrow-table.ts";
import { FORBIDDEN } from "./planted.ts";

const scratch = await realpath(await mkdtemp(join(tmpdir(), "crossrate-arrows-")));
afterAll(() => rm(scratch, { recursive: true, force: true }));

const PLANTED = FORBIDDEN.flatMap(({ files }) => Object.entries(files));
/** A file for each row of the table, where nothing else is planted in its place. */
const OF_ROWS = (await arrowTable())
  .flatMap(({ ruled }) => ruled.map((glob) => glob.replace("**", "planted-row.ts")))
  .filter((path) => !PLANTED.some(([other]) => other === path));
const verdict = lint([...PLANTED, ...OF_ROWS.map((path) => [path, 'import "unheard-of";'] as const)]);

/** Lints the planted files under the product's own biome.json; resolves with the files that an arrow rule refused. */
async function lint(files: readonly (readonly [string, string])[]): Promise<ReadonlySet<string>> {
  await Bun.write(join(scratch, "biome.json"), Bun.file(`${ROOT}/biome.json`));
  await Bun.write(join(scratch, "package.json"), Bun.file(`${ROOT}/package.json`));
  for (const [path, content] of files) {
    await mkdir(dirname(join(scratch, path)), { recursive: true });
    await Bun.write(join(scratch, path), `${content}\n`);
  }
  const { code, out, err } = await ended(
    [
      process.execPath,
      `${ROOT}/node_modules/@biomejs/biome/bin/biome`,
      "lint",
      ...ARROW_RULES.map((rule) => `--only=${rule}`),
      "--vcs-enabled=false",
      "--max-diagnostics=none",
      "--reporter=github",
      ".",
    ],
    { cwd: scratch },
  );
  expect(code, err).toBe(1);
  return new Set(
    Array.from(out.matchAll(/file=([^,]+)/g), ([, path = ""]) => path.replace(`${scratch}/`, "")),
  );
}

test.each(FORBIDDEN.map(({ kind, files }) => [kind, Object.keys(files)[0] as string] as const))(
  "the check refuses %s",
  async (_, path) => {
    expect(await verdict).toContain(path);
  },
);

test("every row is in force: what none permits is refused in each", async () => {
  const refused = await verdict;
  expect(OF_ROWS.filter((path) => !refused.has(path))).toEqual([]);
});

test("every folder and file at the top of src has its own row", async () => {
  const rows = new Set((await arrowTable()).flatMap(({ ruled }) => ruled));
  const entries = await readdir(`${ROOT}/src`, { withFileTypes: true });
  const expected = entries.map((entry) =>
    entry.isDirectory() ? `src/${entry.name}/**` : `src/${entry.name}`,
  );
  expect(expected.filter((includes) => !rows.has(includes))).toEqual([]);
});

test("no import is written in a form that the rules cannot read", async () => {
  const offences: string[] = [];
  for await (const path of new Bun.Glob("src/**/*.ts").scan(ROOT)) {
    if (path.startsWith("src/web/docs/vendor/")) continue;
    const code = await Bun.file(`${ROOT}/${path}`).text();
    for (const [form] of code.matchAll(UNREADABLE)) offences.push(`${path}: ${form}`);
  }
  expect(offences).toEqual([]);
});

test.each([
  'import "./../api/app.ts"',
  'import "#domain/../api/app.ts"',
  "await import(`#api/server.ts`)",
  'await import("#api/" + name)',
  'type A = import("#api/server.ts").A',
])("an import that the rules cannot read is found: %s", (code) => {
  expect(code.match(UNREADABLE)).not.toBeNull();
});

// A path that climbs inside a specifier; an import() that is not an awaited plain string.
const UNREADABLE =
  /(?:from|import|import\()\s*"[^"\n]*\/\.\.\/[^"\n]*"|(?<!await )\bimport\(|\bimport\((?!"[^"\n]*"\))[^\n]{0,60}/g;

test("docs/architecture.md shows every row of the arrow table, in order", async () => {
  const text = await Bun.file(`${ROOT}/docs/architecture.md`).text();
  const lines = text.split("\n");
  const start = lines.indexOf("| from | may import | packages |") + 2;
  const end = lines.indexOf("", start);
  expect(lines.slice(start, end)).toEqual([...printedTable(await arrowTable())]);
});

test("a ready body passes at most seven files, which docs/architecture.md lists", async () => {
  const text = await Bun.file(`${ROOT}/docs/architecture.md`).text();
  const [, listed = ""] = /with a ready body passes seven files: ([^:]*?)\. Behind/s.exec(text) ?? [];
  const files = Array.from(listed.matchAll(/`(src\/[^`]+)`/g), ([, path = ""]) => path);
  expect(files.length).toBe(7);
  expect(new Set(files).size).toBe(files.length);
  // Beginning with the application, each file of the list is imported by one before it.
  const before: string[] = [];
  for (const path of files.slice(files.indexOf("src/api/server.ts"))) {
    const names = before.map((other) => Bun.file(`${ROOT}/${other}`).text());
    const known = (await Promise.all(names)).some((source) => source.includes(`/${path.split("/").at(-1)}"`));
    expect([path, known || before.length === 0]).toEqual([path, true]);
    before.push(path);
  }
});
