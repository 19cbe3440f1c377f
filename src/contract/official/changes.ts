/** GET /v1/official/changes: the events that webhooks carry, for reading them again. */

import { type Static, Type } from "@sinclair/typebox";
import type { Body } from "#contract/body.ts";
import * as field from "#contract/fields.ts";
import type { Operation } from "#contract/operation.ts";
import type { ChangePage } from "#domain/official/answers.ts";
import { CHOSEN_TYPES, type ChosenType } from "#domain/webhook/endpoint.ts";
import * as official from "./fields.ts";
import {
  cursor,
  hasMore,
  limit,
  nextCursor,
  publication,
  types,
  validFrom,
  validTo,
  version,
} from "./fields.ts";

export const OfficialEventModel = Type.Object(
  {
    id: Type.String({
      pattern: "^evt_[A-Za-z0-9._-]+$",
      description: "Unique id, `evt_<table>_<publication>_v<version>`: the same in a webhook.",
      examples: ["evt_mex_fix_2026-04-13_v1"],
    }),
    type: Type.Unsafe<ChosenType>({
      type: "string",
      enum: [...CHOSEN_TYPES],
      description: "`official.published` for version 1, `official.corrected` for those after it.",
    }),
    created_at: field.instant("When this version was retrieved, UTC.", "2026-04-13T18:05:11Z"),
    data: Type.Object(
      {
        country: official.country,
        types,
        publication,
        version,
        valid_from: validFrom,
        valid_to: validTo,
      },
      { additionalProperties: false, description: "What it is about. Rates are fetched by these names." },
    ),
  },
  {
    $id: "OfficialEvent",
    additionalProperties: false,
    description: "A publication, or a correction of one.",
  },
);

const OfficialChangesResponse = Type.Object(
  {
    result: field.result,
    changes: Type.Array(OfficialEventModel, {
      description: "In the order in which they were committed, the oldest first.",
      examples: [[]],
    }),
    has_more: hasMore,
    next_cursor: nextCursor,
    resume_cursor: Type.String({
      description:
        "Leads to what comes after this page, now or later: keep it, and send it as `cursor` with everything else unchanged to receive every further change exactly once.",
      examples: ["NDE.3q2-7wAAAAAAAAAAAAAAAA"],
    }),
  },
  { $id: "OfficialChangesResponse", additionalProperties: false, description: "A page of changes." },
);

/** The body of a page. */
export function changesBody({ events, hasMore, resumeCursor }: ChangePage) {
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

export const OFFICIAL_CHANGES: readonly Operation[] = [
  {
    id: "listOfficialChanges",
    method: "get",
    path: "/v1/official/changes",
    tag: "Official",
    summary: "What was published and corrected",
    description:
      "The same events as webhooks carry, in the order of their commits; missed ones are read again here. Compare by `id`: `since` is inclusive. A history that is loaded at once makes no events.",
    parameters: [
      {
        name: "since",
        in: "query",
        required: false,
        schema: Type.String({ format: "date-time", pattern: field.INSTANT_PATTERN }),
        description: "Only changes created at this UTC instant or later.",
        example: "2026-04-13T00:00:00Z",
      },
      {
        name: "country",
        in: "query",
        required: false,
        schema: Type.String({ pattern: "^[A-Za-z]{3}$" }),
        description: "Only changes of this country's tables; any case.",
        example: "MEX",
      },
      {
        name: "type",
        in: "query",
        required: false,
        schema: Type.String({ pattern: "^[A-Za-z0-9_-]{1,32}$" }),
        description: "Only changes of tables with this type; any case.",
        example: "fix",
        inSampleCall: false,
      },
      limit(500, 100),
      cursor,
    ],
    ok: {
      description: "A page of changes.",
      schema: OfficialChangesResponse,
      example: EXAMPLE,
      conditional: true,
    },
    errors: ["invalid_request", "source_unavailable", "service_unavailable"],
  },
];
