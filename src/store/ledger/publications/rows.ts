/** Versions of official publications as their rows; their rates as one JSON text, and a digest over all of it. */

import { createHash } from "node:crypto";
import { PublicationDamaged } from "#domain/account/ledger.ts";
import { OFFICIAL_KINDS, type OfficialRow, type PublicationVersion } from "#domain/official/publication.ts";
import { type Day, formatDay, parseDay } from "#domain/time/day.ts";
import {
  integer,
  integerOrNull,
  type Param,
  type Row,
  raw,
  text,
  textOrNull,
} from "#store/ledger/engine/rows.ts";

/** The largest table of rates that any authority prints has some two hundred rows. */
const MOST_ROWS = 2000;
const MOST_CHARACTERS = 262_144;

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
const INTEGERS: ReadonlySet<string> = new Set(["version", "published_at", "retrieved_at"]);
const ALL_NAMES = [...NAMES, "digest"];
export const VERSION_COLUMNS = raw(ALL_NAMES.join(", "));
export const PREFIXED_VERSION_COLUMNS = raw(ALL_NAMES.map((name) => `official_versions.${name}`).join(", "));

/** Raised when what is digested changes: digests of two forms are never compared. */
const FORM = 1;

/** In the order of the columns. Throws RangeError for more rates than any publication has. */
export function versionParams(version: PublicationVersion): readonly Param[] {
  const values = [
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
  return [...values, digestOf(values)];
}

/** Throws PublicationDamaged for a row that is not what was stored. */
export function versionOf(row: Row): PublicationVersion {
  try {
    const values = NAMES.map((name) =>
      INTEGERS.has(name) ? integerOrNull(row, name) : textOrNull(row, name),
    );
    if (text(row, "digest") !== digestOf(values)) throw new TypeError("its digest is another");
    return read(row);
  } catch (fault) {
    throw new PublicationDamaged(nameOf(row), fault instanceof Error ? fault.message : String(fault), fault);
  }
}

/**
 * The same of a row that was joined to the publication whose newest version it should be: it must be there, and have
 * the content and the validity by which it was found.
 */
export function newestVersionOf(row: Row): PublicationVersion {
  const name = {
    table: String(row["newest_table"]),
    publication: String(row["newest_publication"]),
    version: Number(row["newest_version"]),
  };
  if (row["version"] === null) throw new PublicationDamaged(name, "it is the newest, and it is missing");
  const isSame = ["fingerprint", "valid_from"].every((column) => row[column] === row[`newest_${column}`]);
  const version = versionOf(row);
  if (!isSame)
    throw new PublicationDamaged(name, "it is not the one that its publication names as the newest");
  return version;
}

/** What `newestVersionOf` needs of the publication, of the table alias `newest`. */
export const NEWEST_COLUMNS = raw(
  "newest.table_id AS newest_table, newest.publication AS newest_publication, newest.newest_version AS newest_version, newest.valid_from AS newest_valid_from, newest.fingerprint AS newest_fingerprint",
);

function read(row: Row): PublicationVersion {
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

function nameOf(row: Row) {
  return {
    table: String(row["table_id"]),
    publication: String(row["publication"]),
    version: Number(row["version"]),
  };
}

/** Lower-case hex SHA-256 over every column but its own: SQLite has no checksums over what it stores. */
function digestOf(values: readonly Param[]): string {
  return createHash("sha256")
    .update(JSON.stringify([FORM, ...values]))
    .digest("hex");
}

function rowsText({ table, publication, rows }: PublicationVersion): string {
  const content = JSON.stringify(
    rows.map(({ base, quote, rate, unit, kind }) => [base, quote, rate, unit, kind]),
  );
  if (rows.length === 0 || rows.length > MOST_ROWS || content.length > MOST_CHARACTERS) {
    throw new RangeError(
      `${table} ${publication} has ${rows.length} rows in ${content.length} characters; 1 to ${MOST_ROWS} in at most ${MOST_CHARACTERS} are kept`,
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
