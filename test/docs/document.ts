/** Reading the product's own Markdown: tables, code blocks, and what the text cites. */

import { resolve } from "node:path";

export const ROOT = resolve(import.meta.dir, "..", "..");

export async function readDocument(path: string): Promise<string> {
  return await Bun.file(`${ROOT}/${path}`).text();
}

/** README.md, CHANGELOG.md and every page of docs/. */
export async function documentPaths(): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const pattern of ["*.md", "docs/**/*.md", "data/*.md", "bench/*.md"]) {
    for await (const path of new Bun.Glob(pattern).scan(ROOT)) paths.push(path);
  }
  return paths.sort();
}

/** Cells of the table whose header starts with `firstHeader`, one array a row; backticks around a whole cell are dropped. */
export function tableAfter(text: string, firstHeader: string): readonly (readonly string[])[] {
  const lines = text.split("\n");
  const header = lines.findIndex((line) => line.startsWith(`| ${firstHeader} |`));
  if (header < 0) throw new Error(`no table starts with the column "${firstHeader}"`);
  const rows: string[][] = [];
  for (const line of lines.slice(header + 2)) {
    if (!line.startsWith("|")) break;
    const cells = line.slice(1, line.lastIndexOf("|")).split(" | ");
    rows.push(cells.map((cell) => cell.trim().replace(/^`([^`]*)`$/, "$1")));
  }
  return rows;
}

export interface CodeBlock {
  readonly language: string;
  readonly content: string;
}

export function codeBlocks(text: string): readonly CodeBlock[] {
  return Array.from(text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm), ([, language = "", content = ""]) => ({
    language,
    content,
  }));
}

export function prose(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, "").replace(/^ {4}.*$/gm, "");
}
