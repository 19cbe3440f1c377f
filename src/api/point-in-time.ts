/** Parameters and members for answers as of a past instant, and for answers with the changes since an instant. */

import { Type } from "@sinclair/typebox";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { choice, instantText, optional, type Parameter, parseInstant } from "#api/parameters.ts";
import { Failure } from "#domain/faults/errors.ts";
import { AS_OF_BASES, type AsOf, type AsOfBasis } from "#domain/history/observation.ts";
import { openToken, type Since } from "#domain/point-in-time/since.ts";
import { formatInstant, parseDay, readInstant } from "#domain/time/day.ts";
import type { KnownAsOf } from "#rates/query.ts";

const BASIS_MEANING =
  "`published`: what the world could know, by the publication instant where the authority states one, by the publication schedule for the first value of a day, by retrieval for a correction. `retrieved`: what this very server held.";

const asOfBasis = choice(
  AS_OF_BASES,
  `With \`as_of\` only; \`published\` when absent. ${BASIS_MEANING}`,
  form.oneOf<AsOfBasis>(AS_OF_BASES),
);

/** Also reads `as_of_basis`, which is refused alone. Null when absent. */
const asOf: Parameter<AsOf | null> = {
  schema: instantText,
  description:
    "Answers with what was known at this instant, itself included; not after now. RFC 3339, any offset, up to nine decimals. A plain day is refused.",
  example: "2026-04-13T16:00:00Z",
  inSampleCall: false,
  parse: (text, read, name) => {
    const sent = read("as_of_basis");
    if (text === undefined && sent === undefined) return null;
    if (text === undefined)
      throw new Failure("invalid_request", { reason: "as_of_basis needs as_of: send both" });
    const basis = asOfBasis.parse(sent, read, "as_of_basis");
    return { instant: parseInstant(name, text), basis };
  },
};

/** `as_of` reads both. */
export const asOfParameters = { as_of: asOf, as_of_basis: asOfBasis };

/** The token of a lake with its newest retrieval at 2026-04-13T14:31:00Z. */
export const SYNC_EXAMPLE = "v1-mnxais2o-fv0-87e64f70";

export const updatedAfter = optional<Since>({
  schema: Type.String({ maxLength: 64 }),
  description:
    "Only values that changed since: for keeping a copy up to date. Send `sync_from` of the answer before, as it is; 1970-01-01T00:00:00Z the first time. An instant is accepted and approximate: it is compared with times of retrieval, which a wrong clock may have set. Not together with `as_of`.",
  example: "2026-04-13T14:00:00Z",
  inSampleCall: false,
  parse: (text = "", _, name) => {
    const token = openToken(text);
    if (token !== null) return token;
    if (readInstant(text) === null && parseDay(text) === null)
      throw new Failure("invalid_request", {
        reason: `${name} must be sync_from of an earlier answer, or a UTC instant such as 2026-04-13T16:30:00Z`,
      });
    const instant = parseInstant(name, text);
    return { text: formatInstant(instant), instant, day: null };
  },
});

export const asOfFields = form.optional({
  as_of: form.instant("With `as_of`: the instant that limits what the answer knows.", "2026-04-13T16:00:00Z"),
  as_of_basis: form.oneOf<AsOfBasis>(
    AS_OF_BASES,
    `With \`as_of\`: how knowledge is dated. ${BASIS_MEANING}`,
    "published",
  ),
  as_of_reconstructed: form.flag(
    "With `as_of`: true when a contributing figure came to this server only after that instant, so a value that the authority had replaced in between is not known.",
    false,
  ),
});

export function asOfMembers(asOf: KnownAsOf | null) {
  if (asOf === null) return {};
  return {
    as_of: formatInstant(asOf.instant),
    as_of_basis: asOf.basis,
    as_of_reconstructed: asOf.reconstructed,
  };
}

export const AS_OF_HEADER = {
  "X-As-Of": [
    "CSV and XLSX with `as_of` only: the instant and the basis.",
    "2026-04-10T18:00:00Z; basis=published",
  ],
} as const;

/** Returns the header for files, which have no members; no header without `as_of`. */
export function asOfHeader(asOf: AsOf | null): Record<string, string> {
  return asOf === null ? {} : { "X-As-Of": `${formatInstant(asOf.instant)}; basis=${asOf.basis}` };
}

export const syncFields = form.optional({
  updated_after: form.text("With `updated_after`: what was sent.", "2026-04-13T14:00:00Z"),
  sync_from: form.text(
    "With `updated_after`: what to send as `updated_after` next time. An opaque token of the version of the lake, not a time: what is committed later is in the next answer, whatever clocks say. It does not expire. The same on every page.",
    SYNC_EXAMPLE,
  ),
});

export const changeFields = form.optional({
  updated_at: field.byCurrency(
    Type.String({ format: "date-time", pattern: form.INSTANT_PATTERN }),
    "With `updated_after`: latest retrieval among the figures that the rate rests on, UTC.",
    { EUR: "2026-04-13T14:31:00Z" },
  ),
  revisions: field.byCurrency(
    Type.Integer({ minimum: 1 }),
    "With `updated_after`: highest revision among the figures that the rate rests on; 1 where nothing was corrected.",
    { EUR: 1 },
  ),
  withdrawn: form.list(
    field.CurrencyCodeModel,
    "With `updated_after`: currencies that have no value on this day any more; delete what you hold.",
    ["GBP"],
  ),
});
