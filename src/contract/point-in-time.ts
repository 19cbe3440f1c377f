/** Answers as of a past instant, and answers of what changed since one: parameters and members that operations share. */

import { Type } from "@sinclair/typebox";
import { AS_OF_BASES, type AsOfBasis } from "#domain/point-in-time/known.ts";
import type { KnownAsOf } from "#domain/rates/rates.ts";
import { formatInstant } from "#domain/time/day.ts";
import * as field from "./fields.ts";
import type { Parameter } from "./operation.ts";

const BASIS_MEANING =
  "`published`: what the world could know, by the publication instant where the authority states one, by the publication schedule for the first value of a day, by retrieval for a correction. `retrieved`: what this very server held.";

const instantText = Type.String({ format: "date-time", pattern: field.INSTANT_PATTERN });

export const asOfParameters: readonly Parameter[] = [
  {
    name: "as_of",
    in: "query",
    required: false,
    schema: instantText,
    description:
      "Answers with what was known at this UTC instant, itself included; not after now. A plain day is refused.",
    example: "2026-04-13T16:00:00Z",
    inSampleCall: false,
  },
  {
    name: "as_of_basis",
    in: "query",
    required: false,
    schema: Type.Unsafe<AsOfBasis>({ type: "string", enum: [...AS_OF_BASES] }),
    description: `With \`as_of\` only; \`published\` when absent. ${BASIS_MEANING}`,
    example: "published",
    inSampleCall: false,
  },
];

export const updatedAfterParameter: Parameter = {
  name: "updated_after",
  in: "query",
  required: false,
  schema: instantText,
  description:
    "Only values that changed since this UTC instant, by retrieval: for keeping a copy up to date. Send `sync_from` of the answer before; 1970-01-01T00:00:00Z the first time. Not together with `as_of`.",
  example: "2026-04-13T14:00:00Z",
  inSampleCall: false,
};

/** Members of an answer to `as_of`; absent from every other. */
export const asOfFields = {
  as_of: Type.Optional(
    field.instant(
      "With `as_of`: the instant whose knowledge the answer is limited to.",
      "2026-04-13T16:00:00Z",
    ),
  ),
  as_of_basis: Type.Optional(
    Type.Unsafe<AsOfBasis>({
      type: "string",
      enum: [...AS_OF_BASES],
      description: `With \`as_of\`: how knowledge is dated. ${BASIS_MEANING}`,
      examples: ["published"],
    }),
  ),
  as_of_reconstructed: Type.Optional(
    Type.Boolean({
      description:
        "With `as_of`: true when a contributing figure came to this server only after that instant, so that a value which the authority replaced in between could not be told from it.",
      examples: [false],
    }),
  ),
};

/** The members of an answer as of an instant; none for null. */
export function asOfMembers(asOf: KnownAsOf | null) {
  if (asOf === null) return {};
  return {
    as_of: formatInstant(asOf.instant),
    as_of_basis: asOf.basis,
    as_of_reconstructed: asOf.reconstructed,
  };
}

/** Members of an answer to `updated_after`; absent from every other. */
export const syncFields = {
  updated_after: Type.Optional(
    field.instant("With `updated_after`: the instant given.", "2026-04-13T14:00:00Z"),
  ),
  sync_from: Type.Optional(
    field.instant(
      "With `updated_after`: what to send as `updated_after` next time. It lies 15 minutes before the newest retrieval, so the last rows come again and none is left out. The same on every page.",
      "2026-04-13T14:16:00Z",
    ),
  ),
};

/** Members of a row of an answer to `updated_after`. */
export const changeFields = {
  updated_at: Type.Optional(
    field.byCurrency(
      Type.String({ format: "date-time", pattern: field.INSTANT_PATTERN }),
      "With `updated_after`: latest retrieval among the figures that the rate rests on, UTC.",
      { EUR: "2026-04-13T14:31:00Z" },
    ),
  ),
  revisions: Type.Optional(
    field.byCurrency(
      Type.Integer({ minimum: 1 }),
      "With `updated_after`: highest revision among the figures that the rate rests on; 1 where nothing was corrected.",
      { EUR: 1 },
    ),
  ),
  withdrawn: Type.Optional(
    Type.Array(field.CurrencyCodeModel, {
      description:
        "With `updated_after`: currencies that have no value on this day any more; delete what you hold.",
      examples: [["GBP"]],
    }),
  ),
};
