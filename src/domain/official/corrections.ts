/** What is not believed of a document that changes what is stored: too many changes at once, an old copy, rates of another day, another route. */

import { differencesOf } from "./differences.ts";
import type { OfficialReading, OfficialRow, PublicationVersion } from "./publication.ts";
import { canonicalRate, fingerprintOf, rowKey } from "./versions.ts";

/**
 * many_corrections: the collection changes more publications than any authority corrects at once. old_copy: it repeats what an
 * earlier version had. shifted: the rates are those of the publication before or after. contradicted: another route of
 * the authority states something else.
 */
export const CORRECTION_FAULTS = ["many_corrections", "old_copy", "shifted", "contradicted"] as const;
export type CorrectionFaultRule = (typeof CORRECTION_FAULTS)[number];

/** Why a document is not believed, with a sentence for the operator. */
export interface CorrectionFault {
  readonly rule: CorrectionFaultRule;
  readonly reason: string;
}

/** An authority corrects at most so many publications at once; more is a document that is wrong. */
export const MOST_CORRECTIONS = 3;

/** A reading that differs from the newest version of its publication. */
export interface Correction {
  readonly reading: OfficialReading;
  readonly newest: PublicationVersion;
  /** The versions before the newest. */
  readonly earlier: readonly PublicationVersion[];
  /** The publications before and after it, in their newest versions. */
  readonly neighbours: readonly PublicationVersion[];
  /** The same publication by another route; null where there is none, or it does not answer. */
  readonly elsewhere: { readonly route: string; readonly reading: OfficialReading } | null;
}

/** Null for a correction that is believed. */
export function faultOf(correction: Correction): CorrectionFault | null {
  const { reading, newest, earlier, neighbours, elsewhere } = correction;
  const { publication } = reading;
  const fingerprint = fingerprintOf(reading);
  const old = earlier.find((version) => version.fingerprint === fingerprint);
  if (old !== undefined && !isDatedLater(reading, newest)) {
    const reason = `${publication} is as version ${old.version} had it; version ${newest.version} corrected that`;
    return { rule: "old_copy", reason };
  }
  const rates = ratesOf(reading.rows);
  const twin =
    rates === ratesOf(newest.rows) ? undefined : neighbours.find(({ rows }) => ratesOf(rows) === rates);
  if (twin !== undefined) {
    return { rule: "shifted", reason: `${publication} has the rates of ${twin.publication}` };
  }
  return elsewhere === null ? null : contradictionOf(reading, elsewhere.reading, elsewhere.route);
}

/** A row of both that differs; a route may have fewer rows, or not know the last day of validity. Null where there is none. */
export function contradictionOf(
  reading: OfficialReading,
  other: OfficialReading,
  route: string,
): CorrectionFault | null {
  const [first] = differencesOf(other, reading).changed;
  if (first === undefined) return null;
  const { before, after } = first;
  const reason = `${reading.publication} has ${after.rate} for ${after.unit} ${rowKey(after)}, and ${route} states ${before.rate} for ${before.unit}`;
  return { rule: "contradicted", reason };
}

/** The authority's own date of a document decides, in the formats that have one. */
function isDatedLater(reading: OfficialReading, newest: PublicationVersion): boolean {
  return (
    reading.publishedAt !== null && newest.publishedAt !== null && reading.publishedAt > newest.publishedAt
  );
}

function ratesOf(rows: readonly OfficialRow[]): string {
  return rows.map((row) => `${rowKey(row)} ${row.unit} ${canonicalRate(row.rate)}`).join("\n");
}
