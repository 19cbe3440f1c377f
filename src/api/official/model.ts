/** Shared by answers about official publications: members, printers, parameters and options of routes. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import * as form from "#api/forms.ts";
import * as parameter from "#api/parameters.ts";
import type { House } from "#api/plugins/house.ts";
import { printedBy } from "#api/print.ts";
import type { TurnDeps } from "#api/response/json.ts";
import { operation, type Words } from "#api/words.ts";
import { officialNotice } from "#domain/dataset/dataset.ts";
import { exactNumber } from "#domain/net/message.ts";
import { OFFICIAL_KINDS, type OfficialKind, type OfficialTable } from "#domain/official/publication.ts";
import type { OfferedTable, OfficialDeps } from "#official/deps.ts";
import { findTable } from "#official/tables.ts";

export const country = form.text(
  "ISO 3166-1 alpha-3 code of the authority's country, upper case; `EUE` for the European Union.",
  "MEX",
  { pattern: "^[A-Z]{3}$" },
);

const type = form.text("The type that was requested, lower case.", "fix", {
  pattern: "^[a-z0-9_-]+$",
});

export const types = form.list(
  Type.String(),
  "Every type by which the table is found below its country, the plainest first.",
  ["fix", "banxico"],
);

export const publication = form.text(
  "Name of the publication: the authority's own where it has one (slashes as hyphens), else its date or period.",
  "2026-04-13",
  { pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$" },
);

export const version = form.count("1 for the first, one more with every correction by the authority.", 1, 1);

export const validFrom = form.day("First day of validity, by the calendar of its zone.", "2026-04-13");

export const validTo = form.dayOrNull("Last day of validity; null: valid until the next publication.", null);

const publishedAt = form.instantOrNull("When the authority published it, UTC; null where not stated.", null);

export const retrievedAt = form.instant("When this server retrieved it, UTC.", "2026-04-13T18:05:11Z");

export const authority = form.text("Who publishes it.", "Banco de México");

export const terms = form.text(
  "Attribution and terms of the authority; to be passed on with the rates.",
  "Source: Banco de México, Sistema de Información Económica, reproduced as published.",
);

export const sourceUrl = form.text(
  "Address of the document that this version was read from, without credentials.",
  "https://www.banxico.org.mx/SieAPIRest/service/v1/series/SF43718/datos/2026-04-13/2026-04-13",
  { format: "uri" },
);

export const documentSha256 = form.sha256("SHA-256 of that document, in hex.");

export const citation = form.text(
  "One line with everything that finds the rate again.",
  "Banco de México: FIX: pesos per US dollar, by day of determination, 2026-04-13, version 1, 1 USD = 17.3485 MXN, retrieved 2026-04-13T18:05:11Z, https://www.banxico.org.mx/SieAPIRest/service/v1/series/SF43718/datos/2026-04-13/2026-04-13",
);

export const notice = form.text(
  "Reminder that rates are indicative, and that the authority's own publication prevails. It starts with SIMULATED on made-up data.",
  officialNotice(false),
);

export const hasMore = form.flag("True when another page follows.", false);

export const nextCursor = form.textOrNull("The `cursor` of the next page; null on the last.", null);

export const OfficialRate = form.named("OfficialRate", "One rate of a publication.", {
  base: form.anyCurrency("ISO 4217 code; also of currencies outside the catalog.", "USD"),
  quote: form.anyCurrency("ISO 4217 code of the currency that the rate is in.", "MXN"),
  rate: printedBy(
    Type.Number({
      exclusiveMinimum: 0,
      description: "`unit` units of `base` are this many units of `quote`, with the digits as printed.",
      examples: [17.3485],
    }),
    (printed: string) => exactNumber(numberText(printed)),
  ),
  unit: form.count("By how many units the table counts the currency: 1, 10, 100, …", 1, 1),
  kind: form.oneOf<OfficialKind>(
    OFFICIAL_KINDS,
    "`mid`: a mean of the market or a rate set. `buy`, `sell`: what is paid and charged for the currency. `average`: the mean of a period.",
  ),
});

export const tableFields = { country, type, types };

export const versionFields = {
  publication,
  version,
  valid_from: validFrom,
  valid_to: validTo,
  published_at: publishedAt,
  retrieved_at: retrievedAt,
};

export const PublicationEntry = form.named(
  "OfficialPublicationEntry",
  "A publication in its newest version, without its rates.",
  versionFields,
);

export const OfficialTableModel = form.named("OfficialTable", "A table of an authority.", {
  id: form.text("Id of the table; the middle of event ids.", "mex_fix", { pattern: "^[a-z0-9_]+$" }),
  country,
  types,
  title: form.text("What it holds.", "FIX: pesos per US dollar, by day of determination"),
  authority,
  cadence: form.oneOf<OfficialTable["cadence"]>(
    ["daily", "weekly", "monthly", "quarterly"],
    "How often it is published.",
  ),
  currency: form.anyCurrency("The currency that all its rates are in, or are of.", "MXN"),
  zone: form.text("IANA name of the zone in which its days are counted.", "America/Mexico_City"),
  homepage: form.text(
    "The authority's own page about it.",
    "https://www.banxico.org.mx/tipcamb/main.do?page=tip&idioma=en",
    { format: "uri" },
  ),
  terms,
  collected: form.flag("False where this server is not set up to collect it and has nothing of it.", true),
  newest: form.orNull(
    PublicationEntry,
    "The publication of the newest validity, which may lie ahead; null before the first, and while it is damaged in this server's store.",
  ),
});

export function tableFacts({ country, types, authority, terms }: OfficialTable, type: string) {
  return { country, type: type.toLowerCase(), types, authority, terms };
}

/** `unread` says what is missing since the last reading of the table; null when nothing is. */
export function tableNotice(simulated: boolean, unread: string | null): string {
  return unread === null ? officialNotice(simulated) : `${officialNotice(simulated)} ${unread}.`;
}

/** Prints numbers as JSON does: "007.10" → "7.10". */
export function numberText(printed: string): string {
  const [whole = "", fraction] = printed.split(".");
  const digits = whole.replace(/^0+(?=\d)/, "") || "0";
  return fraction === undefined || fraction === "" ? digits : `${digits}.${fraction}`;
}

const COUNTRY = Type.String({ pattern: "^[A-Za-z]{3}$" });
const TYPE = Type.String({ pattern: "^[A-Za-z0-9_-]{1,32}$" });

const tablePath = {
  country: parameter.segment({
    schema: COUNTRY,
    description: "ISO 3166-1 alpha-3 code, any case.",
    example: "MEX",
  }),
  type: parameter.segment({
    schema: TYPE,
    description: "A type of the table, any case; `/v1/official` lists them.",
    example: "fix",
  }),
};

export const countryFilter = parameter.text({
  schema: COUNTRY,
  description: "Only changes of this country's tables; any case.",
  example: "MEX",
});

export const typeFilter = parameter.text({
  schema: TYPE,
  description: "Only changes of tables with this type; any case.",
  example: "fix",
  inSampleCall: false,
});

export const cursor = parameter.text({
  schema: Type.String({ maxLength: 256 }),
  description: "A cursor of the answer before, exactly as returned.",
});

export const on = parameter.day({
  description: "The day of the event, on the calendar of the table's zone; today when absent.",
  example: "2026-04-13",
  inSampleCall: false,
});

export const asOf = parameter.instant({
  description: "Only publications and versions that this server had retrieved at this instant.",
  example: "2026-04-13T16:00:00Z",
  inSampleCall: false,
});

export function limit(most: number, fallback: number): parameter.Parameter<number> {
  const details = { description: "Entries a page.", example: fallback, inSampleCall: false } as const;
  return parameter.integer({ least: 1, most, fallback, ...details });
}

export interface OfficialRouteDeps extends TurnDeps {
  readonly house: House;
  /** Origin of the links in the feed. */
  readonly publicUrl: string;
  /** Fails with `source_unavailable` when official tables are switched off. */
  readonly tables: () => OfficialDeps;
}

/** A webhook may just have announced new content: caches must confirm their copy. */
export const REVALIDATED = "public, no-cache";

interface Asked<P, Q> extends Omit<Words, "tag"> {
  readonly path?: P;
  readonly query: Q;
}

/**
 * Makes a metered route. `check` refuses what can be refused before the caller is charged, and returns the reading of the
 * answer, which waits for its turn among all callers. docs/contract.md says why publications have no limit of age.
 */
export function route<P extends parameter.Parameters, Q extends parameter.Parameters>(
  { house, turns }: OfficialRouteDeps,
  url: string,
  check: (path: parameter.Read<P>, query: parameter.Read<Q>, request: Request) => () => Promise<object>,
  { path: inPath = {} as P, query: inQuery, errors = [], ...of }: Asked<P, Q>,
) {
  return new Elysia()
    .use(house)
    .guard({ params: parameter.path(inPath), query: parameter.query(inQuery) })
    .resolve(async ({ request, params, query }) => ({
      read: check(params as parameter.Read<P>, query as parameter.Read<Q>, request),
    }))
    .get(
      url,
      async ({ request, read }) => await turns.slot(request, read),
      operation({
        metered: { isLarge: true },
        reply: { cacheControl: REVALIDATED },
        tag: "Official",
        ...of,
        errors: [...errors, "source_unavailable", "service_unavailable"],
      }),
    );
}

/** Makes a route below the path of a table. `check` gets the table, too, and its type as requested. */
export function tableRoute<P extends parameter.Parameters, Q extends parameter.Parameters>(
  deps: OfficialRouteDeps,
  below: string,
  check: (
    of: { readonly offered: OfferedTable; readonly country: string; readonly type: string },
    query: parameter.Read<Q>,
    path: parameter.Read<P>,
    request: Request,
  ) => () => Promise<object>,
  { path: inPath = {} as P, errors = [], ...asked }: Asked<P, Q>,
) {
  return route<P & typeof tablePath, Q>(
    deps,
    `/v1/official/:country/:type${below}`,
    (path, query, request) => {
      const { country, type } = path as parameter.Read<typeof tablePath>;
      const offered = findTable(deps.tables(), country, type);
      return check({ offered, country, type }, query, path as parameter.Read<P>, request);
    },
    { ...asked, path: { ...tablePath, ...inPath }, errors: ["not_found", ...errors] },
  );
}
