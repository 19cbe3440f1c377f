/** get_official_publication: GET /v1/official/{country}/{type}/publications/… */

import { Type } from "@sinclair/typebox";
import { OfficialPublicationResponse } from "#contract/official/publications.ts";
import { restTool } from "#mcp/tool.ts";
import { day, inputOf, queryOf } from "./arguments.ts";
import { country } from "./official-changes.ts";

/** Longer tables are in the structured content alone. */
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
