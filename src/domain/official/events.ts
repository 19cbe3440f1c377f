/** The event for receivers: a new version of an official publication. */

import { dayInZone } from "#domain/time/calendar.ts";
import { type Day, formatDay, formatInstant, type Instant } from "#domain/time/day.ts";
import type { WebhookEvent } from "#domain/webhook/endpoint.ts";
import type { OfficialTable, PublicationVersion } from "./publication.ts";

/** A first version that has been valid longer than this when it is retrieved is history being loaded, not news. */
export const LONGEST_NEWS_DAYS = 31;

/**
 * The event of a version: `official.published` for the first, `official.corrected` for the others, with the bytes to
 * send. Null for a first version that was valid for more than a month already, counted in days of the table's zone from
 * `readAt`; a correction is news however old its publication is, and so is a first version that `isNews`.
 */
export function officialEvent(
  table: Pick<OfficialTable, "id" | "country" | "types" | "zone">,
  version: Pick<PublicationVersion, "publication" | "version" | "validFrom" | "validTo" | "retrievedAt">,
  { readAt, isNews }: { readonly readAt: Instant; readonly isNews: boolean } = {
    readAt: version.retrievedAt,
    isNews: false,
  },
): WebhookEvent | null {
  const { publication, validFrom, validTo, retrievedAt } = version;
  const first = version.version === 1;
  if (!isNews && first && dayInZone(table.zone, readAt) - validFrom > LONGEST_NEWS_DAYS) return null;
  const id = `evt_${table.id}_${publication}_v${version.version}`;
  const type = first ? "official.published" : "official.corrected";
  const body = JSON.stringify({
    id,
    type,
    created_at: formatInstant(retrievedAt),
    data: {
      country: table.country,
      types: table.types,
      publication,
      version: version.version,
      valid_from: formatDay(validFrom),
      valid_to: dayText(validTo),
    },
  });
  return { id, type, createdAt: retrievedAt, body };
}

function dayText(day: Day | null): string | null {
  return day === null ? null : formatDay(day);
}
