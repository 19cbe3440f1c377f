/** GET /openapi.json, and the dashboard's document. They are made at the first request. */

import { type AnyElysia, Elysia } from "elysia";
import * as field from "#api/model.ts";
import { type StaticDeps, staticJson } from "#api/response/static-body.ts";
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
  // Relative: right behind any proxy, and one body for every Host.
  const facts = { version, serverUrl: "/" };
  const forAll = () => openApiDocument({ ...facts, routes: table(), batchLimit });
  const ofDashboard = () => dashboardDocument({ ...facts, routes: table() });
  return new Elysia({ name: "documents" })
    .get("/openapi.json", staticJson(forAll, deps), { detail: describes("getOpenApi", "this interface") })
    .get(`${DASHBOARD_API}/openapi.json`, staticJson(ofDashboard, deps), {
      detail: describes("getDashboardOpenApi", "the dashboard's API", { security: [] }),
    });
};
