/** GET /v1/official and below: the tables of authorities, their publications, and one of them with its rates. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { day, integer, optional, type Parameter } from "#api/parameters.ts";
import { print } from "#api/print.ts";
import { officialNotice } from "#domain/dataset/dataset.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { Day } from "#domain/time/day.ts";
import {
  DEFAULT_PUBLICATIONS,
  type FoundPublication,
  MOST_PUBLICATIONS,
  officialPublication,
  officialPublications,
  type PublicationLookup,
  type PublicationPage,
} from "#official/publications.ts";
import { officialTables, type TableList } from "#official/tables.ts";
import * as official from "./model.ts";

export const OfficialTablesResponse = field.answer("OfficialTablesResponse", "Official tables.", {
  tables: form.list(official.OfficialTableModel, "Every table that this server offers."),
  count: form.count("Number of tables.", 1),
  notice: official.notice,
});

const tablesBody = ({ tables, simulated }: TableList) =>
  print(OfficialTablesResponse, {
    tables: tables.map(({ table, ...state }) => ({ ...table, ...state })),
    count: tables.length,
    notice: officialNotice(simulated),
  });

export const OfficialPublicationsResponse = field.answer("OfficialPublicationsResponse", "Publications.", {
  ...official.tableFields,
  publications: form.list(
    official.PublicationEntry,
    "Each in its newest version, the newest validity first.",
  ),
  has_more: official.hasMore,
  next_cursor: official.nextCursor,
  notice: official.notice,
});

const publicationsBody = ({ table, type, simulated, ...page }: PublicationPage) =>
  print(OfficialPublicationsResponse, {
    ...official.tableFacts(table, type),
    ...page,
    hasMore: page.nextCursor !== null,
    notice: officialNotice(simulated),
  });

const VersionEntry = form.named("OfficialVersion", "A version that can be read.", {
  version: official.version,
  retrieved_at: official.retrievedAt,
});

export const OfficialPublicationResponse = field.answer(
  "OfficialPublicationResponse",
  "A whole publication.",
  {
    ...official.tableFields,
    ...official.versionFields,
    versions: form.list(VersionEntry, "Every version, ascending; all of them remain readable."),
    authority: official.authority,
    source_url: official.sourceUrl,
    document_sha256: official.documentSha256,
    rows: form.list(official.OfficialRate, "Its rates, by base, quote and kind."),
    terms: official.terms,
    notice: official.notice,
  },
);

const publicationBody = ({ table, type, publication, versions, simulated, unread }: FoundPublication) =>
  print(OfficialPublicationResponse, {
    ...official.tableFacts(table, type),
    ...publication,
    versions,
    notice: official.tableNotice(simulated, unread),
  });

const someDay = day({
  description: "The publication that is valid on this day, or `today`, on the calendar of the table's zone.",
  example: "2026-04-13",
  inSampleCall: false,
});
const TODAY = "today";
const validOn: Parameter<Day | typeof TODAY | null> = {
  ...someDay,
  schema: Type.String({ pattern: `${form.DAY_PATTERN}|^${TODAY}$` }),
  parse: (text, read, name) => (text === TODAY ? TODAY : someDay.parse(text, read, name)),
};

/** The form that the domain's `publicationId` makes. */
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

/** Null means the newest. */
const version = optional(
  integer({
    ...{ least: 1, most: 999_999, example: 1, inSampleCall: false },
    description: "The version wanted; the newest without it.",
  }),
);

const from = day({ description: "First day of validity from this day on.", example: "2026-04-01" });
const to = day({ description: "First day of validity up to this day.", example: "2026-04-30" });

export const publications = (deps: official.OfficialRouteDeps) => {
  const list = official.tableRoute(
    deps,
    "/publications",
    ({ country, type }, query) => {
      const read = officialPublications(deps.tables(), { country, type, ...query });
      return async () => publicationsBody(await read());
    },
    {
      query: {
        from,
        to,
        limit: official.limit(MOST_PUBLICATIONS, DEFAULT_PUBLICATIONS),
        cursor: official.cursor,
      },
      id: "listOfficialPublications",
      summary: "Publications of a table",
      description: "Newest first, without rates. `from` and `to` go by the first day of validity.",
      ok: OfficialPublicationsResponse,
    },
  );
  const read =
    ({ offered, type }: Omit<PublicationLookup, "asked">, which: PublicationLookup["asked"]) =>
    async () =>
      publicationBody(await officialPublication(deps.tables(), { offered, type, asked: which }));
  const latest = official.tableRoute(
    deps,
    "/publications/latest",
    (of, { valid_on: day }) =>
      read(of, day === null ? { by: "newest" } : { by: "day", day: day === TODAY ? null : day }),
    {
      query: { valid_on: validOn },
      id: "getLatestOfficialPublication",
      summary: "The newest publication of a table",
      description:
        "The publication of the newest validity, which may lie ahead where an authority publishes ahead; with `valid_on` the one that is valid on a day.",
      ok: OfficialPublicationResponse,
    },
  );
  const one = official.tableRoute(
    deps,
    "/publications/:publication_id",
    (of, { version }, path) => read(of, { by: "name", publication: path.publication_id, version }),
    {
      path: { publication_id: publicationId },
      query: { version },
      id: "getOfficialPublication",
      summary: "A publication with its rates",
      description: "In its newest version, or with `version` in any other.",
      ok: OfficialPublicationResponse,
    },
  );
  return new Elysia().use(list).use(latest).use(one);
};

export const tables = (deps: official.OfficialRouteDeps) =>
  official.route(deps, "/v1/official", () => async () => tablesBody(await officialTables(deps.tables())), {
    query: {},
    id: "listOfficialTables",
    summary: "Official tables",
    description:
      "Tables of rates that authorities publish under their own name: for customs, tax and contracts. Each with its types, its authority and its newest publication. The example shows one of them.",
    ok: OfficialTablesResponse,
  });
