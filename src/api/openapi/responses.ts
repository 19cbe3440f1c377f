/** The possible responses of an operation: its body, 304, and its refusals by status; and their headers, described once. */

import { envelopeName, errorExample, STATUS_MEANING } from "#api/errors.ts";
import { exampleOf } from "#api/forms.ts";
import type { OkResponse, OtherType } from "#api/words.ts";
import { ERRORS, type ErrorCode } from "#domain/faults/errors.ts";
import { type Components, type Json, mapMembers } from "./components.ts";
import type { Operation } from "./operations.ts";

function header(description: string, example: string, schema: Json = {}): Json {
  return { description, schema: { type: "string", examples: [example], ...schema } };
}

function count(description: string, example: string): Json {
  return header(description, example, { pattern: "^\\d+$" });
}

const HEADERS: Json = {
  "X-Request-Id": header(
    "Id of the request: the caller's own `X-Request-Id` when it is 1 to 64 letters, digits, dots, dashes or underscores, else a new one.",
    "5f0c1e7a9b2d-46",
  ),
  "X-Data-Mode": header(
    "Only on answers of the demo: `real` where every rate of the answer is real, else `simulated`.",
    "simulated",
    { enum: ["real", "simulated"] },
  ),
  "Cache-Control": header(
    "How long the answer may be stored: by its caller alone (`private`) where access is metered; `no-store` on refusals and probes.",
    "public, max-age=15, must-revalidate",
  ),
  ETag: header(
    "Changes whenever anything but `timestamp` does; send it back as `If-None-Match`. Weak where the body carries `timestamp` or is compressed, strong on files.",
    'W/"1k2j3h4g5f6d"',
  ),
  Vary: header("Request headers that the answer depends on.", "Accept, Accept-Encoding"),
  "Retry-After": count("Seconds to wait before asking again.", "30"),
  "X-RateLimit-Limit": count(
    "Calls that one window allows: the tightest, or the one that refuses. Its siblings are of the same window; all are there only where access is metered.",
    "120",
  ),
  "X-RateLimit-Remaining": count(
    "Calls left in that window; where the call passed, no window has fewer.",
    "119",
  ),
  "X-RateLimit-Reset": count(
    "Unix seconds from which on that window has room for a call like this again, even when all that remain are used now.",
    "1776098100",
  ),
  "WWW-Authenticate": header("How to be let in; on every 401.", "Bearer"),
  "Content-Range": header(
    "Which bytes these are, and of how many; on a refusal only of how many.",
    "bytes 0-3/48213",
    { pattern: "^bytes (\\d+-\\d+|\\*)/\\d+$" },
  ),
  "Accept-Encoding": header(
    "Codings that a body may have: none. On a 415 that is about `Content-Encoding`.",
    "identity",
  ),
  Allow: header("Methods that the path has.", "GET, HEAD, OPTIONS"),
};

/** On every answer (X-Data-Mode in the demo only). */
const EVERY_HEADER: readonly string[] = ["X-Request-Id", "X-Data-Mode", "Cache-Control"];
const LIMIT_HEADERS: readonly string[] = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];
const CONDITIONAL_HEADERS: readonly string[] = ["ETag", "Vary"];

function headerReferences(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Returns the headers that a part of a document refers to: an interface without limits or parts has no headers for them. */
export function headersUsedBy(described: object): Readonly<Record<string, object>> {
  const text = JSON.stringify(described);
  return Object.fromEntries(
    Object.entries(HEADERS).filter(([name]) => text.includes(`"#/components/headers/${name}"`)),
  );
}

/** Makes the responses object of an operation: every status of it, and no other. */
export function describeResponses(operation: Operation, components: Components): Json {
  const { ok, conditional, isMetered, refusals, foreign } = operation;
  const { refer } = components;
  /** JSON with only the headers of every answer. */
  const plain = (status: string, { description, schema, example }: Omit<OkResponse, "status">): Json => ({
    description,
    headers: headerReferences([...EVERY_HEADER, ...(status === "503" ? ["Retry-After"] : [])]),
    content: { "application/json": { schema: refer(schema), example } },
  });
  const headers = {
    ...headerReferences([
      ...EVERY_HEADER,
      ...(isMetered ? LIMIT_HEADERS : []),
      ...(conditional ? CONDITIONAL_HEADERS : []),
    ]),
    ...mapMembers<readonly [string, string]>(ok.headers ?? {}, (said) => header(...said)),
  };
  return {
    [ok.status ?? 200]: {
      description: ok.description,
      // A 206 would add a type to every call of generated clients, which never request a part.
      "x-byte-ranges": ok.ranged === "beside JSON" ? PARTS_BESIDE_JSON : undefined,
      headers,
      content: ok.status === 302 ? undefined : describeContent(ok, refer),
    },
    206:
      ok.ranged === true
        ? {
            description: "The part that `Range` asks for.",
            headers: { ...headers, ...headerReferences(["Content-Range"]) },
            content: describePart(ok),
          }
        : undefined,
    304: conditional
      ? components.respond("NotModified", () => ({
          description: "Nothing but `timestamp` has changed since the answer that `If-None-Match` names.",
          headers: headerReferences([...EVERY_HEADER, ...CONDITIONAL_HEADERS]),
        }))
      : undefined,
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
  const { mime = "application/json", schema, example, otherTypes } = ok;
  return { [mime]: { schema: refer(schema), example }, ...contentOf(otherTypes) };
}

export function contentOf(otherTypes: readonly OtherType[] = []): Json {
  const content = otherTypes.map(({ mime, description, example }) => {
    const format = example === undefined ? "binary" : undefined;
    return [mime, { schema: { type: "string", description, format }, example }];
  });
  return Object.fromEntries(content);
}

const PARTS_BESIDE_JSON =
  "`Range` gets a part of every type but JSON: 206 with `Content-Range`; `HEAD` has the length. `If-Range` compares the strong `ETag`.";

/** A part is bytes, and need not be a document of its type. Beside JSON only files have parts. */
function describePart({ mime = "application/json", schema: whole, otherTypes = [] }: OkResponse): Json {
  const types = otherTypes.length === 0 ? [mime] : otherTypes.map((other) => other.mime);
  // Beside JSON a part is a text: with a binary one some generators treat the operation as a download.
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
