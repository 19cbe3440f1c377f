/** `bun run generate [FILE]`: the types of @crossrate/client, made from the product's /openapi.json. */

import { join } from "node:path";
import { plugin } from "bun";
import { openApiDocument } from "#api/openapi/document.ts";
import { describedRoutes } from "#api/resources.ts";

const SCHEMA = join(import.meta.dir, "typescript/src/schema.ts");
const HEADER = `// biome-ignore-all format: a generated file
// biome-ignore-all lint: a generated file
/** Generated from /openapi.json by \`bun run generate\`: do not edit. */

`;

// The generator builds syntax trees with the programming interface of TypeScript 5, which TypeScript 7 does not have.
plugin({
  name: "typescript-5",
  setup(build) {
    build.module("typescript", async () => {
      const { default: compiler } = await import("typescript5");
      return { exports: { ...compiler, default: compiler }, loader: "object" };
    });
  },
});

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is searched by name
type Json = Record<string, any>;

/**
 * The document without what makes no types, or types that nobody reads: the routes of other services, headers of answers, and
 * whole bodies as examples.
 */
function essential(document: Json): Json {
  const paths = Object.entries<Json>(document["paths"]).filter(([path]) => !path.startsWith("/compat/"));
  const operations = paths.flatMap(([, methods]) => Object.values<Json>(methods));
  const responses = [
    ...operations.flatMap((operation) => Object.values<Json>(operation["responses"])),
    ...Object.values<Json>(document["components"].responses),
  ];
  const bodies = operations.flatMap((operation) => operation["requestBody"] ?? []);
  for (const response of responses) delete response["headers"];
  for (const { content = {} } of [...responses, ...bodies])
    for (const media of Object.values<Json>(content))
      for (const name of ["example", "examples"]) delete media[name];
  delete document["components"].headers;
  return { ...document, paths: Object.fromEntries(paths) };
}

const { default: openapiTS, astToString } = await import("openapi-typescript");
const document = essential(
  structuredClone(openApiDocument({ routes: describedRoutes(), version: "", serverUrl: "/" })),
);
const types = astToString(await openapiTS(document as Parameters<typeof openapiTS>[0]));
await Bun.write(process.argv[2] ?? SCHEMA, `${HEADER}${types}`);
