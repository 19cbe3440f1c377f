/** The query as parameters read it: values of a repeated parameter are joined by commas, a blank value is "". */

import { Elysia } from "elysia";
import { textsOf } from "#api/request/query.ts";

/**
 * Before every route: Elysia's own reading splits at commas and parses JSON. It is derived: a hook that takes the context as a whole has
 * Elysia read headers and cookies, too.
 */
export const query = new Elysia({ name: "query" }).derive({ as: "global" }, ({ request }) => ({
  query: textsOf(request),
}));
