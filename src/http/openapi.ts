/** The OpenAPI 3.1 document, derived from the table of operations and nothing else. */

import { ERRORS, type ErrorCode } from "#domain/errors.ts";
import { errorExample, STATUS_MEANING } from "./model/errors.ts";
import { EVERYWHERE, type Operation, type Parameter, TAGS } from "./model/operation.ts";
import { OPERATIONS } from "./model/operations.ts";
import { createComponents, type Json } from "./openapi-components.ts";
import { CONDITIONAL_HEADERS, EVERY_HEADER, HEADERS, headerReferences } from "./openapi-headers.ts";
import { INTRODUCTION } from "./openapi-introduction.ts";

export interface DocumentFacts {
  /** Version of the product; the interface's own is 1.0. */
  readonly version: string;
  readonly serverUrl: string;
}

/** The whole document, as plain JSON values. Pure: equal facts give an equal document. */
export function openApiDocument({ version, serverUrl }: DocumentFacts): Json {
  const components = createComponents();
  const paths: Record<string, Json> = {};
  for (const operation of OPERATIONS) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: describe(operation, components.refer),
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Crossrate",
      version: "1.0",
      summary: "Indicative foreign-exchange rates: 31 currencies, 465 pairs, since 1999.",
      description: INTRODUCTION,
      license: { name: "MIT", identifier: "MIT" },
      "x-product-version": version,
    },
    servers: [{ url: serverUrl, description: "This server." }],
    security: [{}, { bearer: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description:
            "Optional API key: `Authorization: Bearer <API_KEY>`. Data endpoints answer without one.",
        },
      },
      headers: HEADERS,
      schemas: components.schemas(),
    },
  };
}

type Refer = (schema: object) => Json;

function describe(operation: Operation, refer: Refer): Json {
  const { id, tag, summary, description, parameters, body } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    ...(parameters.length === 0
      ? {}
      : { parameters: parameters.map((parameter) => describeParameter(parameter, refer)) }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            description: body.description,
            content: { "application/json": { schema: refer(body.schema), example: body.example } },
          },
        }),
    responses: describeResponses(operation, refer),
  };
}

function describeParameter(
  { name, in: place, required, description, schema, example }: Parameter,
  refer: Refer,
): Json {
  return {
    name,
    in: place,
    required,
    description,
    schema: refer(schema),
    ...(example === undefined ? {} : { example }),
  };
}

function describeResponses(operation: Operation, refer: Refer): Json {
  const { ok } = operation;
  const content = describeContent(operation, refer);
  const extra = (ok.headers ?? []).map(({ name, description, example }) => [
    name,
    { description, schema: { type: "string", examples: [example] } },
  ]);
  const responses: Record<number, Json> = {
    200: {
      description: ok.description,
      headers: {
        ...headerReferences([...EVERY_HEADER, ...(ok.conditional ? CONDITIONAL_HEADERS : [])]),
        ...Object.fromEntries(extra),
      },
      content,
    },
  };
  if (ok.conditional) {
    responses[304] = {
      description: "Nothing but `timestamp` has changed since the answer that `If-None-Match` names.",
      headers: headerReferences([...EVERY_HEADER, ...CONDITIONAL_HEADERS]),
    };
  }
  for (const [status, codes] of byStatus([...operation.errors, ...EVERYWHERE])) {
    responses[status] = describeRefusal(status, codes, refer);
  }
  for (const [status, description] of Object.entries(ok.alsoAs ?? {})) {
    responses[Number(status)] = {
      description,
      headers: headerReferences([...EVERY_HEADER, "Retry-After"]),
      content: { "application/json": { schema: refer(ok.schema) } },
    };
  }
  return responses;
}

function describeContent({ ok }: Operation, refer: Refer): Json {
  const content: Record<string, Json> = {
    [ok.mime ?? "application/json"]: {
      schema: refer(ok.schema),
      ...(ok.example === undefined ? {} : { example: ok.example }),
    },
  };
  for (const { mime, description, example } of ok.otherTypes ?? []) {
    const binary = example === undefined ? { contentMediaType: mime, contentEncoding: "binary" } : {};
    content[mime] = {
      schema: { type: "string", description, ...binary },
      ...(example === undefined ? {} : { example }),
    };
  }
  return content;
}

function byStatus(codes: readonly ErrorCode[]): [status: number, codes: ErrorCode[]][] {
  const groups = new Map<number, ErrorCode[]>();
  for (const code of codes)
    groups.set(ERRORS[code].status, [...(groups.get(ERRORS[code].status) ?? []), code]);
  return [...groups].sort(([a], [b]) => a - b);
}

function describeRefusal(status: number, codes: readonly ErrorCode[], refer: Refer): Json {
  const headers = [
    ...EVERY_HEADER,
    ...(codes.some((code) => "retryAfterSeconds" in ERRORS[code]) ? ["Retry-After"] : []),
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
function envelopeOf(codes: readonly ErrorCode[], refer: Refer): Json {
  const plain = codes.filter((code) => code !== "validation_error");
  const forms: Json[] = [];
  if (plain.length > 0) forms.push({ ...refer({ $id: "Error" }), properties: { code: { enum: plain } } });
  if (plain.length < codes.length) {
    forms.push({
      ...refer({ $id: "ValidationError" }),
      properties: { code: { enum: ["validation_error"] } },
    });
  }
  return forms.length === 1 ? (forms[0] as Json) : { oneOf: forms };
}
