/** Rewrites a document for code generators: docs/clients.md names them, test/api/openapi/shape.ts has the rules. */

import type { Json } from "./components.ts";

/** Members whose values are data, not schemas. */
const DATA: ReadonlySet<string> = new Set(["example", "examples", "enum", "const", "default"]);

/**
 * A document without what generators stumble over; everything that they can express stays. What is left out narrows further,
 * and holds all the same: the grammar of instants (they end in `Z`), the codes of a refusal (in its description and its
 * examples), the end of a tuple (`maxItems` bounds it). The product's own tests read the document before this.
 */
export function portable(document: Json): Json {
  return visit(document, false) as Json;
}

function visit(node: unknown, isMap: boolean): unknown {
  if (typeof node !== "object" || node === null) return node;
  if (Array.isArray(node)) return node.map((entry) => visit(entry, false));
  const members = Object.entries(isMap ? node : readable(node as Json));
  return Object.fromEntries(
    members.map(([name, value]) => [
      name,
      !isMap && DATA.has(name) ? value : visit(value, name === "properties" && !isMap),
    ]),
  );
}

/** One schema; anything else in a document has none of these members. */
function readable(schema: Json): Json {
  const { $ref, properties, items, pattern, ...rest } = schema;
  const { type, format } = rest;
  const types: unknown[] = Array.isArray(type) ? type : [type];
  const isTime = format === "date" || format === "date-time";
  return {
    ...($ref === undefined ? {} : { $ref }),
    ...rest,
    // Without a width Go gets float32 and int32: digits of rates, and instants after 2038, would be lost.
    ...(types.includes("number") && format === undefined ? { format: "double" } : {}),
    ...(types.includes("integer") && format === undefined ? { format: "int64" } : {}),
    ...(pattern === undefined || isTime ? {} : { pattern }),
    ...(items === undefined || items === false ? {} : { items }),
    ...(properties === undefined || typeof $ref === "string" ? {} : { properties }),
  };
}
