/**
 * Bodies as values: what the document says of one, and what a handler gets of it. A body is read when it is validated, not when it
 * is parsed: by then it is certain that the route is open at all, and what the reading throws arrives as it is.
 */

import type { TSchema } from "@sinclair/typebox";
import { shaped } from "#api/issues.ts";
import { readJson, readOptionalJson } from "#api/request/body.ts";
import type { ErrorCode } from "#domain/faults/errors.ts";

/** What the document has of a body. */
export interface DescribedBody {
  readonly schema: TSchema;
  readonly isOptional: boolean;
  readonly refusals: readonly ErrorCode[];
}

/** What the reading of any body refuses with. */
const UNREADABLE = ["invalid_request", "payload_too_large", "unsupported_media_type"] as const;

/** A body of this schema in the document; `read` makes the value, or throws the documented failure. Part of a route's options. */
export function readBody<T>(
  schema: TSchema,
  read: (request: Request) => T,
  { isOptional = false, refusals = UNREADABLE }: Partial<DescribedBody> = {},
) {
  const validate = async (request: unknown) => ({ value: await read(request as Request) });
  return {
    parse: async ({ request }: { readonly request: Request }) => request,
    body: {
      schema,
      isOptional,
      refusals,
      "~standard": { version: 1, vendor: "crossrate", validate } as {
        readonly version: 1;
        readonly vendor: "crossrate";
        readonly types?: { readonly input: Awaited<T>; readonly output: Awaited<T> };
        readonly validate: typeof validate;
      },
    },
  };
}

const SHAPED = [...UNREADABLE, "validation_error"] as const;

/** A JSON body in its documented shape. Failures: those of readJson, and `validation_error`. */
export function jsonBody<S extends TSchema>(schema: S) {
  return readBody(schema, async (request) => shaped(schema, await readJson(request)), { refusals: SHAPED });
}

/** The same where it may be left out: an empty object then. A body of null has the wrong shape. */
export function optionalJsonBody<S extends TSchema>(schema: S) {
  const read = async (request: Request) => {
    const sent = await readOptionalJson(request);
    return shaped(schema, sent === undefined ? {} : sent);
  };
  return readBody(schema, read, { isOptional: true, refusals: SHAPED });
}
