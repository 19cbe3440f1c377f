/**
 * Bodies as values: what the document says of one, and what a handler gets of it. A body is read when it is validated, not when it
 * is parsed: by then it is certain that the route is open at all, and what the reading throws arrives as it is.
 */

import type { TSchema } from "@sinclair/typebox";
import { readJson, readOptionalJson } from "#api/request/body.ts";
import { shaped } from "#contract/issues.ts";

/** A body of this schema in the document. `read` makes the value of what the parser gave, or throws the documented failure. */
export function bodyOf<Sent, T>(schema: TSchema, read: (sent: Sent) => T) {
  const validate = async (sent: unknown) => ({ value: await read(sent as Sent) });
  return {
    schema,
    "~standard": { version: 1, vendor: "crossrate", validate } as {
      readonly version: 1;
      readonly vendor: "crossrate";
      readonly types?: { readonly input: Awaited<T>; readonly output: Awaited<T> };
      readonly validate: typeof validate;
    },
  };
}

/** The body of a route, read from the request itself; part of its options. */
export function readBody<T>(schema: TSchema, read: (request: Request) => T) {
  return { parse: async ({ request }: { readonly request: Request }) => request, body: bodyOf(schema, read) };
}

/** A JSON body in its documented shape. Failures: those of readJson, and `validation_error`. */
export function jsonBody<S extends TSchema>(schema: S) {
  return readBody(schema, async (request) => shaped(schema, await readJson(request)));
}

/** The same where it may be left out: an empty object then. A body of null has the wrong shape. */
export function optionalJsonBody<S extends TSchema>(schema: S) {
  return readBody(schema, async (request) => {
    const sent = await readOptionalJson(request);
    return shaped(schema, sent === undefined ? {} : sent);
  });
}
