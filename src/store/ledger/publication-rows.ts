/** Versions of official publications as their rows; their rates as one JSON text. */

import { type Day, formatDay, parseDay } from "#domain/day.ts";
import { OFFICIAL_KINDS, type OfficialRow, type PublicationVersion } from "#domain/official/publication.ts";
import { integer, integerOrNull, type Param, type Row, text, textOrNull } from "./rows.ts";

/** The largest table of rates that any authority prints has some two hundred rows. */
const MOST_ROWS = 2000;
const MOST_LETTERS = 262_144;

const NAMES = [
  "table_id",
  "publication",
  "version",
  "valid_from",
  "valid_to",
  "published_at",
  "retrieved_at",
  "source_url",
  "document_sha256",
  "fingerprint",
  "rows_json",
];
export const VERSION_COLUMNS = NAMES.join(", ");
export const PREFIXED_VERSION_COLUMNS = NAMES.map((name) => `official_versions.${name}`).join(", ");

/** In the order of the columns. Throws RangeError for more rates than any publication has. */
export function versionParams(version: PublicationVersion): readonly Param[] {
  return [
    version.table,
    version.publication,
    version.version,
    formatDay(version.validFrom),
    version.validTo === null ? null : formatDay(version.validTo),
    version.publishedAt,
    version.retrievedAt,
    version.sourceUrl,
    version.documentSha256,
    version.fingerprint,
    rowsText(version),
  ];
}

export function versionOf(row: Row): PublicationVersion {
  const validTo = textOrNull(row, "valid_to");
  return {
    table: text(row, "table_id"),
    publication: text(row, "publication"),
    version: integer(row, "version"),
    validFrom: dayOf(text(row, "valid_from")),
    validTo: validTo === null ? null : dayOf(validTo),
    publishedAt: integerOrNull(row, "published_at"),
    retrievedAt: integer(row, "retrieved_at"),
    sourceUrl: text(row, "source_url"),
    documentSha256: text(row, "document_sha256"),
    fingerprint: text(row, "fingerprint"),
    rows: rowsOf(text(row, "rows_json")),
  };
}

function rowsText({ table, publication, rows }: PublicationVersion): string {
  const content = JSON.stringify(
    rows.map(({ base, quote, rate, unit, kind }) => [base, quote, rate, unit, kind]),
  );
  if (rows.length === 0 || rows.length > MOST_ROWS || content.length > MOST_LETTERS) {
    throw new RangeError(
      `${table} ${publication} has ${rows.length} rows in ${content.length} letters; 1 to ${MOST_ROWS} in at most ${MOST_LETTERS} are kept`,
    );
  }
  return content;
}

function rowsOf(content: string): readonly OfficialRow[] {
  const rows = JSON.parse(content) as readonly (readonly [string, string, string, number, string])[];
  return rows.map(([base, quote, rate, unit, letters]) => {
    const kind = OFFICIAL_KINDS.find((one) => one === letters);
    if (kind === undefined) throw new TypeError(`no kind of rate: ${letters}`);
    return { base, quote, rate, unit, kind };
  });
}

function dayOf(value: string): Day {
  const day = parseDay(value);
  if (day === null) throw new TypeError(`no day: ${value}`);
  return day;
}
