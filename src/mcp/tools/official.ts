/** Tools of the routes below /v1/official: changes, a publication, and conversion by one. */

import { Type } from "@sinclair/typebox";
import { OfficialChangesResponse } from "#api/official/changes.ts";
import { kind, OfficialConvertResponse, rule } from "#api/official/convert.ts";
import { OfficialPublicationResponse } from "#api/official/publications.ts";
import { rowsText } from "#mcp/text.ts";
import { restTool } from "#mcp/tool.ts";
import { amount, cursor, day, inputOf, instant, parameter, queryOf } from "./arguments.ts";
import { plainAmount } from "./convert.ts";

const USUAL_CHANGES = 50;

const country = Type.String({
  pattern: "^[A-Za-z]{3}$",
  description: "Country of the authority: ISO 3166-1 alpha-3 code, `EUE` for the European Union.",
  examples: ["MEX"],
});

const tableType = Type.String({
  pattern: "^[A-Za-z0-9_-]{1,32}$",
  description: "Type of the table, such as `fix`, `customs`, `vat` or `daily`.",
  examples: ["fix"],
});

const officialCurrency = (description: string, example: string) =>
  Type.String({ pattern: "^[A-Za-z]{3}$", description, examples: [example] });

export const listOfficialChanges = restTool({
  name: "list_official_changes",
  title: "Official publications and corrections",
  description:
    "What authorities (central banks, customs, tax offices) published and corrected, page by page from the oldest on: names and dates of publications, without rates. Use it to see what is new since an instant, then get_official_publication for the rates. Market rates are not here: use get_latest.",
  input: inputOf({
    since: Type.Optional(instant("Begin with the first change of this instant or later.")),
    country: Type.Optional(country),
    type: Type.Optional(tableType),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 500, description: `Entries; ${USUAL_CHANGES} when absent.` }),
    ),
    cursor,
  }),
  output: OfficialChangesResponse,
  request: ({ limit = USUAL_CHANGES, ...given }) => `/v1/official/changes${queryOf({ ...given, limit })}`,
  summary: ({ changes, has_more, resume_cursor }) => {
    const rows = changes
      .map(({ type, created_at, data }) => [
        ...[created_at, type.replace("official.", ""), data.country, data.types[0] ?? "", data.publication],
        ...[data.version.rawJSON, data.valid_from],
      ])
      .reverse();
    const heads = ["created_at", "what", "country", "type", "publication", "version", "valid_from"];
    const which = has_more ? "There are newer ones" : "Later ones";
    const more = `${which}: send cursor ${resume_cursor}, with the same arguments.`;
    return `${changes.length} changes, the newest of this page first. ${more}\n\n${rowsText(heads, rows)}`;
  },
});

export const getOfficialPublication = restTool({
  name: "get_official_publication",
  title: "An official publication",
  description:
    "The rates that an authority published under its own name, as printed, with its document, version and validity: for customs, tax, invoices and contracts. Give `country` and `type` (resource crossrate://official lists the tables, list_official_changes names recent ones): without more it is the publication in force today, with `valid_on` the one valid on another day, with `publication` `latest` the newest, which may be valid only from tomorrow on, with a name (and `version`) exactly that one. For market rates use get_rate.",
  input: inputOf({
    country,
    type: tableType,
    publication: Type.Optional(
      Type.String({
        pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$",
        description: "Name of the publication, as list_official_changes gives it, or `latest`.",
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
  request: ({ country, type, publication, version, valid_on }) => {
    // The newest publication may be valid only from tomorrow. REST reads `today` in the table's zone.
    const day = publication === undefined ? (valid_on ?? "today") : valid_on;
    const query = queryOf({ version, valid_on: day });
    return `/v1/official/${country}/${type}/publications/${publication ?? "latest"}${query}`;
  },
  summary: (table) => {
    const rows = table.rows.map(({ unit, base, rate, quote, kind }) => [
      ...[unit.rawJSON, base, rate.rawJSON, quote, kind],
    ]);
    const until = table.valid_to === null ? "until the next publication" : `to ${table.valid_to}`;
    return `${table.authority}, ${table.country} ${table.type} ${table.publication}, version ${table.version.rawJSON}, valid from ${table.valid_from} ${until}. Each row: so many units of base are rate units of quote. Retrieved ${table.retrieved_at} from ${table.source_url}. ${table.notice}\n\n${rowsText(["unit", "base", "rate", "quote", "kind"], rows)}`;
  },
});

export const convertOfficial = restTool({
  name: "convert_official",
  title: "Convert by an official table",
  description:
    "Converts an amount by the table of an authority, for VAT, customs, tax returns and contracts: with the printed rates, the publication's version and validity, and a line to cite. Give the day of the event as `on`, and the rule that the law names. For market rates use convert.",
  input: inputOf({
    country,
    type: tableType,
    from: officialCurrency("Currency of the amount; also outside the catalog.", "USD"),
    to: officialCurrency("Currency wanted; also outside the catalog.", "MXN"),
    amount,
    on: Type.Optional(day("Day of the event; today when absent.", "2026-04-13")),
    rule: Type.Optional(parameter(rule)),
    kind: Type.Optional(parameter(kind)),
  }),
  output: OfficialConvertResponse,
  request: ({ country, type, from, to, amount, ...rest }) =>
    `/v1/official/${country}/${type}/convert/${from}/${to}${queryOf({ amount: plainAmount(amount), ...rest })}`,
  summary: ({ amount, from, to, converted, rounded, on, citation, terms, notice }) =>
    `${amount.rawJSON} ${from} = ${(rounded ?? converted).rawJSON} ${to} (${converted.rawJSON} to 15 digits), for ${on}. Cite: ${citation}. ${terms} ${notice}`,
});
