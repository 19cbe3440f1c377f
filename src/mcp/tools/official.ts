/** list_official_changes: GET /v1/official/changes, and get_official_publication: GET /v1/official/{country}/{type}/publications/… */

import { Type } from "@sinclair/typebox";
import { OfficialChangesResponse } from "#api/official/changes.ts";
import { OfficialPublicationResponse } from "#api/official/publications.ts";
import { restTool } from "#mcp/tool.ts";
import { cursor, day, inputOf, instant, queryOf } from "./arguments.ts";

const USUAL_CHANGES = 50;
/** Longer lists are only in the structured content. */
const MOST_LINES = 10;

const country = Type.String({
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
    since: Type.Optional(instant("Begin with the first change of this instant or later.")),
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
  summary: ({ changes, has_more, resume_cursor }) => {
    const lines = changes.slice(-MOST_LINES).map(({ type, created_at, data }) => {
      const what =
        type === "official.corrected" ? `corrected (version ${data.version.rawJSON})` : "published";
      return `${data.country} ${data.types[0]} ${data.publication} ${what}, retrieved ${created_at}, valid from ${data.valid_from}`;
    });
    const shown = changes.length > MOST_LINES ? `, the newest ${MOST_LINES} of them` : "";
    const more = has_more
      ? " More follow: send next_cursor as cursor."
      : ` Later ones: send cursor ${resume_cursor}, with the same arguments.`;
    return [`${changes.length} changes${shown}.${more}`, ...lines].join("\n");
  },
});

/** Longer tables are only in the structured content. */
const MOST_ROWS = 12;

export const getOfficialPublication = restTool({
  name: "get_official_publication",
  title: "An official publication",
  description:
    "The rates that an authority published under its own name, as printed, with its document, version and validity: for customs, tax, invoices and contracts. Give `country` and `type` (resource crossrate://official lists the tables, list_official_changes names recent ones): without more it is the newest publication, with `valid_on` the one valid on a day, with `publication` (and `version`) exactly that one. For market rates use get_rate.",
  input: inputOf({
    country,
    type: Type.String({
      pattern: "^[A-Za-z0-9_-]{1,32}$",
      description: "Type of the table, such as `fix`, `customs`, `vat` or `daily`.",
      examples: ["fix"],
    }),
    publication: Type.Optional(
      Type.String({
        pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$",
        description: "Name of the publication, as list_official_changes gives it.",
      }),
    ),
    version: Type.Optional(
      Type.Integer({ minimum: 1, description: "Only with `publication`: an earlier version of it." }),
    ),
    valid_on: Type.Optional(
      day("Only without `publication`: the one that is valid on this day.", "2026-04-13"),
    ),
  }),
  output: OfficialPublicationResponse,
  request: ({ country, type, publication = "latest", version, valid_on }) => ({
    method: "GET",
    path: `/v1/official/${country}/${type}/publications/${publication}${queryOf({ version, valid_on })}`,
  }),
  summary: (found) => {
    const rows = found.rows.slice(0, MOST_ROWS).map(({ base, quote, rate, unit, kind }) => {
      return `${unit.rawJSON} ${base} = ${rate.rawJSON} ${quote} (${kind})`;
    });
    const more = found.rows.length > MOST_ROWS ? ` and ${found.rows.length - MOST_ROWS} more` : "";
    const until = found.valid_to === null ? "until the next publication" : `to ${found.valid_to}`;
    return `${found.authority}, ${found.country} ${found.type} ${found.publication}, version ${found.version.rawJSON}, valid from ${found.valid_from} ${until}: ${rows.join("; ")}${more}. Retrieved ${found.retrieved_at} from ${found.source_url}. ${found.notice}`;
  },
});
