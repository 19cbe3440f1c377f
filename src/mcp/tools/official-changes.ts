/** list_official_changes: GET /v1/official/changes */

import { Type } from "@sinclair/typebox";
import { OfficialChangesResponse } from "#contract/official/changes.ts";
import { restTool } from "#mcp/tool.ts";
import { cursor, inputOf, instant, queryOf } from "./arguments.ts";

const USUAL_CHANGES = 50;
/** Longer lists are in the structured content alone. */
const MOST_LINES = 10;

export const country = Type.String({
  pattern: "^[A-Za-z]{3}$",
  description: "Country of the authority: ISO 3166-1 alpha-3 code, `EUE` for the European Union.",
  examples: ["MEX"],
});

export const listOfficialChanges = restTool({
  name: "list_official_changes",
  title: "Official publications and corrections",
  description:
    "What authorities (central banks, customs, tax offices) published and corrected, oldest first: names and dates of publications, without rates. Use it to see what is new since an instant, then get_official_publication for the rates. Market rates are not here: use get_latest.",
  input: inputOf({
    since: Type.Optional(instant("Only changes of this instant or later.")),
    country: Type.Optional(country),
    type: Type.Optional(
      Type.String({ maxLength: 32, description: "Only tables of this type.", examples: ["customs"] }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 500, description: `Entries; ${USUAL_CHANGES} when absent.` }),
    ),
    cursor,
  }),
  output: OfficialChangesResponse,
  request: ({ limit = USUAL_CHANGES, ...given }) => ({
    method: "GET",
    path: `/v1/official/changes${queryOf({ ...given, limit })}`,
  }),
  summary: ({ changes, has_more }) => {
    const lines = changes.slice(-MOST_LINES).map(({ type, created_at, data }) => {
      const what =
        type === "official.corrected" ? `corrected (version ${data.version.rawJSON})` : "published";
      return `${data.country} ${data.types[0]} ${data.publication} ${what}, retrieved ${created_at}, valid from ${data.valid_from}`;
    });
    const shown = changes.length > MOST_LINES ? `, the newest ${MOST_LINES} of them` : "";
    const more = has_more ? " More follow: send next_cursor as cursor." : "";
    return [`${changes.length} changes${shown}.${more}`, ...lines].join("\n");
  },
});
