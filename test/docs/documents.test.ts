import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { SETTINGS } from "#config.ts";
import { documentPaths, prose, ROOT, readDocument } from "./document.ts";

const paths = await documentPaths();
const packageJson = await Bun.file(`${ROOT}/package.json`).json();

/** Constants of the code that documents for developers may cite in capitals, too. */
const constants = new Set<string>();
for await (const path of new Bun.Glob("src/**/*.ts").scan(ROOT)) {
  for (const [, name = ""] of (await readDocument(path)).matchAll(/\bconst ([A-Z][A-Z0-9_]+)\b/g))
    constants.add(name);
}

/** Directories that exist only once the product has run. */
const MADE_AT_RUN_TIME = /^(data\/(live|demo)|bench\/results\.md|node_modules)/;
const CITED_PATH = /(?:^|[\s(`"'[])((?:\.ci|src|test|docs|data|bench)\/[\w./-]*\w)/g;
const LINK = /\]\((?!https?:|#|mailto:)([^)#\s]+)/g;
/** Names in capitals that denote a setting when written with an underscore or a value. */
const CITED_SETTING = /`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=[^`]*)?`|`([A-Z]{2,})=[^`]*`/g;
/** Of other programs, not settings of the product. */
const FOREIGN = new Set([
  ...["UV_THREADPOOL_SIZE", "NODE_EXTRA_CA_CERTS", "CROSSRATE_PYTHON", "CI", "NO_COLOR"],
  ...["PGSSLMODE", "SQLITE_IOERR", "HTTPS_PROXY", "NO_PROXY", "NODE_TLS_REJECT_UNAUTHORIZED"],
]);
/** Of the commands that ask a server: docs/cli.md has their table. */
const OF_THE_COMMAND_LINE = new Set(["CROSSRATE_URL", "CROSSRATE_API_KEY", "CROSSRATE_WEBHOOK_SECRET"]);

test("there are documents to check", () => {
  expect(paths).toContain("README.md");
  expect(paths).toContain("docs/architecture.md");
});

test.each([...paths])("every path that %s cites exists", async (path) => {
  const cited = Array.from((await readDocument(path)).matchAll(CITED_PATH), ([, name = ""]) => name);
  const missing = cited.filter((name) => !MADE_AT_RUN_TIME.test(name) && !existsSync(`${ROOT}/${name}`));
  expect([...new Set(missing)]).toEqual([]);
});

test.each([...paths])("every link of %s leads somewhere", async (path) => {
  const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/") + 1) : "";
  const targets = Array.from((await readDocument(path)).matchAll(LINK), ([, target = ""]) => target);
  expect(targets.filter((target) => !existsSync(`${ROOT}/${folder}${target}`))).toEqual([]);
});

test.each([...paths])("every setting that %s cites exists", async (path) => {
  const known = new Set<string>(Object.keys(SETTINGS.properties));
  const cited = Array.from(
    (await readDocument(path)).matchAll(CITED_SETTING),
    ([, a, b]) => (a ?? b) as string,
  );
  const unknown = cited.filter(
    (name) => !known.has(name) && !FOREIGN.has(name) && !OF_THE_COMMAND_LINE.has(name),
  );
  expect(unknown.filter((name) => !constants.has(name))).toEqual([]);
});

test.each([...paths])("every command that %s shows exists", async (path) => {
  const text = await readDocument(path);
  const cited = Array.from(text.matchAll(/\bbun(?:@[\d.]+)? run ([a-z]+)/g), ([, name = ""]) => name);
  expect(cited.filter((name) => packageJson.scripts[name] === undefined)).toEqual([]);
});

test.each([...paths])("%s is about the product alone", async (path) => {
  expect(prose(await readDocument(path))).not.toMatch(/\/work\/|\.\.\/shared|\/tmp\/|\bTODO\b/);
});

test("README.md is a first page, and docs/README.md lists every page of docs", async () => {
  const readme = await readDocument("README.md");
  expect(readme.trimEnd().split("\n").length).toBeLessThanOrEqual(150);
  expect(readme.match(/\]\(/g)?.length).toBeLessThanOrEqual(15);
  const list = await readDocument("docs/README.md");
  for await (const page of new Bun.Glob("*.md").scan(`${ROOT}/docs`))
    if (page !== "README.md") expect(list).toContain(`](${page})`);
  const index = await readDocument("docs/decisions/README.md");
  for await (const page of new Bun.Glob("[0-9]*.md").scan(`${ROOT}/docs/decisions`))
    expect(index).toContain(`](${page})`);
});
