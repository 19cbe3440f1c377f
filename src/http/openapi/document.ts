/** The OpenAPI 3.1 document, derived from the table of operations and nothing else. */

import { type Operation, type Parameter, SECURITY_SCHEMES, TAGS } from "#contract/operation.ts";
import { OPERATIONS } from "#contract/operations.ts";
import { type Components, createComponents, type Json } from "./components.ts";
import { HEADERS } from "./headers.ts";
import { introduction } from "./introduction.ts";
import { portable } from "./portable.ts";
import { describeResponses } from "./responses.ts";

export interface DocumentFacts {
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

function describeAll({ version, serverUrl, batchLimit }: DocumentFacts): Json {
  const components = createComponents();
  const paths = describePaths(OPERATIONS, components);
  const schemas = components.schemas();
  // The operator sets it, so it is a fact of a server and no part of the model.
  if (batchLimit !== undefined) schemas["ConvertBatchRequest"].properties.pairs.maxItems = batchLimit;
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
    tags: Object.entries(TAGS)
      .filter(([name]) => OPERATIONS.some(({ tag }) => tag === name))
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
