/**
 * The query in the form that parameters read: values of a repeated parameter are joined by commas, a blank value is "".
 * Segments of the path are texts, too.
 */

import { Elysia } from "elysia";
import { textsOf } from "#api/request/query.ts";

/** Elysia gives a segment with broken % escapes as null; no parameter accepts this text. */
const UNREADABLE = "\uFFFD";

/**
 * Before every route: Elysia's own reading of a query splits at commas and parses JSON. It is derived, because a hook
 * that takes the whole context has Elysia read headers and cookies, too.
 */
export const query = new Elysia({ name: "query" }).derive({ as: "global" }, ({ request, params }) => {
  const segments: Record<string, string | null | undefined> = params;
  for (const name in segments) segments[name] ??= UNREADABLE;
  return { query: textsOf(request) };
});
