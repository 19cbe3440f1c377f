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

/**
 * An example composed of those of the members: of a request every member, of an answer those that are always there. A schema that
 * states an example of its own has that one, where members depend on each other. Undefined for a text without an example.
 */
export function exampleOf(schema: object, of: "request" | "answer"): unknown {
  const {
    examples,
    enum: values,
    anyOf,
    oneOf,
    properties,
    required = [],
    items,
    type,
    ...rest
  } = schema as Json;
  const stated = [examples?.[0], rest["const"], rest["default"], values?.[0]].find(
    (one) => one !== undefined,
  );
  if (stated !== undefined) return stated;
  const [first] = anyOf ?? oneOf ?? [];
  if (first !== undefined) return exampleOf(first, of);
  if (type === "array") return (Array.isArray(items) ? items : [items]).map((item) => exampleOf(item, of));
  if (properties === undefined) return undefined;
  const members = Object.entries<object>(properties)
    .filter(([name]) => of === "request" || required.includes(name))
    .map(([name, member]) => [name, exampleOf(member, of)]);
  return Object.fromEntries(members.filter(([, example]) => example !== undefined));
}
