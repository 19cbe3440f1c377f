/** The possible responses of an operation: its body, 304, and its refusals by status. */

import { envelopeName, errorExample, STATUS_MEANING } from "#api/errors.ts";
import { exampleOf } from "#api/forms.ts";
import type { OkResponse } from "#api/words.ts";
import { ERRORS, type ErrorCode } from "#domain/faults/errors.ts";
import { type Components, type Json, mapMembers } from "./components.ts";
import { CONDITIONAL_HEADERS, EVERY_HEADER, headerReferences, LIMIT_HEADERS } from "./headers.ts";
import type { Operation } from "./operations.ts";

/** Makes the responses object of an operation: every status of it, and no other. */
export function describeResponses(operation: Operation, components: Components): Json {
  const { ok, isMetered, refusals, foreign } = operation;
  const { refer } = components;
  /** JSON with only the headers of every answer. */
  const plain = (status: string, { description, schema, example }: Omit<OkResponse, "status">): Json => ({
    description,
    headers: headerReferences([...EVERY_HEADER, ...(status === "503" ? ["Retry-After"] : [])]),
    content: { "application/json": { schema: refer(schema), ...(example === undefined ? {} : { example }) } },
  });
  const headers = {
    ...headerReferences([
      ...EVERY_HEADER,
      ...(isMetered ? LIMIT_HEADERS : []),
      ...(ok.conditional ? CONDITIONAL_HEADERS : []),
    ]),
    ...Object.fromEntries(
      (ok.headers ?? []).map(({ name, description, example }) => [
        name,
        { description, schema: { type: "string", examples: [example] } },
      ]),
    ),
  };
  return {
    [ok.status ?? 200]: {
      description: ok.description,
      // As a response, a part would be one more type of every call in generated clients, which never ask for it.
      ...(ok.ranged === "beside JSON" ? { "x-byte-ranges": PARTS_BESIDE_JSON } : {}),
      headers,
      ...(ok.status === 302 ? {} : { content: describeContent(ok, refer) }),
    },
    ...(ok.ranged === true && {
      206: {
        description: "The part that `Range` asks for.",
        headers: { ...headers, ...headerReferences(["Content-Range"]) },
        content: describePart(ok),
      },
    }),
    ...(ok.conditional && {
      304: components.respond("NotModified", () => ({
        description: "Nothing but `timestamp` has changed since the answer that `If-None-Match` names.",
        headers: headerReferences([...EVERY_HEADER, ...CONDITIONAL_HEADERS]),
      })),
    }),
    ...mapMembers<ErrorCode[]>(
      Object.groupBy(refusals, (code) => ERRORS[code].status),
      (codes, status) => refusal(Number(status), codes, components, isMetered),
    ),
    ...mapMembers<{ description: string; example: unknown }>(foreign?.byStatus ?? {}, (one, status) =>
      plain(status, { schema: foreign?.schema ?? {}, ...one } as OkResponse),
    ),
    ...mapMembers<string | OkResponse>(ok.alsoAs ?? {}, (also, status) =>
      plain(
        status,
        typeof also === "string"
          ? { description: also, schema: ok.schema }
          : { example: exampleOf(also.schema, "answer"), ...also },
      ),
    ),
  };
}

function describeContent(ok: OkResponse, refer: Components["refer"]): Json {
  const { mime = "application/json", schema, example, otherTypes = [] } = ok;
  const others = otherTypes.map(({ mime, description, example }) => [
    mime,
    example === undefined
      ? { schema: { type: "string", description, format: "binary" } }
      : { schema: { type: "string", description }, example },
  ]);
  return {
    [mime]: { schema: refer(schema), ...(example === undefined ? {} : { example }) },
    ...Object.fromEntries(others),
  };
}

const PARTS_BESIDE_JSON =
  "`Range` gets a part of every type but JSON: 206 with `Content-Range`; `HEAD` has the length. `If-Range` compares the strong `ETag`.";

/** A part is bytes, and need not be a document of its type. Beside JSON only files have parts. */
function describePart({ mime = "application/json", schema: whole, otherTypes = [] }: OkResponse): Json {
  const types = otherTypes.length === 0 ? [mime] : otherTypes.map((other) => other.mime);
  // A text beside JSON: some generators take an operation with a binary part for a download only. A part of a text is a text.
  const binary = otherTypes.length === 0 && whole.format === "binary" ? { format: "binary" } : {};
  const schema = { type: "string", ...binary, description: "A part of the bytes." };
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

/** A refusal with one code reads the same everywhere: it is described once. */
function refusal(
  status: number,
  codes: readonly ErrorCode[],
  { narrow, respond }: Components,
  isMetered: boolean,
): Json {
  const has = (code: ErrorCode, header: string) => (codes.includes(code) ? [header] : []);
  const narrowed = { code: { enum: [...codes] } };
  const describe = () => ({
    description: `${STATUS_MEANING[status]} Codes: ${codes.map((code) => `\`${code}\``).join(", ")}.`,
    headers: headerReferences([
      ...EVERY_HEADER,
      ...(isMetered ? LIMIT_HEADERS : []),
      ...(codes.some((code) => "retryAfterSeconds" in ERRORS[code]) ? ["Retry-After"] : []),
      ...(status === 401 ? ["WWW-Authenticate"] : []),
      ...has("range_not_satisfiable", "Content-Range"),
      ...has("unsupported_media_type", "Accept-Encoding"),
      ...has("method_not_allowed", "Allow"),
    ]),
    content: {
      "application/json": {
        schema: narrow(envelopeName(codes), narrowed),
        examples: Object.fromEntries(
          codes.map((code) => [code, { summary: code, value: errorExample(code) }]),
        ),
      },
      "application/problem+json": { schema: narrow("Problem", narrowed) },
    },
  });
  if (codes.length > 1) return describe();
  const name = `${codes[0]}`.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return respond(isMetered ? `Metered${name}` : name, describe);
}
