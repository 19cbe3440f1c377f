/** Converts TypeBox schemas to JSON Schema 2020-12. Named ones become components and are referred to. */

import type { TSchema } from "@sinclair/typebox";
import { ERROR_SCHEMAS } from "#api/errors.ts";
import { CurrencyCodeModel, MarketSessionModel, SourceModel } from "#api/model.ts";

/** Named schemas whose own description is the component's; other places may add a meaning of their own. */
const VOCABULARY: readonly TSchema[] = [CurrencyCodeModel, SourceModel, MarketSessionModel, ...ERROR_SCHEMAS];

// biome-ignore lint/suspicious/noExplicitAny: a JSON object of any depth, built here and only printed or searched
export type Json = Record<string, any>;

export interface Components {
  /** The schema as the document has it. An object with nothing but a known `$id` is a reference by name. */
  readonly refer: (schema: object) => Json;
  /** A reference to a response that several operations share; built at the first use. */
  readonly respond: (name: string, build: () => Json) => Json;
  readonly responses: () => Json;
  /** Everything that was referred to, by name. */
  readonly schemas: () => Json;
}

/** One document's components. Two different schemas under one name are an error, except for their wording. */
export function createComponents(): Components {
  const named = new Map<string, Json>();
  const canonical = new Map<string, TSchema>();
  for (const schema of VOCABULARY) canonical.set(schema.$id as string, schema);

  const refer = (schema: object): Json => {
    const { $id: name, ...rest } = schema as Json;
    if (name === undefined) return convert(rest);
    const original = canonical.get(name) ?? (schema as TSchema);
    canonical.set(name, original);
    if (!named.has(name)) {
      named.set(name, {});
      const { $id: _, ...definition } = original as Json;
      named.set(name, convert(definition));
    }
    const reference: Json = { $ref: `#/components/schemas/${name}` };
    // A description of this place is beside the reference.
    for (const word of ["description", "examples"]) {
      if (rest[word] !== undefined && rest[word] !== original[word]) reference[word] = rest[word];
    }
    return reference;
  };

  const convert = (schema: Json): Json => {
    const out: Json = {};
    for (const [keyword, value] of Object.entries(schema)) out[keyword] = convertKeyword(keyword, value);
    // A tuple of draft 7 (items, additionalItems) is spelled prefixItems, items in 2020-12.
    if (Array.isArray(schema["items"])) {
      out["prefixItems"] = out["items"];
      out["items"] = false;
      delete out["additionalItems"];
    }
    return out;
  };

  const convertKeyword = (keyword: string, value: unknown): unknown => {
    if (LITERAL.has(keyword) || typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((entry) => (typeof entry === "object" ? refer(entry) : entry));
    if (keyword === "properties") {
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, refer(member)]));
    }
    return refer(value);
  };

  const shared = new Map<string, Json>();
  return {
    refer,
    respond: (name, build) => {
      if (!shared.has(name)) shared.set(name, build());
      return { $ref: `#/components/responses/${name}` };
    },
    responses: () => Object.fromEntries(shared),
    schemas: () => Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Keywords whose values are data, not schemas. */
const LITERAL: ReadonlySet<string> = new Set(["enum", "const", "default", "examples", "required", "type"]);
