/** The identity of publications: the name, the order of rows, when content is a new version, and what a correction changed. */

import { createHash } from "node:crypto";
import { BrokenDocument } from "#domain/faults/upstream.ts";
import { formatShortest, parseDecimal } from "#domain/number/decimal.ts";
import { formatDay } from "#domain/time/day.ts";
import type { OfficialReading, OfficialRow, PublicationVersion } from "./publication.ts";

/** Raised when the canonical text changes, so that fingerprints of two forms are never compared. */
const FORM = 1;

/** What of a reading makes a version: nothing else of it does. */
type Content = Pick<OfficialReading, "rows" | "validFrom" | "validTo">;

/**
 * Lower-case hex SHA-256 over rows and validity, 64 digits. White space, the order of rows and zeros at the end of a
 * rate do not change it, and neither does the instant of publication: none of these is a correction.
 */
export function fingerprintOf({ rows, validFrom, validTo }: Content): string {
  const lines = orderedRows(rows).map((row) => `${rowKey(row)} ${row.unit} ${canonicalRate(row.rate)}`);
  const validity = `${formatDay(validFrom)} ${validTo === null ? "-" : formatDay(validTo)}`;
  return createHash("sha256")
    .update([`${FORM}`, validity, ...lines].join("\n"))
    .digest("hex");
}

/**
 * The number of the version that a reading is, given the newest known one of the same publication: 1 for the first, one
 * more for other content, null when nothing has changed. A return to earlier content is a new version too.
 */
export function nextVersion(
  known: Pick<PublicationVersion, "version" | "fingerprint"> | null,
  reading: Content,
): number | null {
  if (known === null) return 1;
  return known.fingerprint === fingerprintOf(reading) ? null : known.version + 1;
}

/**
 * The rows by base, quote and kind. The same row twice with an equal rate is one row, as first printed; with different
 * rates or units it throws BrokenDocument, because one of them is wrong and it is not known which. So does no row at all.
 */
export function orderedRows(rows: readonly OfficialRow[]): readonly OfficialRow[] {
  if (rows.length === 0) throw new BrokenDocument("a publication without rates");
  const byKey = new Map<string, OfficialRow>();
  for (const row of rows) {
    const key = rowKey(row);
    const known = byKey.get(key);
    if (known === undefined) {
      byKey.set(key, row);
    } else if (known.unit !== row.unit || canonicalRate(known.rate) !== canonicalRate(row.rate)) {
      throw new BrokenDocument(
        `${key} is there twice, as ${known.rate} for ${known.unit} and as ${row.rate} for ${row.unit}`,
      );
    }
  }
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** What a row is a rate of: the same in every publication of a table. */
export function rowKey({ base, quote, kind }: OfficialRow): string {
  return `${base} ${quote} ${kind}`;
}

/** Digits without zeros that change nothing: "04.10" → "4.1". Throws BrokenDocument when they are no number. */
export function canonicalRate(rate: string): string {
  const value = parseDecimal(rate);
  if (value === null) throw new BrokenDocument(`not a rate: ${JSON.stringify(rate.slice(0, 40))}`);
  return formatShortest(value.units, value.scale);
}

const LONGEST = 64;
/** Begins with a letter or digit, so that it is never "." or "..", which mean something else in a URL. */
const FIT = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
/** The address `…/publications/latest` is taken. */
const RESERVED = "latest";

/**
 * An authority's own name with its slashes as hyphens: `041/A/NBP/2026` → `041-A-NBP-2026`. Letters, digits, `.`, `_`
 * and `-` only, at most 64 characters. Throws BrokenDocument on any other name: what cannot be part of an address
 * unchanged must not be bent until it does, or two names would become one.
 */
export function publicationId(text: string): string {
  const id = text.replaceAll("/", "-");
  if (id.length <= LONGEST && FIT.test(id) && id !== RESERVED) return id;
  throw new BrokenDocument(`not a name for a publication: ${JSON.stringify(text.slice(0, 80))}`);
}

export interface Differences {
  readonly added: readonly OfficialRow[];
  readonly removed: readonly OfficialRow[];
  /** Another rate or unit, in the order of the later version. */
  readonly changed: readonly { readonly before: OfficialRow; readonly after: OfficialRow }[];
  /** The validity before; null where it is the same. */
  readonly validityBefore: Pick<Content, "validFrom" | "validTo"> | null;
}

/** Zeros at the end of a rate are no difference. */
export function differencesOf(before: Content, after: Content): Differences {
  const old = new Map(before.rows.map((row) => [rowKey(row), row]));
  const kept = new Set(after.rows.map(rowKey));
  const { validFrom, validTo } = before;
  return {
    added: after.rows.filter((row) => !old.has(rowKey(row))),
    removed: before.rows.filter((row) => !kept.has(rowKey(row))),
    changed: after.rows.flatMap((row) => {
      const earlier = old.get(rowKey(row));
      return earlier === undefined || isSame(earlier, row) ? [] : [{ before: earlier, after: row }];
    }),
    validityBefore:
      validFrom === after.validFrom && validTo === after.validTo ? null : { validFrom, validTo },
  };
}

function isSame(a: OfficialRow, b: OfficialRow): boolean {
  return a.unit === b.unit && canonicalRate(a.rate) === canonicalRate(b.rate);
}
