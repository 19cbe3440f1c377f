/** When a publication has a new version: its content has changed, not merely the paper it stands on. */

import { createHash } from "node:crypto";
import { formatDay } from "#domain/time/day.ts";
import type { OfficialReading, PublicationVersion } from "./publication.ts";
import { canonicalRate, orderedRows, rowKey } from "./rows.ts";

/** Raised when the canonical text changes, so that fingerprints of two forms are never compared. */
const FORM = 1;

/** What of a reading makes a version: nothing else of it does. */
export type Content = Pick<OfficialReading, "rows" | "validFrom" | "validTo">;

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
