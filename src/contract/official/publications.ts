/** GET /v1/official/{country}/{type}/publications[/{publication_id}]: the publications of a table, and one with its rates. */

import { Type } from "@sinclair/typebox";
import type { Body } from "#contract/body.ts";
import * as field from "#contract/fields.ts";
import * as form from "#contract/forms.ts";
import type { Operation } from "#contract/operation.ts";
import { dayParameter, inPath, inQuery } from "#contract/parameters.ts";
import type { FoundPublication, PublicationPage } from "#domain/official/answers.ts";
import type { OfficialTable } from "#domain/official/publication.ts";
import { formatInstant } from "#domain/time/day.ts";
import { FIX_ENTRY, FIX_TABLE, OFFICIAL_NOTICE } from "./examples.ts";
import * as official from "./fields.ts";

const tableFields = { country: official.country, type: official.type, types: official.types };

export const OfficialPublicationsResponse = form.named(
  "OfficialPublicationsResponse",
  "A page of publications.",
  {
    result: field.result,
    ...tableFields,
    publications: form.list(
      official.PublicationEntry,
      "Each in its newest version, the newest validity first.",
      [FIX_ENTRY],
    ),
    has_more: official.hasMore,
    next_cursor: official.nextCursor,
    notice: official.notice,
  },
);

const VersionEntry = form.named("OfficialVersion", "A version that can be read.", {
  version: official.version,
  retrieved_at: official.retrievedAt,
});

export const PUBLICATION_EXAMPLE = {
  result: "success",
  country: "MEX",
  type: "fix",
  types: FIX_TABLE.types,
  ...FIX_ENTRY,
  versions: [{ version: 1, retrieved_at: "2026-04-13T18:05:11Z" }],
  authority: FIX_TABLE.authority,
  source_url: "https://www.banxico.org.mx/SieAPIRest/service/v1/series/SF43718/datos/2026-04-13/2026-04-13",
  document_sha256: "3f".repeat(32),
  rows: [{ base: "USD", quote: "MXN", rate: 17.3485, unit: 1, kind: "mid" }],
  terms: FIX_TABLE.terms,
  notice: OFFICIAL_NOTICE,
};

export const OfficialPublicationResponse = form.named(
  "OfficialPublicationResponse",
  "A publication with its rates.",
  {
    result: field.result,
    ...tableFields,
    ...official.versionFields,
    versions: form.list(
      VersionEntry,
      "Every version, ascending; all of them remain readable.",
      PUBLICATION_EXAMPLE.versions,
    ),
    authority: official.authority,
    source_url: form.text(
      "Address of the document that this version was read from, without credentials.",
      PUBLICATION_EXAMPLE.source_url,
      { format: "uri" },
    ),
    document_sha256: form.text("SHA-256 of that document, in hex.", PUBLICATION_EXAMPLE.document_sha256, {
      pattern: "^[0-9a-f]{64}$",
    }),
    rows: form.list(official.OfficialRate, "Its rates, by base, quote and kind.", PUBLICATION_EXAMPLE.rows),
    terms: official.terms,
    notice: official.notice,
  },
);

function tableBody({ country, types }: OfficialTable, type: string) {
  return { country, type: type.toLowerCase(), types };
}

/** The body of a page. */
export function publicationsBody({ table, type, publications, nextCursor, simulated }: PublicationPage) {
  return {
    result: "success",
    ...tableBody(table, type),
    publications: publications.map(official.entryBody),
    has_more: nextCursor !== null,
    next_cursor: nextCursor,
    notice: official.officialNotice(simulated),
  } satisfies Body<typeof OfficialPublicationsResponse>;
}

/** The body of one publication. */
export function publicationBody({ table, type, publication, versions, simulated }: FoundPublication) {
  return {
    result: "success",
    ...tableBody(table, type),
    ...official.entryBody(publication),
    versions: versions.map(({ version, retrievedAt }) => ({
      version,
      retrieved_at: formatInstant(retrievedAt),
    })),
    authority: table.authority,
    source_url: publication.sourceUrl,
    document_sha256: publication.documentSha256,
    rows: publication.rows.map(official.rateBody),
    terms: table.terms,
    notice: official.officialNotice(simulated),
  } satisfies Body<typeof OfficialPublicationResponse>;
}

const SHARED = { method: "get", tag: "Official" } as const;
const PATH = "/v1/official/{country}/{type}/publications";
const ONE = {
  description: "The publication.",
  schema: OfficialPublicationResponse,
  example: PUBLICATION_EXAMPLE,
  conditional: true,
};
const UNAVAILABLE = ["source_unavailable", "service_unavailable"] as const;

const from = dayParameter("from", "query", false, "First day of validity from this day on.", "2026-04-01");
const to = dayParameter("to", "query", false, "First day of validity up to this day.", "2026-04-30");

export const OFFICIAL_PUBLICATIONS: readonly Operation[] = [
  {
    ...SHARED,
    id: "listOfficialPublications",
    path: PATH,
    summary: "Publications of a table",
    description: "The newest validity first, without rates. `from` and `to` go by the first day of validity.",
    parameters: [...official.tableParameters, from, to, official.limit(366, 50), official.cursor],
    ok: {
      description: "A page of publications.",
      schema: OfficialPublicationsResponse,
      example: {
        result: "success",
        country: "MEX",
        type: "fix",
        types: FIX_TABLE.types,
        publications: [FIX_ENTRY],
        has_more: false,
        next_cursor: null,
        notice: OFFICIAL_NOTICE,
      },
      conditional: true,
    },
    errors: ["invalid_request", "bad_date", "not_found", ...UNAVAILABLE],
  },
  {
    ...SHARED,
    id: "getLatestOfficialPublication",
    path: `${PATH}/latest`,
    summary: "The newest publication of a table",
    description:
      "The publication of the newest validity, which may lie ahead where an authority publishes ahead; with `valid_on` the one that is valid on a day.",
    parameters: [
      ...official.tableParameters,
      {
        ...dayParameter(
          "valid_on",
          "query",
          false,
          "The publication that is valid on this day, on the calendar of the table's zone.",
          "2026-04-13",
        ),
        inSampleCall: false,
      },
    ],
    ok: ONE,
    errors: ["bad_date", "not_found", ...UNAVAILABLE],
  },
  {
    ...SHARED,
    id: "getOfficialPublication",
    path: `${PATH}/{publication_id}`,
    summary: "A publication with its rates",
    description: "In its newest version, or with `version` in any other; earlier versions remain readable.",
    parameters: [
      ...official.tableParameters,
      inPath("publication_id", {
        schema: Type.String({ pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$" }),
        description: "`publication` of an event or of a list, letter by letter.",
        example: "2026-04-13",
      }),
      inQuery("version", {
        schema: Type.Integer({ minimum: 1, maximum: 999_999 }),
        description: "The version wanted; the newest without it.",
        example: 1,
        inSampleCall: false,
      }),
    ],
    ok: ONE,
    errors: ["invalid_request", "not_found", ...UNAVAILABLE],
  },
];
