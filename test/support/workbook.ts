/** Reads Excel workbooks with openpyxl: a reader that shares nothing with the writer. */

import { join } from "node:path";
import { startAnswering } from "./answering.ts";
import { atEnd, onceInFile } from "./at-end.ts";
import { optionalPython } from "./require-tool.ts";
import { temporaryDirectory } from "./temporary.ts";

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

/** One Python for all workbooks of a file of tests. */
const reader = onceInFile(() => {
  const started = startAnswering([workbookPython as string, join(import.meta.dir, "workbook.py")]);
  atEnd(started.end);
  return started;
});

export async function readWorkbook(bytes: Uint8Array): Promise<ReadWorkbook> {
  const path = join(temporaryDirectory(), "read.xlsx");
  await Bun.write(path, bytes);
  return JSON.parse(await reader().ask(path));
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
