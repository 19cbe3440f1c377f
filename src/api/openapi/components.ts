/** TypeBox schemas as JSON Schema 2020-12 for the code generators in docs/clients.md. Named schemas become components. */

import { ERROR_SCHEMAS } from "#api/errors.ts";
import { CurrencyCodeModel, MarketSessionModel, SourceModel } from "#api/model.ts";

// biome-ignore lint/suspicious/noExplicitAny: a JSON object of any depth, built here and only printed or searched
export type Json = Record<string, any>;

/** Named schemas with a description of their own; a reference may add another. */
const VOCABULARY: readonly Json[] = [CurrencyCodeModel, SourceModel, MarketSessionModel, ...ERROR_SCHEMAS];

/** Keywords with plain values, not schemas. */
const LITERAL: ReadonlySet<string> = new Set(["enum", "const", "default", "examples", "required", "type"]);

export type Components = ReturnType<typeof createComponents>;

/**
 * Collects the schemas and responses of one document. Unless `isExact`, it leaves out keywords that code generators
 * handle badly: the patterns of instants, the codes of each refusal, the end of a tuple. Descriptions, examples and
 * `maxItems` still state these limits. The product's own tests read the exact form.
 */
export function createComponents(isExact: boolean) {
  const originals = new Map<string, Json>(VOCABULARY.map((schema) => [schema["$id"], schema]));
  const schemas = new Map<string, Json>();
  const responses = new Map<string, Json>();

  /** Converts a schema. A named one becomes a reference; for the vocabulary its `$id` is enough. */
  const refer = ({ $id: name, ...schema }: Json): Json => {
    if (name === undefined) return convert(schema);
    const original = originals.get(name) ?? schema;
    originals.set(name, original);
    if (!schemas.has(name)) schemas.set(name, convert(original));
    const reference: Json = { $ref: `#/components/schemas/${name}` };
    // A description or example of this place goes beside the reference.
    for (const keyword of ["description", "examples"]) {
      const here = schema[keyword];
      if (here !== undefined && here !== original[keyword]) reference[keyword] = here;
    }
    return reference;
  };

  const convert = ({ $id: _, ...schema }: Json): Json => {
    const out: Json = {};
    for (const [keyword, value] of Object.entries(schema)) out[keyword] = convertKeyword(keyword, value);
    // Draft 7 writes a tuple as items and additionalItems, 2020-12 as prefixItems and items.
    if (Array.isArray(schema["items"])) {
      out["prefixItems"] = out["items"];
      out["items"] = false;
      delete out["additionalItems"];
    }
    return isExact ? out : readable(out);
  };

  const convertKeyword = (keyword: string, value: unknown): unknown => {
    if (LITERAL.has(keyword) || typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((entry) => (typeof entry === "object" ? refer(entry) : entry));
    return keyword === "properties" ? mapMembers(value, refer) : refer(value);
  };

  return {
    refer,
    /** Returns a reference, narrowed to these properties in an exact document. */
    narrow: (name: string, properties: Json): Json => ({
      ...refer({ $id: name }),
      ...(isExact ? { properties } : {}),
    }),
    /** Refers to a response that several operations share; built at the first use. */
    respond: (name: string, build: () => Json): Json => {
      if (!responses.has(name)) responses.set(name, build());
      return { $ref: `#/components/responses/${name}` };
    },
    /** Returns everything that was referred to, by name. */
    named: () => ({
      responses: Object.fromEntries(responses),
      schemas: Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))) as Json,
    }),
  };
}

/** Without a width Go uses float32 and int32, and loses digits of rates and instants after 2038. */
const WIDTHS: Json = { number: "double", integer: "int64" };

function readable({ pattern, items, ...schema }: Json): Json {
  const { type, format } = schema;
  const [numeric] = [type].flat().filter((one) => one in WIDTHS);
  const isTime = format === "date" || format === "date-time";
  return {
    ...schema,
    ...(numeric !== undefined && format === undefined ? { format: WIDTHS[numeric] } : {}),
    ...(pattern === undefined || isTime ? {} : { pattern }),
    ...(items === undefined || items === false ? {} : { items }),
  };
}

export function mapMembers<T>(members: object, map: (member: T, name: string) => unknown): Json {
  return Object.fromEntries(Object.entries(members).map(([name, member]) => [name, map(member, name)]));
}
