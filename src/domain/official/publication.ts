/**
 * An official publication: a table of rates with a name, a validity, and a version for each correction; the event that reports
 * a new version to receivers.
 */

import type { CollectionState } from "#domain/intake/reading.ts";
import { dayInZone } from "#domain/time/calendar.ts";
import { type Day, formatDay, formatInstant, type Instant } from "#domain/time/day.ts";
import type { WebhookEvent } from "#domain/webhook/endpoint.ts";

/**
 * mid: a mean of the market, or a rate that was set. buy: what the authority or the banks pay for the currency. sell: what they
 * charge for it. average: the mean of a period.
 */
export const OFFICIAL_KINDS = ["mid", "buy", "sell", "average"] as const;
export type OfficialKind = (typeof OFFICIAL_KINDS)[number];

/** `unit` units of `base` are `rate` units of `quote`, as printed. */
export interface OfficialRow {
  /** ISO 4217 letters, also of currencies outside the catalog. */
  readonly base: string;
  readonly quote: string;
  /** Digits as printed, decimals with a point, with zeros at the end where the route has them. */
  readonly rate: string;
  /** 1, 10, 100, 1000 …: as the table counts the currency. */
  readonly unit: number;
  readonly kind: OfficialKind;
}

export interface OfficialReading {
  /** The authority's own name for it where it has one, else its date or period; made fit for an address by `publicationId`. */
  readonly publication: string;
  readonly validFrom: Day;
  /** Last day; null: until the next publication. */
  readonly validTo: Day | null;
  /** When the authority published this version; null where the document does not state it. */
  readonly publishedAt: Instant | null;
  /** At least one; in the order of `orderedRows`. */
  readonly rows: readonly OfficialRow[];
}

/** One version of a publication, as it was collected. It never changes. */
export interface PublicationVersion extends OfficialReading {
  /** Id of the table, such as `mex_fix`. */
  readonly table: string;
  /** 1, and one more with every correction. */
  readonly version: number;
  readonly retrievedAt: Instant;
  /** Where it was read, without credentials. */
  readonly sourceUrl: string;
  /** Lower-case hex SHA-256 of the first document with this content. */
  readonly documentSha256: string;
  /** `fingerprintOf` its content: equal content is no new version. */
  readonly fingerprint: string;
}

/** A table as data: who publishes it, under which names it is found, what may be done with it. */
export interface OfficialTable {
  /** Lower case, `[a-z0-9_]+`; the middle of event ids. */
  readonly id: string;
  /** ISO 3166-1 alpha-3. */
  readonly country: string;
  /** Names by which the table is found below its country, the plainest first; no two tables of a country share one. */
  readonly types: readonly string[];
  readonly title: string;
  readonly authority: string;
  readonly homepage: string;
  /** Attribution and terms, one or two sentences, published to users. */
  readonly terms: string;
  readonly cadence: "daily" | "weekly" | "monthly" | "quarterly";
  /** IANA name of the zone in which its dates are counted. */
  readonly zone: string;
  /** The currency on one side of every rate of the table. */
  readonly currency: string;
}

/** The longest time from one publication to the next. */
export const LONGEST_STEP_DAYS = { daily: 14, weekly: 28, monthly: 70, quarterly: 200 } as const;

/**
 * The last day on which a publication may be in force. Without a stated end it is in force for the longest step of its table: after that
 * the next one is missing here, because a history was not loaded or a collection fails.
 */
export function lastDayOf(
  { cadence }: Pick<OfficialTable, "cadence">,
  { validFrom, validTo }: Pick<PublicationVersion, "validFrom" | "validTo">,
): Day {
  return validTo ?? validFrom + LONGEST_STEP_DAYS[cadence];
}

/**
 * Publications, the newest first, with the last day of their validity: as stated, else the day before the next one begins, where they
 * are in force until then: a later one is not the next. `nextBegins` is the first day of the publication after them, or null where it
 * is unknown; `held` are first days of held ones.
 */
export function withEnds(
  table: Pick<OfficialTable, "cadence">,
  publications: readonly PublicationVersion[],
  nextBegins: Day | null,
  held: readonly Day[] = [],
): readonly PublicationVersion[] {
  return publications.map((publication, index) => {
    const { validFrom, validTo } = publication;
    const following = publications[index - 1]?.validFrom ?? nextBegins ?? Number.POSITIVE_INFINITY;
    const end = Math.min(following, ...held.filter((day) => day > validFrom)) - 1;
    return {
      ...publication,
      validTo: validTo ?? (end <= lastDayOf(table, publication) ? Math.max(validFrom, end) : null),
    };
  });
}

const COUNTRIES: Readonly<Record<string, string>> = {
  CAN: "Canada",
  CHE: "Switzerland",
  COL: "Colombia",
  CZE: "Czechia",
  EUE: "European Union",
  GBR: "United Kingdom",
  HUN: "Hungary",
  MEX: "Mexico",
  POL: "Poland",
  ROU: "Romania",
  TUR: "Türkiye",
  USA: "United States",
};

export function countryName(code: string): string {
  return COUNTRIES[code] ?? code;
}

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
      valid_to: validTo === null ? null : formatDay(validTo),
    },
  });
  return { id, type, createdAt: retrievedAt, body };
}

/** The last collection of a table by any process. Published by /status. */
export interface OfficialState extends Omit<CollectionState, "source" | "outcome"> {
  readonly table: string;
  /** publications: an intact document with publications, new or not. empty: an intact document without any. */
  readonly outcome: "never" | "publications" | "empty" | "failed";
  /** Publications that are held until a second reading confirms them, the authority changes them, or an operator decides. */
  readonly held: readonly string[];
}

/** Adds the newest publication of the table, by validity. */
export interface OfficialTableStatus extends OfficialState {
  readonly newest: Pick<PublicationVersion, "publication" | "validFrom"> | null;
}
