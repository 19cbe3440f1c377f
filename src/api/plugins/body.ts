/**
 * Bodies as values: what the document says of one, and what a handler gets of it. A body is read when it is validated, not when it
 * is parsed: by then it is certain that the route is open at all, and what the reading throws arrives as it is.
 */

import type { TSchema } from "@sinclair/typebox";
import { shaped } from "#api/issues.ts";
import { readJson, readOptionalJson } from "#api/request/body.ts";

/** A body of this schema in the document; `read` makes the value, or throws the documented failure. Part of a route's options. */
export function readBody<T>(schema: TSchema, read: (request: Request) => T) {
  const validate = async (request: unknown) => ({ value: await read(request as Request) });
  return {
    parse: async ({ request }: { readonly request: Request }) => request,
    body: {
      schema,
      "~standard": { version: 1, vendor: "crossrate", validate } as {
        readonly version: 1;
        readonly vendor: "crossrate";
        readonly types?: { readonly input: Awaited<T>; readonly output: Awaited<T> };
        readonly validate: typeof validate;
      },
    },
  };
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
