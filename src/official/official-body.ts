/** Publications in the words of the contract: what answers and events share. */

import { noticeText } from "#domain/history/provenance.ts";
import { Digits } from "#domain/net/body.ts";
import type { OfficialRow, OfficialTable, PublicationVersion } from "#domain/official/publication.ts";
import { type Day, formatDay, formatInstant } from "#domain/time/day.ts";

const OFFICIAL_NOTICE = "Official rates as their authority published them; its own publication prevails.";

/** Reminder on every answer with official rates; the demo's says first that nothing is real. */
export function officialNotice(simulated: boolean): string {
  return `${noticeText(simulated, false)} ${OFFICIAL_NOTICE}`;
}

/** A table by the word that was asked for, in lower case. */
export function tableBody(table: OfficialTable, type: string) {
  return { country: table.country, type: type.toLowerCase(), types: table.types };
}

/** What a version is called, when it is valid, and when it came. */
export function versionBody({ publication, version, validFrom, validTo, ...more }: PublicationVersion) {
  return {
    publication,
    version,
    valid_from: formatDay(validFrom),
    valid_to: dayOrNull(validTo),
    published_at: more.publishedAt === null ? null : formatInstant(more.publishedAt),
    retrieved_at: formatInstant(more.retrievedAt),
  };
}

function dayOrNull(day: Day | null): string | null {
  return day === null ? null : formatDay(day);
}

/** The rate is a number with the digits that were printed. */
export function rowBody({ base, quote, rate, unit, kind }: OfficialRow) {
  return { base, quote, rate: new Digits(numberText(rate)), unit, kind };
}

/** As JSON writes numbers: without zeros in front ("007.10" → "7.10"). */
function numberText(printed: string): string {
  const [whole = "", fraction] = printed.split(".");
  const digits = whole.replace(/^0+(?=\d)/, "") || "0";
  return fraction === undefined || fraction === "" ? digits : `${digits}.${fraction}`;
}
