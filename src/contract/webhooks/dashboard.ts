/** The operations of the dashboard's API, in the order of its own document. */

import { OpenApiDocument } from "#contract/fields.ts";
import type { Operation } from "#contract/operation.ts";
import { WEBHOOKS } from "./webhooks.ts";

/** All of them are below it. */
export const DASHBOARD_API = "/dashboard/api";

const DESCRIPTION: Operation = {
  id: "getDashboardOpenApi",
  method: "get",
  path: `${DASHBOARD_API}/openapi.json`,
  tag: "Service",
  summary: "This description",
  description: "The description of the dashboard's API as OpenAPI 3.1.",
  security: [],
  ok: { description: "An OpenAPI 3.1 document.", schema: OpenApiDocument, conditional: true },
  errors: [],
};

export const DASHBOARD_OPERATIONS: readonly Operation[] = [...WEBHOOKS, DESCRIPTION];
