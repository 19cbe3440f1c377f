/** The OpenAPI 3.1 document of the routes in the shape of Frankfurter's second version: paths as that service has them, behind an address. */

import { COMPAT_FRANKFURTER_V2 } from "#contract/compat/frankfurter/v2.ts";
import { SECURITY_SCHEMES } from "#contract/operation.ts";
import { createComponents, type Json } from "./components.ts";
import { type DocumentFacts, describePaths } from "./document.ts";
import { headersUsedBy } from "./headers.ts";
import { portable } from "./portable.ts";

const PREFIX = "/compat/frankfurter/v2";

/** `serverUrl` is the prefix under which the routes are called. Pure: equal facts give an equal document. */
export function frankfurterDocument({ version, serverUrl }: DocumentFacts): Json {
  const components = createComponents();
  const operations = COMPAT_FRANKFURTER_V2.filter(({ path }) => !path.endsWith("/openapi.json"));
  const below = operations.map((operation) => ({ ...operation, path: operation.path.slice(PREFIX.length) }));
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
