/** The member names of a JSON value, at every depth: what two answers of different days have in common. */

export type Shape = string | readonly Shape[] | { readonly [name: string]: Shape };

/** Objects keep their member names, arrays the shape of their first element, everything else is "value". */
export function shapeOf(value: unknown): Shape {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (value === null || typeof value !== "object") return "value";
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shapeOf(member)]));
}
