/** Reads Excel workbooks with openpyxl: a reader that shares nothing with the writer. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runQuietly } from "#test/clients/process.ts";
import { optionalPython } from "./require-tool.ts";

export const workbookPython = optionalPython(["openpyxl"], "workbooks read by openpyxl");

export type ReadCell =
  | string
  | boolean
  | null
  | { readonly day: string }
  | { readonly instant: string }
  | { readonly number: string };

export interface ReadWorkbook {
  readonly [sheet: string]: readonly (readonly ReadCell[])[];
}

export async function readWorkbook(bytes: Uint8Array): Promise<ReadWorkbook> {
  const directory = mkdtempSync(join(tmpdir(), "crossrate-workbook-"));
  try {
    const path = join(directory, "read.xlsx");
    await Bun.write(path, bytes);
    const script = join(import.meta.dir, "workbook.py");
    return JSON.parse(await runQuietly([workbookPython as string, script, path]))[0];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** A printed cell as the workbook must have it: dates and numbers as such, digits without zeros at the end. */
export function expectedCell(text: string): ReadCell {
  if (text === "") return null;
  if (text === "true" || text === "false") return text === "true";
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return { day: text };
  if (/^\d{4}-\d{2}-\d{2}T/.test(text)) return { instant: new Date(text).toISOString() };
  if (/^-?\d+(\.\d+)?$/.test(text)) return { number: pythonDigits(Number(text)) };
  return text;
}

/** As Python prints a double: an exponent of two digits, and none of its zeros. */
function pythonDigits(value: number): string {
  return String(value).replace(/e([-+])(\d)$/, "e$10$2");
}
