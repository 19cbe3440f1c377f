/** The recipes of docs/lake.md, put onto a demo of the test, and DuckDB as its command line would run them. */

import { readFileSync } from "node:fs";
import { withDuckDb } from "#test/support/duckdb.ts";
import { codeBlocks, ROOT, readDocument } from "./document.ts";
import type { LakeDemo } from "./lake-demo.ts";

/** The path, the address and the key that the recipes name; here they are replaced by those of a demo of the test. */
const DOCUMENTED_DIRECTORY = "data/live/lake";
const DOCUMENTED_URL = "http://localhost:3000";
const DOCUMENTED_KEY = "fxk_…";

export const VIEWS = readFileSync(`${ROOT}/docs/views.sql`, "utf8");
export const LAKE_PAGE = await readDocument("docs/lake.md");

export type Rows = readonly Record<string, unknown>[];

export interface Answer {
  readonly columns: readonly string[];
  readonly rows: Rows;
}

/** Runs statements in a DuckDB of their own, as its command line would; resolves with the answer to the last. */
export async function answerOf(sql: string): Promise<Answer> {
  const end = sql.trimEnd().replace(/;$/, "").lastIndexOf(";\n") + 1;
  return await withDuckDb(async (connection) => {
    await connection.run("SET TimeZone = 'UTC'");
    if (end > 0) await connection.run(sql.slice(0, end).replace(".read docs/views.sql", () => VIEWS));
    const last = sql.slice(end).replace(".read docs/views.sql", "");
    if (last !== sql.slice(end)) await connection.run(VIEWS);
    const reader = await connection.runAndReadAll(last);
    return { columns: reader.columnNames(), rows: reader.getRowObjectsJson() };
  });
}

export async function rowsOf(sql: string): Promise<Rows> {
  return (await answerOf(sql)).rows;
}

/** The answer to a statement on the views of a lake. */
export function viewed(lake: string, sql: string, views = VIEWS): Promise<Rows> {
  return rowsOf(`SET VARIABLE lake = '${lake}';\n${views}\n${sql}`);
}

/** Recipes of a language with the paragraph before each, as written. */
export function titled(language: string): readonly (readonly [title: string, recipe: string])[] {
  return codeBlocks(LAKE_PAGE)
    .filter((block) => block.language === language)
    .map(({ content }) => {
      const before = LAKE_PAGE.slice(0, LAKE_PAGE.indexOf(content))
        .trimEnd()
        .split("\n")
        .slice(0, -1)
        .join("\n");
      return [before.trimEnd().split("\n\n").at(-1)?.replaceAll("\n", " ") ?? "", content] as const;
    });
}

/** The recipe on a demo, with the names that the page gives its columns of CSV and members of NDJSON. */
export function on({ directory, url, key }: LakeDemo, recipe: string): string {
  const suffix = /format=(csv|ndjson)/.test(recipe) ? "_simulated" : "";
  return recipe
    .replaceAll(/"(rate|open|high|low|close)"/g, `"$1${suffix}"`)
    .replaceAll(DOCUMENTED_DIRECTORY, directory)
    .replaceAll(DOCUMENTED_URL, url)
    .replaceAll(DOCUMENTED_KEY, key);
}

/** What the page says of a recipe that shows nothing on a lake without a past. */
export function mayBeEmpty(title: string): boolean {
  return /\bEmpty (?:until|while)\b/.test(title);
}
