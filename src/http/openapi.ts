/** The OpenAPI 3.1 document, derived from the table of operations and nothing else. */

import { type Operation, type Parameter, SECURITY_SCHEMES, TAGS } from "./model/operation.ts";
import { OPERATIONS } from "./model/operations.ts";
import { type Components, createComponents, type Json } from "./openapi-components.ts";
import { HEADERS } from "./openapi-headers.ts";
import { introduction } from "./openapi-introduction.ts";
import { describeResponses } from "./openapi-responses.ts";
import { describeWebhooks } from "./openapi-webhooks.ts";

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
      [operation.method]: describe(operation, components),
    };
  }
  const webhooks = describeWebhooks(components);
  return {
    openapi: "3.1.0",
    info: {
      title: "Crossrate",
      version: "1.0",
      summary: "Indicative foreign-exchange rates: 31 currencies, 465 pairs, since 1999.",
      description: introduction(),
      license: { name: "MIT", identifier: "MIT" },
      "x-product-version": version,
    },
    servers: [{ url: serverUrl, description: "This server." }],
    security: [{}, { apiKey: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: HEADERS,
      responses: components.responses(),
      schemas: components.schemas(),
    },
  };
}

function describe(operation: Operation, components: Components): Json {
  const { refer } = components;
  const { id, tag, summary, description, parameters, body, security } = operation;
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
