/** Arguments of several tools, and their query. REST checks the values; only types are checked here. */

import { type TSchema, Type } from "@sinclair/typebox";
import { DAY_PATTERN } from "#api/forms.ts";
import type { Described } from "#api/parameters.ts";
import { CURRENCY_CODES } from "#domain/currency/currency.ts";

export function inputOf<Members extends Record<string, TSchema>>(members: Members) {
  return Type.Object(members, { additionalProperties: false });
}

export function currency(description: string, example: string) {
  return Type.String({
    pattern: "^[A-Za-z]{3}$",
    description: `${description} ISO 4217 code, one of ${CURRENCY_CODES.length} (list_currencies).`,
    examples: [example],
  });
}

/** Returns the schema of a REST parameter with its description and example, as a text: the checker has no kind `Unsafe`. */
export function parameter({ schema, description, example }: Described) {
  return Type.String({ ...schema, description, examples: [example] });
}

export const base = Type.Optional(
  currency("Base currency: rates are units of the others per 1 unit of it. USD when absent.", "EUR"),
);

export const symbols = Type.Array(Type.String({ pattern: "^[A-Za-z]{3}$" }), {
  maxItems: 100,
  description:
    "Currencies wanted, ISO 4217 codes. Name only those that are needed: the answer is shorter then.",
  examples: [["EUR", "GBP"]],
});

export function day(description: string, example: string) {
  return Type.String({
    pattern: DAY_PATTERN,
    description: `${description} YYYY-MM-DD.`,
    examples: [example],
  });
}

export function instant(description: string) {
  return Type.String({
    maxLength: 40,
    description: `${description} Such as 2026-04-13T16:00:00Z; any offset is good.`,
    examples: ["2026-04-13T16:00:00Z"],
  });
}

export const decimals = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: 10,
    description: "Rounds rates half-even to so many decimals; absent keeps every digit.",
  }),
);

export const asOf = Type.Optional(
  instant("Answers with what was known at this instant, without later corrections."),
);

export const amount = Type.Union(
  [Type.Number(), Type.String({ maxLength: 256, description: "A decimal number such as 49.90." })],
  {
    description:
      "Amount to convert. A text keeps all its digits; a JSON number has at most 15 that are sure to be kept.",
    examples: [250, "49.90"],
  },
);

export const cursor = Type.Optional(
  Type.String({
    maxLength: 256,
    description: "`next_cursor` of the answer before, for the next page; all other arguments stay the same.",
  }),
);

/** Makes `?name=value&…` without absent ones; lists are joined by commas. */
export function queryOf(
  values: Readonly<Record<string, string | number | readonly string[] | undefined>>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    query.set(name, typeof value === "object" ? value.join(",") : String(value));
  }
  return query.size === 0 ? "" : `?${query}`;
}
