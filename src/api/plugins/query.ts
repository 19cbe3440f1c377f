/** The query as parameters read it: values of a repeated parameter are joined by commas, a blank value is "". */

import { Elysia } from "elysia";
import { textsOf } from "#api/request/query.ts";

/** Before every route: Elysia's own reading splits at commas and parses JSON. */
export const query = new Elysia({ name: "query" }).onTransform({ as: "global" }, (context) => {
  Object.assign(context, { query: textsOf(context.request) });
});
