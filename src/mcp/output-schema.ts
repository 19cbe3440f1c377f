/** Converts a response schema of the contract to the output schema of a tool: self-contained, and open to members added later. */

import type { TSchema } from "@sinclair/typebox";

export interface OutputSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
  readonly $defs?: Readonly<Record<string, object>>;
  readonly [keyword: string]: unknown;
}

/** Members of a refusal: those of the REST envelope, and its headers. */
const REFUSAL = {
  code: { type: "string", description: "On a refusal: what went wrong, for programs; docs page `errors`." },
  message: { type: "string", description: "On a refusal: what went wrong and what to do about it." },
  status: { type: "integer", description: "On a refusal: the HTTP status of the same REST call." },
  retry_after_seconds: {
    type: "integer",
    description: "On a refusal that passes: seconds to wait before the same call is sent again.",
  },
} as const;

/**
 * `model` describes a success. Clients validate refusals against the output schema, too: it describes both, and `result`
 * distinguishes them.
 */
export function outputSchema(model: TSchema): OutputSchema {
  const definitions: Record<string, object> = {};
  const { properties, required } = portable({ ...model, $id: undefined }, definitions) as {
    properties: Record<string, object>;
    required: readonly string[];
  };
  return {
    type: "object",
    properties: {
      ...properties,
      result: { type: "string", enum: ["success", "error"], description: "`error` on a refusal." },
      ...REFUSAL,
    },
    required: ["result"],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ...{ if: { properties: { result: { const: "success" } } }, then: { required } },
    else: { required: ["code", "message"] },
    ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions }),
  };
}

/** Keywords with values, which contain no schema. */
const VALUES: ReadonlySet<string> = new Set(["enum", "const", "required", "type", "default"]);

/** Removes examples and closed objects; named schemas move to `definitions`. */
function portable(schema: unknown, definitions: Record<string, object>): unknown {
  if (Array.isArray(schema)) return schema.map((one) => portable(one, definitions));
  if (typeof schema !== "object" || schema === null) return schema;
  const { $id, examples: _, additionalProperties: rest, ...keywords } = schema as TSchema;
  const plain = Object.fromEntries(
    Object.entries(keywords).map(([keyword, value]) => [
      keyword,
      VALUES.has(keyword) ? value : portable(value, definitions),
    ]),
  );
  // A closed object would refuse the answers of a newer server.
  if (typeof rest === "object") plain["additionalProperties"] = portable(rest, definitions);
  if ($id === undefined) return plain;
  definitions[$id] ??= plain;
  return { $ref: `#/$defs/${$id}`, ...("description" in plain ? { description: plain["description"] } : {}) };
}
