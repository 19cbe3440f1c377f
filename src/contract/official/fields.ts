/** What answers about official publications share: tables, names, versions, days, rates. */

import { Type } from "@sinclair/typebox";
import type { Body } from "#contract/body.ts";
import * as field from "#contract/fields.ts";
import type { Parameter } from "#contract/operation.ts";
import { noticeText } from "#domain/history/provenance.ts";
import { Digits } from "#domain/net/message.ts";
import {
  OFFICIAL_KINDS,
  type OfficialKind,
  type OfficialRow,
  type PublicationVersion,
} from "#domain/official/publication.ts";
import { formatDay, formatInstant } from "#domain/time/day.ts";

const NOTICE = "Official rates as their authority published them; its own publication prevails.";

// ── Members ──────────────────────────────────────────────────────────────────────────────────────

export const country = Type.String({
  pattern: "^[A-Z]{3}$",
  description:
    "ISO 3166-1 alpha-3 code of the authority's country, upper case; `EUE` for the European Union.",
  examples: ["MEX"],
});

export const type = Type.String({
  pattern: "^[a-z0-9_-]+$",
  description: "The type that was requested, lower case.",
  examples: ["fix"],
});

export const types = Type.Array(Type.String(), {
  description: "Every type by which the table is found below its country, the plainest first.",
  examples: [["fix", "banxico"]],
});

export const publication = Type.String({
  pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$",
  description:
    "Name of the publication: the authority's own where it has one (slashes as hyphens), else its date or period.",
  examples: ["2026-04-13"],
});

export const version = Type.Integer({
  minimum: 1,
  description: "1 for the first, one more with every correction by the authority.",
  examples: [1],
});

export const validFrom = field.day(
  "First day of validity, on the calendar of the table's own zone.",
  "2026-04-13",
);

export const validTo = field.nullable<string>("string", {
  format: "date",
  pattern: field.DAY_PATTERN,
  description: "Last day of validity; null when it is valid until the next publication.",
  examples: ["2026-04-30"],
});

const publishedAt = field.nullable<string>("string", {
  format: "date-time",
  pattern: field.INSTANT_PATTERN,
  description: "When the authority published this version, UTC; null where its document does not state it.",
  examples: [null],
});

export const retrievedAt = field.instant(
  "When this server retrieved this version, UTC.",
  "2026-04-13T18:05:11Z",
);

export const authority = Type.String({
  description: "Who publishes it.",
  examples: ["Banco de México"],
});

export const terms = Type.String({
  description: "Attribution and terms of the authority; to be passed on with the rates.",
  examples: ["Source: Banco de México, Sistema de Información Económica, reproduced as published."],
});

export const notice = Type.String({
  description:
    "Reminder that rates are indicative, and that the authority's own publication prevails. It starts with SIMULATED on made-up data.",
  examples: [NOTICE],
});

export const hasMore = Type.Boolean({ description: "True when another page follows.", examples: [false] });

export const nextCursor = field.nullable<string>("string", {
  description:
    "Send it back as `cursor`, with everything else unchanged, for the next page; null on the last.",
  examples: [null],
});

const currency = (description: string, example: string) =>
  Type.String({ pattern: "^[A-Z]{3}$", description, examples: [example] });

export const OfficialRate = Type.Object(
  {
    base: currency("ISO 4217 code; also of currencies outside the catalog.", "USD"),
    quote: currency("ISO 4217 code of the currency that the rate is in.", "MXN"),
    rate: Type.Number({
      exclusiveMinimum: 0,
      description: "`unit` units of `base` are this many units of `quote`, with the digits as printed.",
      examples: [17.3485],
    }),
    unit: Type.Integer({
      minimum: 1,
      description: "By how many units the table counts the currency: 1, 10, 100, …",
      examples: [1],
    }),
    kind: Type.Unsafe<OfficialKind>({
      type: "string",
      enum: [...OFFICIAL_KINDS],
      description:
        "`mid`: a mean of the market or a rate set. `buy`, `sell`: what is paid and charged for the currency. `average`: the mean of a period.",
    }),
  },
  { $id: "OfficialRate", additionalProperties: false, description: "One rate of a publication." },
);

/** Members of a version, in every answer that names one. */
export const versionFields = {
  publication,
  version,
  valid_from: validFrom,
  valid_to: validTo,
  published_at: publishedAt,
  retrieved_at: retrievedAt,
};

export const PublicationEntry = Type.Object(versionFields, {
  $id: "OfficialPublicationEntry",
  additionalProperties: false,
  description: "A publication in its newest version, without its rates.",
});

// ── Printers ─────────────────────────────────────────────────────────────────────────────────────

/** Reminder on every answer with official rates; the demo's begins with the mark of simulated data. */
export function officialNotice(simulated: boolean): string {
  return `${noticeText(simulated, false)} ${NOTICE}`;
}

/** What a version is called, when it is valid, and when it was retrieved. */
export function entryBody({ publication, version, validFrom, validTo, ...more }: PublicationVersion) {
  return {
    publication,
    version,
    valid_from: formatDay(validFrom),
    valid_to: validTo === null ? null : formatDay(validTo),
    published_at: more.publishedAt === null ? null : formatInstant(more.publishedAt),
    retrieved_at: formatInstant(more.retrievedAt),
  } satisfies Body<typeof PublicationEntry>;
}

/** The rate is a number with the digits that were printed. */
export function rateBody({ base, quote, rate, unit, kind }: OfficialRow) {
  return { base, quote, rate: new Digits(numberText(rate)), unit, kind } satisfies Body<typeof OfficialRate>;
}

/** As JSON writes numbers: without zeros in front ("007.10" → "7.10"). */
function numberText(printed: string): string {
  const [whole = "", fraction] = printed.split(".");
  const digits = whole.replace(/^0+(?=\d)/, "") || "0";
  return fraction === undefined || fraction === "" ? digits : `${digits}.${fraction}`;
}

// ── Parameters ───────────────────────────────────────────────────────────────────────────────────

const inPath = { in: "path", required: true } as const;

export const tableParameters: readonly Parameter[] = [
  {
    ...inPath,
    name: "country",
    schema: Type.String({ pattern: "^[A-Za-z]{3}$" }),
    description: "ISO 3166-1 alpha-3 code, any case.",
    example: "MEX",
  },
  {
    ...inPath,
    name: "type",
    schema: Type.String({ pattern: "^[A-Za-z0-9_-]{1,32}$" }),
    description: "A type of the table, any case; `/v1/official` lists them.",
    example: "fix",
  },
];

export const cursor: Parameter = {
  name: "cursor",
  in: "query",
  required: false,
  schema: Type.String({ maxLength: 256 }),
  description: "A cursor of the answer before, exactly as returned.",
};

export function limit(most: number, fallback: number): Parameter {
  return {
    name: "limit",
    in: "query",
    required: false,
    schema: Type.Integer({ minimum: 1, maximum: most, default: fallback }),
    description: "Entries a page.",
    example: fallback,
    inSampleCall: false,
  };
}
