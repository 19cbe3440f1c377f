/** What answers about official publications share: tables, names, versions, days, rates. */

import { Type } from "@sinclair/typebox";
import type { Body } from "#contract/body.ts";
import * as form from "#contract/forms.ts";
import type { Parameter } from "#contract/operation.ts";
import { inQuery } from "#contract/parameters.ts";
import { noticeText } from "#domain/dataset/provenance.ts";
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

export const country = form.text(
  "ISO 3166-1 alpha-3 code of the authority's country, upper case; `EUE` for the European Union.",
  "MEX",
  { pattern: "^[A-Z]{3}$" },
);

export const type = form.text("The type that was requested, lower case.", "fix", {
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

export const validFrom = form.day(
  "First day of validity, on the calendar of the table's own zone.",
  "2026-04-13",
);

export const validTo = form.dayOrNull(
  "Last day of validity; null when it is valid until the next publication.",
  "2026-04-30",
);

const publishedAt = form.instantOrNull(
  "When the authority published this version, UTC; null where its document does not state it.",
  null,
);

export const retrievedAt = form.instant(
  "When this server retrieved this version, UTC.",
  "2026-04-13T18:05:11Z",
);

export const authority = form.text("Who publishes it.", "Banco de México");

export const terms = form.text(
  "Attribution and terms of the authority; to be passed on with the rates.",
  "Source: Banco de México, Sistema de Información Económica, reproduced as published.",
);

export const notice = form.text(
  "Reminder that rates are indicative, and that the authority's own publication prevails. It starts with SIMULATED on made-up data.",
  NOTICE,
);

export const hasMore = form.flag("True when another page follows.", false);

export const nextCursor = form.textOrNull(
  "Send it back as `cursor`, with everything else unchanged, for the next page; null on the last.",
  null,
);

const currency = (description: string, example: string) =>
  form.text(description, example, { pattern: "^[A-Z]{3}$" });

export const OfficialRate = form.named("OfficialRate", "One rate of a publication.", {
  base: currency("ISO 4217 code; also of currencies outside the catalog.", "USD"),
  quote: currency("ISO 4217 code of the currency that the rate is in.", "MXN"),
  rate: Type.Number({
    exclusiveMinimum: 0,
    description: "`unit` units of `base` are this many units of `quote`, with the digits as printed.",
    examples: [17.3485],
  }),
  unit: form.count("By how many units the table counts the currency: 1, 10, 100, …", 1, 1),
  kind: form.oneOf<OfficialKind>(
    OFFICIAL_KINDS,
    "`mid`: a mean of the market or a rate set. `buy`, `sell`: what is paid and charged for the currency. `average`: the mean of a period.",
  ),
});

/** Members of a version, in every answer that names one. */
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

export const cursor = inQuery("cursor", {
  schema: Type.String({ maxLength: 256 }),
  description: "A cursor of the answer before, exactly as returned.",
});

export function limit(most: number, fallback: number): Parameter {
  return inQuery("limit", {
    schema: Type.Integer({ minimum: 1, maximum: most, default: fallback }),
    description: "Entries a page.",
    example: fallback,
    inSampleCall: false,
  });
}
