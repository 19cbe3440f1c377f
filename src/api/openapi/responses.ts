/** The possible responses of an operation: its body, 304, and its refusals by status. */

import { envelopeName, errorExample, STATUS_MEANING } from "#api/errors.ts";
import { isMetered, type Operation, refusalsOf } from "#api/operation.ts";
import { ERRORS, type ErrorCode } from "#domain/faults/errors.ts";
import { type Components, exampleOf, type Json } from "./components.ts";
import { CONDITIONAL_HEADERS, EVERY_HEADER, headerReferences, LIMIT_HEADERS } from "./headers.ts";

/** The responses object of an operation: every status that it can answer with, and no other. */
export function describeResponses(operation: Operation, components: Components): Json {
  const { ok } = operation;
  const { refer } = components;
  const content = describeContent(operation, refer);
  const extra = (ok.headers ?? []).map(({ name, description, example }) => [
    name,
    { description, schema: { type: "string", examples: [example] } },
  ]);
  /** JSON with no headers but those of every answer. */
  const plain = (status: string, description: string, schema: object, example?: unknown): Json => ({
    description,
    headers: headerReferences([...EVERY_HEADER, ...(status === "503" ? ["Retry-After"] : [])]),
    content: {
      "application/json": { schema: refer(schema), ...(example === undefined ? {} : { example }) },
    },
  });
  const responses: Record<number, Json> = {
    [ok.status ?? 200]: {
      description: ok.description,
      // As a response a part would be one more type of every call to generated clients, which never ask for it.
      ...(ok.ranged === "beside JSON" ? { "x-byte-ranges": PARTS_BESIDE_JSON } : {}),
      headers: {
        ...headerReferences([
          ...EVERY_HEADER,
          ...(isMetered(operation) ? LIMIT_HEADERS : []),
          ...(ok.conditional ? CONDITIONAL_HEADERS : []),
        ]),
        ...Object.fromEntries(extra),
      },
      ...(ok.status === 302 ? {} : { content }),
    },
  };
  if (ok.ranged === true) {
    responses[206] = {
      description: "The part that `Range` asks for.",
      headers: { ...responses[200]?.["headers"], ...headerReferences(["Content-Range"]) },
      content: describePart(ok),
    };
  }
  if (ok.conditional) {
    responses[304] = components.respond("NotModified", () => ({
      description: "Nothing but `timestamp` has changed since the answer that `If-None-Match` names.",
      headers: headerReferences([...EVERY_HEADER, ...CONDITIONAL_HEADERS]),
    }));
  }
  for (const [status, codes] of byStatus(refusalsOf(operation))) {
    responses[status] = refusal(status, codes, components, isMetered(operation));
  }
  for (const [status, { description, example }] of Object.entries(operation.foreign?.byStatus ?? {})) {
    responses[Number(status)] = plain(status, description, operation.foreign?.schema ?? {}, example);
  }
  for (const [status, also] of Object.entries(ok.alsoAs ?? {})) {
    const { description, schema, example } =
      typeof also === "string"
        ? { description: also, schema: ok.schema }
        : { example: exampleOf(also.schema, "answer"), ...also };
    responses[Number(status)] = plain(status, description, schema, example);
  }
  return responses;
}

function describeContent({ ok }: Operation, refer: Components["refer"]): Json {
  const content: Record<string, Json> = {
    [ok.mime ?? "application/json"]: {
      schema: refer(ok.schema),
      ...(ok.example === undefined ? {} : { example: ok.example }),
    },
  };
  for (const { mime, description, example } of ok.otherTypes ?? []) {
    const binary = example === undefined ? { format: "binary" } : {};
    content[mime] = {
      schema: { type: "string", description, ...binary },
      ...(example === undefined ? {} : { example }),
    };
  }
  return content;
}

const PARTS_BESIDE_JSON =
  "`Range` gets a part of every type but JSON: 206 with `Content-Range`; `HEAD` has the length. `If-Range` compares the strong `ETag`.";

/** A part is bytes: it need not be a document of its type. Where there is JSON beside files, only files have parts. */
function describePart({ mime = "application/json", schema: whole, otherTypes = [] }: Operation["ok"]): Json {
  const types = otherTypes.length === 0 ? [mime] : otherTypes.map((other) => other.mime);
  // Beside JSON as a text: some generators take an operation with a binary part for a download and nothing else. A part of a text is one.
  const binary = otherTypes.length === 0 && whole.format === "binary" ? { format: "binary" } : {};
  const schema = { type: "string", ...binary, description: "A part of the bytes." };
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

function byStatus(codes: readonly ErrorCode[]): [status: number, codes: ErrorCode[]][] {
  const groups = new Map<number, ErrorCode[]>();
  for (const code of codes)
    groups.set(ERRORS[code].status, [...(groups.get(ERRORS[code].status) ?? []), code]);
  return [...groups].sort(([a], [b]) => a - b);
}

/** A refusal with one code reads the same everywhere, so it is written down once. */
function refusal(
  status: number,
  codes: readonly ErrorCode[],
  { refer, respond }: Components,
  metered: boolean,
): Json {
  const [code] = codes;
  if (codes.length > 1 || code === undefined) return describeRefusal(status, codes, refer, metered);
  const name = code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  return respond(metered ? `Metered${name}` : name, () => describeRefusal(status, codes, refer, metered));
}

function describeRefusal(
  status: number,
  codes: readonly ErrorCode[],
  refer: Components["refer"],
  metered: boolean,
): Json {
  const headers = [
    ...EVERY_HEADER,
    ...(metered ? LIMIT_HEADERS : []),
    ...(codes.some((code) => "retryAfterSeconds" in ERRORS[code]) ? ["Retry-After"] : []),
    ...(status === 401 ? ["WWW-Authenticate"] : []),
    ...(codes.includes("range_not_satisfiable") ? ["Content-Range"] : []),
    ...(codes.includes("unsupported_media_type") ? ["Accept-Encoding"] : []),
    ...(codes.includes("method_not_allowed") ? ["Allow"] : []),
  ];
  const problem = refer({ $id: "Problem" });
  return {
    description: `${STATUS_MEANING[status]} Codes: ${codes.map((code) => `\`${code}\``).join(", ")}.`,
    headers: headerReferences(headers),
    content: {
      "application/json": {
        schema: envelopeOf(codes, refer),
        examples: Object.fromEntries(
          codes.map((code) => [code, { summary: code, value: errorExample(code) }]),
        ),
      },
      "application/problem+json": { schema: { ...problem, properties: { code: { enum: [...codes] } } } },
    },
  };
}

/** The envelope narrowed to the codes that this answer can carry. */
function envelopeOf(codes: readonly ErrorCode[], refer: Components["refer"]): Json {
  return { ...refer({ $id: envelopeName(codes) }), properties: { code: { enum: [...codes] } } };
}
