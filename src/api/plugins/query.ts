/**
 * The query as parameters read it: values of a repeated parameter are joined by commas, a blank value is "". Segments of the path are
 * texts, too.
 */

import { Elysia } from "elysia";
import { textsOf } from "#api/request/query.ts";

/** For a segment whose % escapes are broken, which Elysia gives as null: no parameter accepts it. */
const UNREADABLE = "\uFFFD";

/**
 * Before every route: Elysia's own reading of a query splits at commas and parses JSON. It is derived: a hook that takes the context as
 * a whole has Elysia read headers and cookies, too.
 */
export const query = new Elysia({ name: "query" }).derive({ as: "global" }, ({ request, params }) => {
  const segments: Record<string, string | null | undefined> = params;
  for (const name in segments) segments[name] ??= UNREADABLE;
  return { query: textsOf(request) };
});
