/** GET /v1/official/changes: the events of webhooks, for reading them again. */

import type { Static } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Body } from "#api/body.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { type Parameter, query } from "#api/parameters.ts";
import { instantText } from "#api/point-in-time.ts";
import { respondInTurn } from "#api/response/json.ts";
import { words } from "#api/words.ts";
import type { ChangePage } from "#domain/official/answers.ts";
import type { Instant } from "#domain/time/day.ts";
import { CHOSEN_TYPES, type ChosenType } from "#domain/webhook/endpoint.ts";
import { DEFAULT_CHANGES, MOST_CHANGES, officialChanges, planChanges } from "#official/changes.ts";
import { parseInstant } from "#rates/parameters.ts";
import {
  country,
  countryFilter,
  cursor,
  hasMore,
  limit,
  metered,
  nextCursor,
  type OfficialRouteDeps,
  publication,
  REVALIDATED,
  typeFilter,
  types,
  validFrom,
  validTo,
  version,
} from "./model.ts";

export const OfficialEventModel = form.named("OfficialEvent", "A publication, or a correction of one.", {
  id: form.text(
    "Unique id, `evt_<table>_<publication>_v<version>`: the same in a webhook.",
    "evt_mex_fix_2026-04-13_v1",
    { pattern: "^evt_[A-Za-z0-9._-]+$" },
  ),
  type: form.oneOf<ChosenType>(
    CHOSEN_TYPES,
    "`official.published` for version 1, `official.corrected` for those after it.",
  ),
  created_at: form.instant("When this version was retrieved, UTC.", "2026-04-13T18:05:11Z"),
  data: form.closed("What it is about. Rates are fetched by these names.", {
    country,
    types,
    publication,
    version,
    valid_from: validFrom,
    valid_to: validTo,
  }),
});

export const OfficialChangesResponse = form.named("OfficialChangesResponse", "A page of changes.", {
  result: field.result,
  changes: form.list(OfficialEventModel, "In the order in which they were committed, the oldest first.", []),
  has_more: hasMore,
  next_cursor: nextCursor,
  resume_cursor: form.text(
    "Leads to what comes after this page, now or later: keep it, and send it as `cursor` with everything else unchanged to receive every further change exactly once.",
    "NDE.3q2-7wAAAAAAAAAAAAAAAA",
  ),
});

/** The body of a page. */
function changesBody({ events, hasMore, resumeCursor }: ChangePage) {
  return {
    result: "success",
    changes: events.map((event) => JSON.parse(event) as Static<typeof OfficialEventModel>),
    has_more: hasMore,
    next_cursor: hasMore ? resumeCursor : null,
    resume_cursor: resumeCursor,
  } satisfies Body<typeof OfficialChangesResponse>;
}

export const EXAMPLE_EVENT = {
  id: "evt_mex_fix_2026-04-13_v1",
  type: "official.published",
  created_at: "2026-04-13T18:05:11Z",
  data: {
    country: "MEX",
    types: ["fix", "banxico"],
    publication: "2026-04-13",
    version: 1,
    valid_from: "2026-04-13",
    valid_to: null,
  },
};

const EXAMPLE = {
  result: "success",
  changes: [EXAMPLE_EVENT],
  has_more: false,
  next_cursor: null,
  resume_cursor: "Nw.JuTBcv-ndt0c1w3AJU_aRg",
};

const since: Parameter<Instant | null> = {
  schema: instantText,
  description:
    "Begin with the first change created at this UTC instant or later: it, and everything committed after it.",
  example: "2026-04-13T00:00:00Z",
  parse: (text) => (text === undefined ? null : parseInstant("since", text)),
};

const parameters = {
  since,
  country: countryFilter,
  type: typeFilter,
  limit: limit(MOST_CHANGES, DEFAULT_CHANGES),
  cursor,
};

export const changes = ({ house, tables, ...deps }: OfficialRouteDeps) =>
  new Elysia({ name: "official-changes" })
    .use(house)
    .guard({ query: query(parameters) })
    .resolve(async ({ query }) => ({ planned: planChanges(tables(), query) }))
    .get(
      "/v1/official/changes",
      async ({ request, planned }) =>
        await respondInTurn(request, deps, REVALIDATED, async () =>
          changesBody(await officialChanges(tables(), planned)),
        ),
      {
        metered,
        detail: words({
          id: "listOfficialChanges",
          tag: "Official",
          summary: "What was published and corrected",
          description:
            "The same events as webhooks carry, in the order of their commits; missed ones are read again here. Instants are approximate, because a clock may have been wrong: `resume_cursor` misses nothing. Compare by `id`: `since` is inclusive. A history that is loaded at once makes no events.",
          ok: {
            description: "A page of changes.",
            schema: OfficialChangesResponse,
            example: EXAMPLE,
            conditional: true,
          },
          errors: ["invalid_request", "source_unavailable", "service_unavailable"],
        }),
      },
    );
