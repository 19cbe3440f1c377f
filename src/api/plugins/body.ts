/**
 * Bodies as values: a description for the document and a reader. A body is read at validation, not at parsing: by then
 * the route is open, and failures of the reader arrive unchanged.
 */

import type { TSchema } from "@sinclair/typebox";
import { shaped } from "#api/issues.ts";
import { readJson, readOptionalJson } from "#api/request/body.ts";
import type { ErrorCode } from "#domain/faults/errors.ts";

export interface DescribedBody {
  readonly schema: TSchema;
  readonly isOptional: boolean;
  readonly refusals: readonly ErrorCode[];
}

/** Refusals of every body's reader. */
const UNREADABLE = ["invalid_request", "payload_too_large", "unsupported_media_type"] as const;

/** Describes a body of this schema; `read` makes the value, or throws the documented failure. Part of a route's options. */
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

/** Reads a JSON body of the documented shape. Fails as readJson, and with `validation_error`. */
export function jsonBody<S extends TSchema>(schema: S) {
  return readBody(schema, async (request) => shaped(schema, await readJson(request)), { refusals: SHAPED });
}

/** Reads an optional JSON body: absent means an empty object. A body of null has the wrong shape. */
export function optionalJsonBody<S extends TSchema>(schema: S) {
  const read = async (request: Request) => {
    const sent = await readOptionalJson(request);
    return shaped(schema, sent === undefined ? {} : sent);
  };
  return readBody(schema, read, { isOptional: true, refusals: SHAPED });
}
