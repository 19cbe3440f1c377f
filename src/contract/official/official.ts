/** GET /v1/official: which official tables there are. */

import { type Static, Type } from "@sinclair/typebox";
import type { Body } from "#contract/body.ts";
import * as field from "#contract/fields.ts";
import type { Operation } from "#contract/operation.ts";
import { rateBody } from "#contract/rates/rate.ts";
import type { TableList } from "#domain/official/answers.ts";
import type { OfficialTable } from "#domain/official/publication.ts";
import type { PairRate } from "#domain/rates/rates.ts";
import { FIX_TABLE, OFFICIAL_NOTICE } from "./examples.ts";
import * as official from "./fields.ts";

const OfficialTableModel = Type.Object(
  {
    id: Type.String({
      pattern: "^[a-z0-9_]+$",
      description: "Id of the table; the middle of event ids.",
      examples: ["mex_fix"],
    }),
    country: official.country,
    types: official.types,
    title: Type.String({ description: "What it holds.", examples: [FIX_TABLE.title] }),
    authority: official.authority,
    cadence: Type.Unsafe<OfficialTable["cadence"]>({
      type: "string",
      enum: ["daily", "weekly", "monthly", "quarterly"],
      description: "How often it is published.",
    }),
    currency: Type.String({
      pattern: "^[A-Z]{3}$",
      description: "The currency that all its rates are in, or are of.",
      examples: ["MXN"],
    }),
    zone: Type.String({
      description: "IANA name of the zone in which its days are counted.",
      examples: ["America/Mexico_City"],
    }),
    homepage: Type.String({
      format: "uri",
      description: "The authority's own page about it.",
      examples: [FIX_TABLE.homepage],
    }),
    terms: official.terms,
    collected: Type.Boolean({
      description: "False where this server is not set up to collect it and has nothing of it.",
      examples: [true],
    }),
    newest: Type.Unsafe<Static<typeof official.PublicationEntry> | null>({
      anyOf: [official.PublicationEntry, { type: "null" }],
      description:
        "The publication of the newest validity, which may lie ahead; null before the first, and while it is damaged in this server's store.",
      examples: [null],
    }),
  },
  { $id: "OfficialTable", additionalProperties: false, description: "A table of an authority." },
);

const OfficialTablesResponse = Type.Object(
  {
    result: field.result,
    tables: Type.Array(OfficialTableModel, {
      description: "Every table that this server offers.",
      examples: [[]],
    }),
    count: Type.Integer({ minimum: 0, description: "Number of tables.", examples: [1] }),
    notice: official.notice,
  },
  { $id: "OfficialTablesResponse", additionalProperties: false, description: "Official tables." },
);

/** The body of the list. */
export function tablesBody({ tables, simulated }: TableList) {
  return {
    result: "success",
    tables: tables.map(({ table, collected, newest }) => ({
      id: table.id,
      country: table.country,
      types: table.types,
      title: table.title,
      authority: table.authority,
      cadence: table.cadence,
      currency: table.currency,
      zone: table.zone,
      homepage: table.homepage,
      terms: table.terms,
      collected,
      newest: newest === null ? null : official.entryBody(newest),
    })),
    count: tables.length,
    notice: official.officialNotice(simulated),
  } satisfies Body<typeof OfficialTablesResponse>;
}

/** The body of /v1/rate for an official slug. */
export function officialQuoteBody(slug: string, pair: PairRate) {
  return rateBody(slug, pair, official.officialNotice(pair.simulated));
}

export const OFFICIAL: readonly Operation[] = [
  {
    id: "listOfficialTables",
    method: "get",
    path: "/v1/official",
    tag: "Official",
    summary: "Official tables",
    description:
      "Tables of rates that authorities publish under their own name: for customs, tax and contracts. Each with its types, its authority and its newest publication. The example shows one of them.",
    parameters: [],
    ok: {
      description: "The tables.",
      schema: OfficialTablesResponse,
      example: { result: "success", tables: [FIX_TABLE], count: 1, notice: OFFICIAL_NOTICE },
      conditional: true,
    },
    errors: ["source_unavailable", "service_unavailable"],
  },
];
