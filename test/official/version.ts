/** Versions of official publications as collecting stores them. */

import { fingerprintOf } from "#domain/official/doubts.ts";
import type { OfficialKind, OfficialRow, PublicationVersion } from "#domain/official/publication.ts";
import { formatDay } from "#domain/time/day.ts";

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
