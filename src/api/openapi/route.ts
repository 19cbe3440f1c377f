/** GET /openapi.json, and the dashboard's document. They are made at the first request. */

import { type AnyElysia, Elysia } from "elysia";
import * as field from "#api/model.ts";
import { createStaticBody, type StaticDeps } from "#api/response/static-body.ts";
import { type Words, words } from "#api/words.ts";
import { dashboardDocument } from "./dashboard.ts";
import { openApiDocument } from "./document.ts";
import { DASHBOARD_API } from "./operations.ts";

export interface DocumentDeps extends StaticDeps {
  readonly version: string;
  readonly table: () => AnyElysia["routes"];
  readonly batchLimit: number;
}

const describes = (id: string, what: string, more: Pick<Words, "security"> = {}) =>
  words({
    id,
    tag: "Service",
    summary: "This description",
    description: `The description of ${what} as OpenAPI 3.1.`,
    ok: field.OpenApiDocument,
    conditional: true,
    ...more,
  });

export const documents = ({ version, table, batchLimit, ...deps }: DocumentDeps) => {
  const sendMade = (make: () => object) => {
    const load = () => JSON.stringify(make());
    const cacheControl = "public, max-age=300, must-revalidate";
    return createStaticBody({ mime: "application/json", cacheControl, load }, deps);
  };
  // Relative: right behind any proxy, and one body for every Host.
  const facts = { version, serverUrl: "/" };
  const sendPublic = sendMade(() => openApiDocument({ ...facts, routes: table(), batchLimit }));
  const sendDashboard = sendMade(() => dashboardDocument({ ...facts, routes: table() }));
  return new Elysia({ name: "documents" })
    .get("/openapi.json", async ({ request }) => await sendPublic(request), {
      detail: describes("getOpenApi", "this interface"),
    })
    .get(`${DASHBOARD_API}/openapi.json`, async ({ request }) => await sendDashboard(request), {
      detail: describes("getDashboardOpenApi", "the dashboard's API", { security: [] }),
    });
};
