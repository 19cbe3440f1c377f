/** Bodies of requests: read within a bound, held against their schema, and described for the document. */

import type { Static, TSchema } from "@sinclair/typebox";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { Value } from "@sinclair/typebox/value";
import type { OtherType } from "#api/words.ts";
import { type ErrorCode, Failure, printable, type ValidationIssue } from "#domain/faults/errors.ts";
import { parseExact, refuseCoding } from "#domain/net/message.ts";

/** Far above the largest legal batch. */
const LARGEST_BODY_BYTES = 64 * 1024;

/**
 * The most bytes of a body that the runtime receives; above it answers 413 at once. This is more than Stripe's largest
 * event: most bodies that are too large still get our own refusal. The runtime stores received bytes while a request
 * waits for its turn: this bounds the memory of a connection.
 */
export const LARGEST_RECEIVED_BYTES = 288 * 1024;

/** A body twice: with numbers as doubles, for checks of the shape, and with the digits of each number as sent. */
export interface ExactJson {
  /** Every number is finite: one beyond the doubles becomes the largest double. */
  readonly rough: unknown;
  /** Every number is replaced by its `ExactNumber`. */
  readonly exact: unknown;
}

/** Reads as `jsonBody`, for bodies with exact numbers. */
export async function readExactJson(request: Request, most?: number): Promise<ExactJson> {
  const bytes = await readJson(request, most);
  return { rough: parse(bytes, (text) => JSON.parse(text, finite)), exact: parse(bytes, parseExact) };
}

/** The coding is refused first, then the type, then the length. */
async function readJson(request: Request, most?: number): Promise<Uint8Array> {
  refuseCoding(request.headers.get("content-encoding"));
  requireJson(request);
  return await readBounded(request, most);
}

const finite = (_: string, value: unknown): unknown =>
  typeof value === "number" ? Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value)) : value;

/** Reads the fields of a page's form. Fails as `readBounded`, and with `unsupported_media_type` for any other body. */
export async function readForm(request: Request, most?: number): Promise<URLSearchParams> {
  if (mediaTypeOf(request) !== "application/x-www-form-urlencoded") {
    throw new Failure("unsupported_media_type", {
      wording: "send the form as application/x-www-form-urlencoded",
    });
  }
  return new URLSearchParams(new TextDecoder().decode(await readBounded(request, most)));
}

/** Fails with `unsupported_media_type` unless the body is declared as JSON. */
export function requireJson(request: Request, wording?: string): void {
  const type = mediaTypeOf(request);
  if (type !== "application/json" && !type?.endsWith("+json"))
    throw new Failure("unsupported_media_type", wording === undefined ? {} : { wording });
}

/** The type of a body in lower case, without its parameters; undefined when it is not declared. */
export function mediaTypeOf({ headers }: Request): string | undefined {
  return headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
}

/** Reads a text of at most `most` bytes, with its byte order mark. Fails as `readBounded`, and with `invalid_request` where it is not UTF-8. */
export async function readText(request: Request, most: number): Promise<string> {
  const bytes = await readBounded(request, most);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new Failure("invalid_request", { reason: "the body is not text in UTF-8" }, cause);
  }
}

function parse(bytes: Uint8Array, read: (text: string) => unknown = JSON.parse): unknown {
  try {
    return read(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new Failure("invalid_request", { reason: "the body is not valid JSON" }, cause);
  }
}

/**
 * Reads the bytes of a body. Fails with `unsupported_media_type` for a Content-Encoding, `payload_too_large` above
 * `most`; nothing beyond that is read.
 */
export async function readBounded(request: Request, most = LARGEST_BODY_BYTES): Promise<Uint8Array> {
  refuseCoding(request.headers.get("content-encoding"));
  const tooLarge = () => new Failure("payload_too_large", { limit: most });
  if (Number(request.headers.get("content-length") ?? 0) > most) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength;
    if (length > most) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const MOST_ISSUES = 20;

/** Returns all violations, one per path, at most 20; empty for a valid value. Paths are JSON pointers, "" is the body itself. */
export function issuesOf(model: TSchema, value: unknown): readonly ValidationIssue[] {
  if (Value.Check(model, value)) return [];
  const issues = new Map<string, ValidationIssue>();
  for (const error of Value.Errors(model, value)) {
    if (isShortEnough(error)) continue;
    // A missing value has a wrong type, too: the first fault of a path counts.
    const path = printable(error.path);
    if (!issues.has(path)) issues.set(path, { path, message: wordsOf(error) });
    if (issues.size === MOST_ISSUES) break;
  }
  return [...issues.values()];
}

/** Returns the valid value. Fails with `validation_error`, which names every invalid member. */
export function shaped<M extends TSchema>(model: M, value: unknown): Static<M> {
  const issues = issuesOf(model, value);
  if (issues.length > 0) throw new Failure("validation_error", { members: { errors: issues } });
  return value as Static<M>;
}

/** Keywords that a shape lacks: their faults have refusals of their own. */
const BOUNDS: ReadonlySet<PropertyKey> = new Set(["pattern", "maxLength", "minimum", "maximum"]);

/** Returns the schema without its bounds: any text and any number fit, and a list (not a tuple) of any length. */
export function shapeOf<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(shapeOf) as T;
  if (typeof schema !== "object" || schema === null) return schema;
  const isList = "items" in schema && !Array.isArray(schema.items);
  const keywords = Reflect.ownKeys(schema).filter(
    (key) => !BOUNDS.has(key) && !(isList && key === "maxItems"),
  );
  return Object.fromEntries(keywords.map((key) => [key, shapeOf(Reflect.get(schema, key))])) as T;
}

/** The checker counts UTF-16 units; the documented lengths are in characters (code points). */
function isShortEnough({ type, schema, value }: ValueError): boolean {
  if (type !== ValueErrorType.StringMaxLength || typeof value !== "string") return false;
  return Array.from(value).length <= Number(schema["maxLength"]);
}

const NAMES: Readonly<Record<string, string>> = {
  string: "a text",
  boolean: "true or false",
  integer: "a whole number",
  number: "a number",
  array: "a list",
  tuple: "a list",
  object: "an object",
  null: "null",
};

function wordsOf({ type, schema, message }: ValueError): string {
  const { anyOf, examples, maxItems, maxLength, minItems, enum: words } = schema as TSchema;
  if (type === ValueErrorType.ObjectRequiredProperty) return "is missing";
  if (type === ValueErrorType.ObjectAdditionalProperties) return "is none of the documented members";
  if (type === ValueErrorType.StringPattern) {
    if (Array.isArray(words)) return `one of ${words.join(", ")} is needed`;
    const [example] = Array.isArray(examples) ? examples : [];
    return `not of the documented form${example === undefined ? "" : `, such as ${example}`}`;
  }
  if (type === ValueErrorType.StringMaxLength) return `at most ${maxLength} characters are taken`;
  if (type === ValueErrorType.ArrayMinItems) return `at least ${minItems} must be in it`;
  if (type === ValueErrorType.Union && Array.isArray(anyOf)) {
    const kinds = anyOf.map((one: TSchema) => one["const"] ?? NAMES[String(one["type"])] ?? one["type"]);
    return `${kinds.join(" or ")} is needed`;
  }
  if (type === ValueErrorType.TupleLength && maxItems !== undefined) return `a list of ${maxItems} is needed`;
  const kind = NAMES[ValueErrorType[type].toLowerCase()];
  return kind === undefined ? message : `${kind} is needed`;
}

export interface DescribedBody {
  readonly schema: TSchema;
  readonly isOptional: boolean;
  readonly refusals: readonly ErrorCode[];
  readonly otherTypes: readonly OtherType[];
}

const UNREADABLE = ["invalid_request", "payload_too_large", "unsupported_media_type"] as const;

/** Describes a body of this schema; `read` makes the value, or throws the documented failure. Part of a route's options. */
export function readBody<T>(
  schema: TSchema,
  read: (request: Request) => T,
  { isOptional = false, refusals = UNREADABLE, otherTypes = [] }: Partial<DescribedBody> = {},
) {
  const validate = async (request: unknown) => ({ value: await read(request as Request) });
  return {
    parse: async ({ request }: { readonly request: Request }) => request,
    body: {
      schema,
      isOptional,
      refusals,
      otherTypes,
      "~standard": { version: 1, vendor: "crossrate", validate } as {
        readonly version: 1;
        readonly vendor: "crossrate";
        readonly types?: { readonly input: Awaited<T>; readonly output: Awaited<T> };
        readonly validate: typeof validate;
      },
    },
  };
}

export const SHAPED = [...UNREADABLE, "validation_error"] as const;

/**
 * Reads a JSON body of the documented shape. Fails with `unsupported_media_type` unless declared as JSON without a coding,
 * `payload_too_large` above the limit (nothing beyond it is read), `invalid_request` when it does not parse, and
 * `validation_error`.
 */
export function jsonBody<S extends TSchema>(schema: S) {
  const read = async (request: Request) => shaped(schema, parse(await readJson(request)));
  return readBody(schema, read, { refusals: SHAPED });
}

/** Reads an optional JSON body: absent means an empty object, whatever its declared type. A body of null has the wrong shape. */
export function optionalJsonBody<S extends TSchema>(schema: S) {
  const read = async (request: Request) => {
    const bytes = await readBounded(request);
    if (bytes.byteLength === 0) return shaped(schema, {});
    requireJson(request);
    return shaped(schema, parse(bytes));
  };
  return readBody(schema, read, { isOptional: true, refusals: SHAPED });
}
