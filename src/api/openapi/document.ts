/** The OpenAPI 3.1 document of the public interface, derived from the table of operations. */

import type { AnyElysia } from "elysia";
import { errorExample } from "#api/errors.ts";
import { type Operation, type Parameter, refusalsOf, SECURITY_SCHEMES, TAGS } from "#api/operation.ts";
import { ERRORS, type ErrorCode } from "#domain/faults/errors.ts";
import { type Components, createComponents, type Json } from "./components.ts";
import { HEADERS, headersUsedBy } from "./headers.ts";
import { operationsOf } from "./operations.ts";
import { portable } from "./portable.ts";
import { describeResponses } from "./responses.ts";

export interface DocumentFacts {
  /** The routes that are described. */
  readonly routes: AnyElysia["routes"];
  /** Version of the product; the interface's own is 1.0. */
  readonly version: string;
  readonly serverUrl: string;
  /** Pairs that a batch may hold, where that is known. */
  readonly batchLimit?: number;
  /** True for the tests' own use: as narrow as the models are, whether generators can read it or not. */
  readonly exact?: true;
}

/** The whole document, as plain JSON values. Pure: equal facts give an equal document. */
export function openApiDocument(facts: DocumentFacts): Json {
  const document = describeAll(facts);
  return facts.exact === true ? document : portable(document);
}

function describeAll({ routes, version, serverUrl, batchLimit }: DocumentFacts): Json {
  const components = createComponents();
  const operations = operationsOf(routes);
  const paths = describePaths(operations, components);
  const schemas = components.schemas();
  // The operator sets it, so it is a fact of a server and no part of the model.
  if (batchLimit !== undefined) schemas["ConvertBatchRequest"].properties.pairs.maxItems = batchLimit;
  return {
    openapi: "3.1.0",
    info: {
      title: "Crossrate",
      version: "1.0",
      summary: "Indicative foreign-exchange rates: 31 currencies, 465 pairs, since 1999.",
      description: introduction(operations),
      license: { name: "MIT", identifier: "MIT" },
      "x-product-version": version,
    },
    servers: [{ url: serverUrl, description: "This server." }],
    security: [{}, { apiKey: [] }],
    tags: Object.entries(TAGS)
      .filter(([name]) => operations.some(({ tag }) => tag === name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: HEADERS,
      responses: components.responses(),
      schemas,
    },
  };
}

/** Where the routes in the shape of Frankfurter's second version are. */
export const FRANKFURTER = "/compat/frankfurter/v2";

/**
 * The document of the routes in the shape of Frankfurter's second version: paths as that service has them, behind an address.
 * `serverUrl` is the prefix under which the routes are called. Pure: equal facts give an equal document.
 */
export function frankfurterDocument({ routes, version, serverUrl }: DocumentFacts): Json {
  const components = createComponents();
  const below = operationsOf(routes)
    .filter(({ path }) => path.startsWith(`${FRANKFURTER}/`) && !path.endsWith("/openapi.json"))
    .map((operation) => ({ ...operation, path: operation.path.slice(FRANKFURTER.length) }));
  const paths = describePaths(below, components);
  return portable({
    openapi: "3.1.0",
    info: {
      title: "Crossrate in the shape of Frankfurter v2",
      version,
      description:
        "Daily reference rates. docs/migrating.md says what differs. The whole interface is `/openapi.json`.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: serverUrl, description: "This server." }],
    security: [{}, { apiKey: [] }],
    tags: [{ name: "Compatibility", description: "Rates, currencies and sources." }],
    paths,
    components: {
      securitySchemes: { apiKey: SECURITY_SCHEMES.apiKey },
      headers: headersUsedBy({ paths, responses: components.responses() }),
      responses: components.responses(),
      schemas: components.schemas(),
    },
  });
}

/** `paths` of a document: operations by their path and method. */
export function describePaths(operations: readonly Operation[], components: Components): Json {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: describe(operation, components),
    };
  }
  return paths;
}

function describe(operation: Operation, components: Components): Json {
  const { refer } = components;
  const { id, tag, summary, description, parameters = [], body, security } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    ...(security === undefined ? {} : { security: security.map((scheme) => ({ [scheme]: [] })) }),
    ...(parameters.length === 0
      ? {}
      : { parameters: parameters.map((parameter) => describeParameter(parameter, components)) }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: body.optional !== true,
            description: body.description,
            content: { "application/json": { schema: refer(body.schema), example: body.example } },
          },
        }),
    responses: describeResponses(operation, components),
  };
}

function describeParameter(parameter: Parameter, { refer }: Components): Json {
  const { name, in: place, required, description, schema } = parameter;
  return {
    name,
    in: place,
    required,
    description,
    schema: refer(schema),
    ...exampleOf(parameter),
  };
}

function exampleOf({ example, inSampleCall }: Parameter): Json {
  if (example === undefined) return {};
  // The documentation page reads x-disabled: the parameter is offered, but not part of the call it shows.
  return inSampleCall === false
    ? { examples: { sample: { value: example, "x-disabled": true } } }
    : { example };
}

/** Markdown. The list holds the codes that an operation can answer with, by status. */
function introduction(operations: readonly Operation[]): string {
  return `Indicative mid rates with exact provenance. Not for settlement, regulated trading or use as a source of record.

## Calls

Every \`GET\` also answers \`HEAD\`. Currency codes are taken in upper or in lower case, not in a mixture of both, and are upper case in answers. Unknown query parameters are ignored; one with an empty value is refused, except for \`symbols\`, which then means all where it is optional.

## Keys, plans and limits

Send an API key as \`Authorization: Bearer fxk_…\`. Without one a few calls a minute pass, and the last days of history are served. To get one: \`POST /v1/auth/sign-up\`, then \`POST /v1/account/provision\` with the session's token. For a bigger plan open the \`url\` that \`POST /v1/account/checkout\` answers with; the key stays the same. \`GET /v1/account\` shows plan, key and calls of the month.

Answers of rates carry \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`, a \`429\` carries \`Retry-After\`. A batch costs one call a pair, a file one call, however long. An operator may switch keys and limits off, and sell plans or not.

## Numbers

A direct rate is printed as published. An inverse or a cross is exact decimal arithmetic on the published figures, rounded half-even to 10 significant digits; \`derivation_bps_max\` bounds what the published rounding can do to a cross.

## Time

All instants are UTC and end in \`Z\`. Days without a publication are filled with the preceding one, at most 14 days back, and say so. When a source fails the answer is an error or an older figure marked \`stale\`, never an invented number.

## Caching

Answers with an \`ETag\` can be revalidated with \`If-None-Match\`: \`304\` means that nothing but \`timestamp\` has changed. Bodies of rates are compressed with gzip, Brotli or Zstandard when \`Accept-Encoding\` allows it.

## Errors

One envelope: \`result\`, \`code\`, \`message\`. A code always has the same status; the message says what to do. With \`Accept: application/problem+json\` the same facts come as RFC 9457. Below \`/compat\` refusals have the form of the service imitated. Every answer carries \`X-Request-Id\`.

${errorList(operations)}

## Webhooks

Events of official publications are posted to endpoints that are added in the dashboard. \`/dashboard/api/openapi.json\` describes what receivers get and how they verify it, apart from this document: generators of clients take what is sent for what is called.

## Data

Euro reference rates of the European Central Bank and H.10 noon rates of the Federal Reserve Board. Below \`/v1/official\` what other authorities publish under their own name, as printed and in every version.`;
}

function errorList(operations: readonly Operation[]): string {
  const codes = new Set<ErrorCode>(operations.flatMap(refusalsOf));
  return [...codes]
    .sort((a, b) => ERRORS[a].status - ERRORS[b].status)
    .map((code) => `- **${ERRORS[code].status}** \`${code}\`: ${errorExample(code).message}`)
    .join("\n");
}
