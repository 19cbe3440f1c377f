/** A new version of a Parquet file that a reader of the version before can go on reading: the old rows keep their place in the bytes. */

import { readFileSync, statSync, writeFileSync } from "node:fs";
import { type Field, type List, readStruct, type Struct, type Value, writeStruct } from "./thrift.ts";

const MAGIC = 4;
const TAIL = 8;

/** Where in a file the data of its row groups lie. */
export interface Extent {
  readonly start: number;
  readonly end: number;
}

/**
 * Readers open a file by its name more than once: DuckDB for its footer and again for its rows, others for every range.
 * A rename in between would pair the old footer with new bytes. So the new file, complete in `target`, is laid out
 * again: the bytes that the footer of `old` points at stay where they were, and the new rows go before them where they
 * fit, else behind. To Parquet that is a gap that no footer mentions. A reader who is two versions behind is not helped:
 * so this resolves only when the old version has stood for a moment, far longer than a reader takes between its opens.
 */
export async function graft(old: string, target: string): Promise<void> {
  const before = readFileSync(old);
  const kept = extentOf(before);
  const added = readFileSync(target);
  const { body, footer } = partsOf(added);
  const fits = MAGIC + body.length <= kept.start;
  const start = fits ? MAGIC : kept.end;
  const end = Math.max(start + body.length, kept.end);
  const moved = writeStruct(shifted(readStruct(footer), BigInt(start - MAGIC)));
  const file = Buffer.alloc(end + moved.length + TAIL);
  file.write("PAR1", 0);
  file.set(before.subarray(kept.start, kept.end), kept.start);
  file.set(body, start);
  finish(file, end, moved);
  writeFileSync(target, file);
  await standing(old);
}

const STANDING_MILLISECONDS = 250;

/** Waits until a file has been what it is for long enough; two changes of a date are usually a minute apart. */
async function standing(path: string): Promise<void> {
  const age = Date.now() - statSync(path).ctimeMs;
  if (age < STANDING_MILLISECONDS)
    await Bun.sleep(Math.min(STANDING_MILLISECONDS, STANDING_MILLISECONDS - age));
}

/** Bytes of a file that its footer does not point at: what it keeps for readers of the version before. */
export function deadBytes(path: string): number {
  const file = readFileSync(path);
  const { start, end } = extentOf(file);
  return footerStart(file) - MAGIC - (end - start);
}

/** Whether `trim` can help: the rows begin where those of a file do, and a graft need not move them there first. */
export function canTrim(path: string): boolean {
  return extentOf(readFileSync(path)).start === MAGIC;
}

/** Copies a file that `canTrim` without what lies behind its rows, which stay in place; waits as `graft` does. */
export async function trim(old: string, target: string): Promise<void> {
  const file = readFileSync(old);
  const { end } = extentOf(file);
  const footer = file.subarray(footerStart(file), file.length - TAIL);
  const trimmed = Buffer.alloc(end + footer.length + TAIL);
  trimmed.set(file.subarray(0, end));
  finish(trimmed, end, footer);
  writeFileSync(target, trimmed);
  await standing(old);
}

function finish(file: Buffer, at: number, footer: Uint8Array): void {
  file.set(footer, at);
  file.writeUInt32LE(footer.length, at + footer.length);
  file.write("PAR1", at + footer.length + 4);
}

function footerStart(file: Buffer): number {
  const length = file.length < MAGIC + TAIL ? -1 : file.readUInt32LE(file.length - TAIL);
  const start = file.length - TAIL - length;
  if (length < 0 || start < MAGIC || file.toString("latin1", file.length - 4) !== "PAR1")
    throw new Error("a file of the archive is not a Parquet file");
  return start;
}

function partsOf(file: Buffer): { readonly body: Buffer; readonly footer: Buffer } {
  const start = footerStart(file);
  return { body: file.subarray(MAGIC, start), footer: file.subarray(start, file.length - TAIL) };
}

/** From the first byte to after the last one that the footer points at; an empty file has nothing at all. */
function extentOf(file: Buffer): Extent {
  let [start, end] = [Number.POSITIVE_INFINITY, MAGIC];
  const include = (offset: Value | undefined, length: Value | undefined) => {
    if (typeof offset !== "bigint" || offset === 0n) return;
    start = Math.min(start, Number(offset));
    end = Math.max(end, Number(offset) + Number(length ?? 0));
  };
  for (const chunk of chunksOf(readStruct(partsOf(file).footer))) {
    include(fieldOf(chunk, 4), fieldOf(chunk, 5));
    include(fieldOf(chunk, 6), fieldOf(chunk, 7));
    const column = fieldOf(chunk, 3) as Struct;
    // The pages of a chunk follow each other, the dictionary first where there is one.
    const pages = [fieldOf(column, 9), fieldOf(column, 11)].map(Number).filter((offset) => offset > 0);
    include(BigInt(Math.min(...pages)), fieldOf(column, 7));
    include(fieldOf(column, 14), fieldOf(column, 15));
  }
  return start > end ? { start: MAGIC, end: MAGIC } : { start, end };
}

/** Field numbers of parquet.thrift: FileMetaData 4 row groups; RowGroup 1 columns, 5 offset; ColumnChunk 2 and 3 … */
function chunksOf(footer: Struct): readonly Struct[] {
  const groups = (fieldOf(footer, 4) as List | undefined)?.items ?? [];
  return groups.flatMap((group) => (fieldOf(group as Struct, 1) as List).items as readonly Struct[]);
}

/** The footer with every place in the file moved on; a place of 0 stands for none. */
function shifted(footer: Struct, by: bigint): Struct {
  const move = (of: Struct, ids: readonly number[]) => {
    for (const field of of.fields) {
      if (ids.includes(field.id) && typeof field.value === "bigint" && field.value > 0n) field.value += by;
    }
  };
  for (const group of (fieldOf(footer, 4) as List | undefined)?.items ?? []) move(group as Struct, [5]);
  for (const chunk of chunksOf(footer)) {
    move(chunk, [2, 4, 6]);
    move(fieldOf(chunk, 3) as Struct, [9, 10, 11, 14]);
  }
  return footer;
}

function fieldOf({ fields }: Struct, id: number): Value | undefined {
  return fields.find((field: Field) => field.id === id)?.value;
}
