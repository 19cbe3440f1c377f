/**
 * The OpenAPI 3.1 documents of the public interface, and of its part in the shape of another service. Pure: equal facts
 * give an equal document.
 */

import type { AnyElysia } from "elysia";
import { errorExample } from "#api/errors.ts";
import { SECURITY_SCHEMES, type SecurityScheme, TAGS } from "#api/words.ts";
import { ERRORS } from "#domain/faults/errors.ts";
import { type Components, createComponents, type Json } from "./components.ts";
import { type Operation, operationsOf } from "./operations.ts";
import { contentOf, describeResponses, headersUsedBy } from "./responses.ts";

export interface DocumentFacts {
  readonly routes: AnyElysia["routes"];
  readonly version: string;
  readonly serverUrl: string;
  readonly batchLimit?: number;
  /** Set by tests only: keeps the keywords that code generators handle badly. */
  readonly exact?: true;
}

export function openApiDocument(facts: DocumentFacts): Json {
  const operations = operationsOf(facts.routes);
  const info = {
    title: "Crossrate",
    version: "1.0",
    summary: "Indicative foreign-exchange rates: 31 currencies, 465 pairs, from 1999 on.",
    description: introduction(operations),
    "x-product-version": facts.version,
  };
  const document = assemble(facts, { info, operations, security: ["apiKey"] });
  // The operator sets the limit of a batch: it belongs to a server, not to the schema.
  const { pairs } = document["components"].schemas["ConvertBatchRequest"].properties;
  if (facts.batchLimit !== undefined) pairs.maxItems = facts.batchLimit;
  return document;
}

export const FRANKFURTER = "/compat/frankfurter/v2";

/** Makes the document with the paths of that service; `serverUrl` is the prefix of the routes. */
export function frankfurterDocument({ exact: _, ...facts }: DocumentFacts): Json {
  const operations = operationsOf(facts.routes)
    .filter(({ path }) => path.startsWith(`${FRANKFURTER}/`) && !path.endsWith("/openapi.json"))
    .map((operation) => ({ ...operation, path: operation.path.slice(FRANKFURTER.length) }));
  const info = {
    title: "Crossrate in the shape of Frankfurter v2",
    version: facts.version,
    description:
      "Daily reference rates. docs/migrating.md says what differs. The whole interface is `/openapi.json`.",
  };
  return assemble(facts, { info, operations, security: ["apiKey"] });
}

interface Parts {
  readonly info: Json;
  readonly operations: readonly Operation[];
  /** Identification of callers for all operations; absent when each operation has its own. */
  readonly security?: readonly SecurityScheme[];
  readonly webhooks?: (components: Components) => Json;
}

export function assemble(
  { serverUrl, exact }: DocumentFacts,
  { info, operations, security, webhooks }: Parts,
): Json {
  const components = createComponents(exact === true);
  const paths: Json = {};
  for (const operation of operations) {
    paths[operation.path] ??= {};
    paths[operation.path][operation.method] = describe(operation, components);
  }
  const sent = webhooks?.(components);
  const { responses, schemas } = components.named();
  const schemes = new Set([...(security ?? []), ...operations.flatMap((one) => one.security ?? [])]);
  const document = {
    openapi: "3.1.0",
    info: { ...info, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: serverUrl, description: "This server." }],
    security: security && [{}, ...asRequirements(security)],
    tags: Object.entries(TAGS)
      .filter(([name]) => operations.some(({ tag }) => tag === name))
      .map(([name, description]) => ({ name, description })),
    paths,
    webhooks: sent,
    components: {
      securitySchemes: Object.fromEntries([...schemes].map((name) => [name, SECURITY_SCHEMES[name]])),
      headers: headersUsedBy({ paths, responses }),
      responses,
      schemas,
    },
  };
  // Drops undefined members.
  return JSON.parse(JSON.stringify(document));
}

function asRequirements(security: readonly SecurityScheme[]) {
  return security.map((scheme) => ({ [scheme]: [] }));
}

function describe(operation: Operation, components: Components): Json {
  const { id, tag, summary, description, security, parameters, body } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: security && asRequirements(security),
    parameters:
      parameters.length === 0 ? undefined : parameters.map((one) => describeParameter(one, components)),
    requestBody: body && describeBody(body, components),
    responses: describeResponses(operation, components),
  };
}

function describeParameter(
  { name, in: place, required, description, schema, example, inSampleCall }: Operation["parameters"][number],
  { refer }: Components,
): Json {
  const described = { name, in: place, required, description, schema: refer(schema) };
  // The documentation page reads x-disabled: the parameter is offered, but not part of the sample call.
  return inSampleCall === false && example !== undefined
    ? { ...described, examples: { sample: { value: example, "x-disabled": true } } }
    : { ...described, example };
}

function describeBody(
  { schema, isOptional, description, example, otherTypes }: NonNullable<Operation["body"]>,
  { refer }: Components,
): Json {
  const content = { "application/json": { schema: refer(schema), example }, ...contentOf(otherTypes) };
  return { required: !isOptional, description, content };
}

/** Markdown, with the codes of all operations by status. */
function introduction(operations: readonly Operation[]): string {
  return `Indicative mid rates with exact provenance. Not for settlement, regulated trading or use as a source of record.

## Calls

Every \`GET\` also answers \`HEAD\`. Currency codes are taken in upper or in lower case, not in a mixture of both (but in slugs), and are upper case in answers. Unknown query parameters are ignored, but \`date\`, \`on\`, \`valid_on\` and \`as_of\` are refused by calls that do not take them; one with an empty value is refused, except for \`symbols\`, which then means all where it is optional.

## Keys, plans and limits

Send an API key as \`Authorization: Bearer fxk_…\`. Without one a few calls a minute pass, and the last days of history are served. To get one: \`POST /v1/auth/sign-up\`, then \`POST /v1/account/provision\` with the session's token. For a bigger plan open the \`url\` that \`POST /v1/account/checkout\` answers with; the key stays the same. \`GET /v1/account\` shows plan, key and calls of the month.

Answers of rates carry \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`, a \`429\` carries \`Retry-After\`. A batch costs one call a pair, a file one call, however long. An operator may switch keys and limits off, and sell plans or not.

## Numbers

A direct rate is printed as published. An inverse or a cross is exact decimal arithmetic on the published figures, rounded half-even to 10 significant digits; \`derivation_bps_max\` bounds what the published rounding can do to a cross. Figures in the examples of this document show the form; most are not those of their dates.

## Time

All instants are UTC and end in \`Z\`. Where a day has no publication the rates of a day and conversions take the preceding one, at most 14 days back, and say so; a series does with \`fill=previous\`. When a source fails the answer is an error or an older figure marked \`stale\`, never an invented number.

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
  const codes = new Set(operations.flatMap(({ refusals }) => refusals));
  return [...codes]
    .sort((a, b) => ERRORS[a].status - ERRORS[b].status)
    .map((code) => `- **${ERRORS[code].status}** \`${code}\`: ${errorExample(code).message}`)
    .join("\n");
}
