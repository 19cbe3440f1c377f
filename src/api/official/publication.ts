/** GET /v1/official/{country}/{type}/publications/latest and …/{publication_id}: a publication of a table with its rates. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Body } from "#api/body.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { day, type Parameter, path, query } from "#api/parameters.ts";
import { respondInTurn } from "#api/response/json.ts";
import { words } from "#api/words.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { FoundPublication } from "#domain/official/answers.ts";
import { formatInstant } from "#domain/time/day.ts";
import { officialPublication, type PublicationLookup } from "#official/publications.ts";
import { findTable } from "#official/tables.ts";
import { integerOf } from "#rates/parameters.ts";
import * as official from "./model.ts";
import {
  FIX_ENTRY,
  FIX_TABLE,
  metered,
  OFFICIAL_NOTICE,
  type OfficialRouteDeps,
  REVALIDATED,
  tableBody,
  tableFields,
  tablePath,
} from "./model.ts";

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

/** The body of one publication. */
function publicationBody({ table, type, publication, versions, simulated }: FoundPublication) {
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

const OK = {
  description: "The publication.",
  schema: OfficialPublicationResponse,
  example: PUBLICATION_EXAMPLE,
  conditional: true,
};

const UNAVAILABLE = ["source_unavailable", "service_unavailable"] as const;

const validOn = day({
  description: "The publication that is valid on this day, on the calendar of the table's zone.",
  example: "2026-04-13",
  inSampleCall: false,
});

/** As `publicationId` makes them. */
const PUBLICATION = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const publicationId: Parameter<string> = {
  schema: Type.String({ pattern: PUBLICATION.source }),
  description: "`publication` of an event or of a list, letter by letter.",
  example: "2026-04-13",
  parse: (text = "") => {
    if (!PUBLICATION.test(text)) throw new Failure("not_found");
    return text;
  },
};

const MOST_VERSIONS = 999_999;

/** Null: the newest. */
const version: Parameter<number | null> = {
  schema: Type.Integer({ minimum: 1, maximum: MOST_VERSIONS }),
  description: "The version wanted; the newest without it.",
  example: 1,
  inSampleCall: false,
  parse: (text, read) => (text === undefined ? null : integerOf(read, "version", 1, MOST_VERSIONS, 1)),
};

const PATH = "/v1/official/:country/:type/publications";

export const publication = ({ house, tables, ...deps }: OfficialRouteDeps) => {
  const lookupOf = (
    { country, type }: { readonly country: string; readonly type: string },
    wanted: PublicationLookup["wanted"],
  ) => ({ lookup: { offered: findTable(tables(), country, type), type, wanted } });
  const answer = (request: Request, lookup: PublicationLookup) =>
    respondInTurn(request, deps, REVALIDATED, async () =>
      publicationBody(await officialPublication(tables(), lookup)),
    );
  const latest = new Elysia({ name: "official-publication-latest" })
    .use(house)
    .guard({ params: path(tablePath), query: query({ valid_on: validOn }) })
    .resolve(async ({ params, query: { valid_on: day } }) =>
      lookupOf(params, day === null ? { by: "newest" } : { by: "day", day }),
    )
    .get(`${PATH}/latest`, async ({ request, lookup }) => await answer(request, lookup), {
      metered,
      detail: words({
        id: "getLatestOfficialPublication",
        tag: "Official",
        summary: "The newest publication of a table",
        description:
          "The publication of the newest validity, which may lie ahead where an authority publishes ahead; with `valid_on` the one that is valid on a day.",
        ok: OK,
        errors: ["bad_date", "not_found", ...UNAVAILABLE],
      }),
    });
  const one = new Elysia({ name: "official-publication-one" })
    .use(house)
    .guard({ params: path({ ...tablePath, publication_id: publicationId }), query: query({ version }) })
    .resolve(async ({ params, query: { version } }) =>
      lookupOf(params, { by: "name", publication: params.publication_id, version }),
    )
    .get(`${PATH}/:publication_id`, async ({ request, lookup }) => await answer(request, lookup), {
      metered,
      detail: words({
        id: "getOfficialPublication",
        tag: "Official",
        summary: "A publication with its rates",
        description:
          "In its newest version, or with `version` in any other; earlier versions remain readable.",
        ok: OK,
        errors: ["invalid_request", "not_found", ...UNAVAILABLE],
      }),
    });
  return new Elysia({ name: "official-publication" }).use(latest).use(one);
};
