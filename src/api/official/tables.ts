/** GET /v1/official: the list of official tables. */

import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Body } from "#api/body.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { respondInTurn } from "#api/response/json.ts";
import { words } from "#api/words.ts";
import type { TableList } from "#domain/official/answers.ts";
import type { OfficialTable } from "#domain/official/publication.ts";
import { officialTables } from "#official/tables.ts";
import * as official from "./model.ts";
import { FIX_TABLE, metered, OFFICIAL_NOTICE, type OfficialRouteDeps, REVALIDATED } from "./model.ts";

const OfficialTableModel = form.named("OfficialTable", "A table of an authority.", {
  id: form.text("Id of the table; the middle of event ids.", "mex_fix", { pattern: "^[a-z0-9_]+$" }),
  country: official.country,
  types: official.types,
  title: form.text("What it holds.", FIX_TABLE.title),
  authority: official.authority,
  cadence: form.oneOf<OfficialTable["cadence"]>(
    ["daily", "weekly", "monthly", "quarterly"],
    "How often it is published.",
  ),
  currency: form.text("The currency that all its rates are in, or are of.", "MXN", {
    pattern: "^[A-Z]{3}$",
  }),
  zone: form.text("IANA name of the zone in which its days are counted.", "America/Mexico_City"),
  homepage: form.text("The authority's own page about it.", FIX_TABLE.homepage, { format: "uri" }),
  terms: official.terms,
  collected: form.flag("False where this server is not set up to collect it and has nothing of it.", true),
  newest: Type.Unsafe<Static<typeof official.PublicationEntry> | null>({
    anyOf: [official.PublicationEntry, { type: "null" }],
    description:
      "The publication of the newest validity, which may lie ahead; null before the first, and while it is damaged in this server's store.",
    examples: [null],
  }),
});

export const OfficialTablesResponse = form.named("OfficialTablesResponse", "Official tables.", {
  result: field.result,
  tables: form.list(OfficialTableModel, "Every table that this server offers.", []),
  count: form.count("Number of tables.", 1),
  notice: official.notice,
});

/** The body of the list. */
function tablesBody({ tables, simulated }: TableList) {
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

export const tables = ({ house, tables: collected, ...deps }: OfficialRouteDeps) =>
  new Elysia({ name: "official-tables" })
    .use(house)
    .get(
      "/v1/official",
      async ({ request }) =>
        await respondInTurn(request, deps, REVALIDATED, async () =>
          tablesBody(await officialTables(collected())),
        ),
      {
        metered,
        detail: words({
          id: "listOfficialTables",
          tag: "Official",
          summary: "Official tables",
          description:
            "Tables of rates that authorities publish under their own name: for customs, tax and contracts. Each with its types, its authority and its newest publication. The example shows one of them.",
          ok: {
            description: "The tables.",
            schema: OfficialTablesResponse,
            example: { result: "success", tables: [FIX_TABLE], count: 1, notice: OFFICIAL_NOTICE },
            conditional: true,
          },
          errors: ["source_unavailable", "service_unavailable"],
        }),
      },
    );
