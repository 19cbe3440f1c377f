/** manifest.json: what the lake holds, file by file. Written last, replaced atomically, rebuilt from the files when lost. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Coverage } from "#domain/collection.ts";
import { CURRENCY_CODES } from "#domain/currency.ts";
import { formatDay, formatInstant, parseDay } from "#domain/day.ts";
import { DAILY_SOURCES, type DailySource } from "#domain/source.ts";
import { replaceText } from "./durable.ts";
import { MANIFEST_FILE } from "./layout.ts";

export const FORMAT = 1;
export type Mode = "real" | "simulated";
/** Tables with a manifest of their own: they change far more often, and must not move the version of this one. */
const OTHER_MANIFESTS = { intraday: "intraday/manifest.json" };

export interface ManifestFile {
  /** Relative to the lake's directory. */
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
  /** Null when the file has no rows. */
  readonly dates: { readonly first: string; readonly last: string } | null;
  readonly values: { readonly least: number; readonly greatest: number } | null;
}

export interface Manifest {
  readonly format: number;
  readonly mode: Mode;
  /** Grows with every commit that changes data. */
  readonly sequence: number;
  /** Dataset version: the sequence and a digest of the content. */
  readonly version: string;
  readonly coverage: readonly Coverage[];
  readonly files: readonly ManifestFile[];
}

/** A manifest over files that are in place; the version follows from sequence, files and catalog. */
export function manifestOf(
  mode: Mode,
  sequence: number,
  coverage: readonly Coverage[],
  files: readonly ManifestFile[],
): Manifest {
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const digest = createHash("sha256");
  digest.update(JSON.stringify([FORMAT, mode, CURRENCY_CODES, DAILY_SOURCES]));
  for (const { path, sha256 } of sorted) digest.update(`${path} ${sha256}\n`);
  const version = `${sequence}-${digest.digest("hex").slice(0, 16)}`;
  return { format: FORMAT, mode, sequence, version, coverage, files: sorted };
}

/** Null when there is none or when it cannot be understood: then the files speak. */
export function readManifest(directory: string): Manifest | null {
  let text: string;
  try {
    text = readFileSync(join(directory, MANIFEST_FILE), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  try {
    const read = JSON.parse(text) as Omit<Manifest, "coverage"> & { coverage: readonly StoredCoverage[] };
    if (!Number.isSafeInteger(read.sequence) || !Array.isArray(read.files)) return null;
    if (read.mode !== "real" && read.mode !== "simulated") return null;
    return { ...read, coverage: read.coverage.map(coverageOf) };
  } catch {
    return null;
  }
}

/** Durable when it resolves. */
export function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const coverage = manifest.coverage.map(
    (entry): StoredCoverage => ({
      source: entry.source,
      covered_through: formatDay(entry.coveredThrough),
      retrieved_at: formatInstant(entry.retrievedAt),
    }),
  );
  const text = `${JSON.stringify({ ...manifest, coverage, manifests: OTHER_MANIFESTS }, null, 1)}\n`;
  return replaceText(join(directory, MANIFEST_FILE), text);
}

interface StoredCoverage {
  readonly source: DailySource;
  readonly covered_through: string;
  readonly retrieved_at: string;
}

function coverageOf(stored: StoredCoverage): Coverage {
  const coveredThrough = parseDay(stored.covered_through);
  const retrievedAt = Date.parse(stored.retrieved_at);
  if (coveredThrough === null || Number.isNaN(retrievedAt)) throw new Error("not a coverage");
  return { source: stored.source, coveredThrough, retrievedAt };
}
