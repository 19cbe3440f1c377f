/** The events for receivers: a new version of an official publication, and the test of an endpoint. */

import type { OfficialTable, PublicationVersion } from "#domain/official/publication.ts";
import { dayInZone } from "#domain/time/calendar.ts";
import { type Day, formatDay, formatInstant, type Instant } from "#domain/time/day.ts";
import type { WebhookEvent } from "./endpoint.ts";

/** A first version that has been valid longer than this when it is retrieved is history being loaded, not news. */
export const LONGEST_NEWS_DAYS = 31;

/**
 * The event of a version: `official.published` for the first, `official.corrected` for the others, with the bytes to
 * send. Null for a first version that was valid for more than a month already, counted in days of the table's zone;
 * a correction is news however old its publication is.
 */
export function officialEvent(
  table: Pick<OfficialTable, "id" | "country" | "types" | "zone">,
  version: Pick<PublicationVersion, "publication" | "version" | "validFrom" | "validTo" | "retrievedAt">,
): WebhookEvent | null {
  const { publication, validFrom, validTo, retrievedAt } = version;
  const first = version.version === 1;
  if (first && dayInZone(table.zone, retrievedAt) - validFrom > LONGEST_NEWS_DAYS) return null;
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

/** `evt_test_<unix milliseconds>`; compact JSON, with the endpoint's id as the only datum. */
export function testEvent(endpointId: string, at: Instant): WebhookEvent {
  const [id, type] = [`evt_test_${at}`, "webhook.test"] as const;
  const body = JSON.stringify({ id, type, created_at: formatInstant(at), data: { endpoint: endpointId } });
  return { id, type, createdAt: at, body };
}
