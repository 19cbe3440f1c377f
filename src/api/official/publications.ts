/** GET /v1/official/{country}/{type}/publications: the publications of a table, without their rates. */

import { Elysia } from "elysia";
import type { Body } from "#api/body.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { day, path, query } from "#api/parameters.ts";
import { respondInTurn } from "#api/response/json.ts";
import { words } from "#api/words.ts";
import type { PublicationPage } from "#domain/official/answers.ts";
import {
  DEFAULT_PUBLICATIONS,
  MOST_PUBLICATIONS,
  officialPublications,
  planPublications,
} from "#official/publications.ts";
import * as official from "./model.ts";
import {
  cursor,
  FIX_ENTRY,
  FIX_TABLE,
  limit,
  metered,
  OFFICIAL_NOTICE,
  type OfficialRouteDeps,
  REVALIDATED,
  tableBody,
  tableFields,
  tablePath,
} from "./model.ts";

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

/** The body of a page. */
function publicationsBody({ table, type, publications, nextCursor, simulated }: PublicationPage) {
  return {
    result: "success",
    ...tableBody(table, type),
    publications: publications.map(official.entryBody),
    has_more: nextCursor !== null,
    next_cursor: nextCursor,
    notice: official.officialNotice(simulated),
  } satisfies Body<typeof OfficialPublicationsResponse>;
}

const from = day({ description: "First day of validity from this day on.", example: "2026-04-01" });
const to = day({ description: "First day of validity up to this day.", example: "2026-04-30" });

export const publications = ({ house, tables, ...deps }: OfficialRouteDeps) =>
  new Elysia({ name: "official-publications" })
    .use(house)
    .guard({
      params: path(tablePath),
      query: query({ from, to, limit: limit(MOST_PUBLICATIONS, DEFAULT_PUBLICATIONS), cursor }),
    })
    .resolve(async ({ params, query }) => ({
      planned: planPublications(tables(), { ...params, ...query }),
    }))
    .get(
      "/v1/official/:country/:type/publications",
      async ({ request, planned }) =>
        await respondInTurn(request, deps, REVALIDATED, async () =>
          publicationsBody(await officialPublications(tables(), planned)),
        ),
      {
        metered,
        detail: words({
          id: "listOfficialPublications",
          tag: "Official",
          summary: "Publications of a table",
          description:
            "The newest validity first, without rates. `from` and `to` go by the first day of validity.",
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
          errors: ["invalid_request", "bad_date", "not_found", "source_unavailable", "service_unavailable"],
        }),
      },
    );
