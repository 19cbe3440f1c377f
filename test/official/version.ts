/** Versions of official publications as collecting stores them. */

import { fingerprintOf } from "#domain/official/doubts.ts";
import type { OfficialKind, OfficialRow, PublicationVersion } from "#domain/official/publication.ts";
import { formatDay, type Instant } from "#domain/time/day.ts";
import { NOTHING_NOTED, writeNote } from "#ingest/official/notes.ts";
import type { Ledger } from "#ports/ledger.ts";

/** So many units of `base` are worth `rate` of `quote`. */
export function rowOf(
  base: string,
  quote: string,
  rate: string,
  unit = 1,
  kind: OfficialKind = "mid",
): OfficialRow {
  return { base, quote, rate, unit, kind };
}

/** The first one, named after its day and retrieved at noon UTC of it, unless given; its fingerprint is that of its content. */
export function versionOf(
  given: Pick<PublicationVersion, "table" | "validFrom" | "rows"> & Partial<PublicationVersion>,
): PublicationVersion {
  const { validFrom, validTo = null, rows } = given;
  return {
    publication: formatDay(validFrom),
    version: 1,
    publishedAt: null,
    retrievedAt: validFrom * 86_400_000 + 43_200_000,
    sourceUrl: "https://authority.example/table",
    documentSha256: "ab".repeat(32),
    fingerprint: fingerprintOf({ validFrom, validTo, rows }),
    ...given,
    validTo,
  };
}

/** Notes that a first reading of the table is complete: until then its newest publication is unknown. */
export async function noteWhole(ledger: Pick<Ledger, "installation">, table: string, at: Instant) {
  await writeNote({ notes: ledger.installation }, table, { ...NOTHING_NOTED, lastSuccessAt: at });
}
