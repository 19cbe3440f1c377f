/** GET /openapi.json, and the dashboard's document. They are made at the first request. */

import { type AnyElysia, Elysia } from "elysia";
import { createStaticBody, madeOnce, type StaticDeps } from "#api/response/static-body.ts";
import { dashboardDocument } from "./dashboard.ts";
import { openApiDocument } from "./document.ts";
import { DASHBOARD_API } from "./operations.ts";

export interface DocumentDeps extends StaticDeps {
  /** Version of the product. */
  readonly version: string;
  /** All routes, when they are registered. */
  readonly table: () => AnyElysia["routes"];
  /** Pairs that a batch may hold. */
  readonly batchLimit: number;
}

export const documents = ({ version, table, batchLimit, ...deps }: DocumentDeps) => {
  const sendMade = (make: () => object) => {
    const load = madeOnce(async () => new TextEncoder().encode(JSON.stringify(make())));
    const cacheControl = "public, max-age=300, must-revalidate";
    return createStaticBody({ mime: "application/json", cacheControl, load }, deps);
  };
  // Relative, so that it is right behind any proxy; and one body for every Host.
  const facts = { version, serverUrl: "/" };
  const sendPublic = sendMade(() => openApiDocument({ ...facts, routes: table(), batchLimit }));
  const sendDashboard = sendMade(() => dashboardDocument({ ...facts, routes: table() }));
  return new Elysia({ name: "documents" })
    .get("/openapi.json", async ({ request }) => await sendPublic(request))
    .get(`${DASHBOARD_API}/openapi.json`, async ({ request }) => await sendDashboard(request));
};
