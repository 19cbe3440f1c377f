/** GET /health, /status, /openapi.json and /docs. */

import { Type } from "@sinclair/typebox";
import type { Body } from "#contract/body.ts";
import * as field from "#contract/fields.ts";
import type { Operation } from "#contract/operation.ts";
import { STATUS_EXAMPLE, StatusResponse } from "./status.ts";

export const HealthResponse = Type.Object(
  {
    result: field.result,
    status: Type.Unsafe<"ok">({
      type: "string",
      const: "ok",
      description: "The process answers.",
      examples: ["ok"],
    }),
    version: Type.String({ description: "Version of the product.", examples: ["0.1.0"] }),
  },
  { $id: "HealthResponse", additionalProperties: false, description: "Liveness." },
);

/** The body of /health. */
export function healthBody(version: string) {
  return { result: "success", status: "ok", version } satisfies Body<typeof HealthResponse>;
}

export const PROBES: readonly Operation[] = [
  {
    id: "getHealth",
    method: "get",
    path: "/health",
    tag: "Service",
    summary: "Liveness",
    description: "Answers as long as the process runs; checks nothing else. Public and never limited.",
    parameters: [],
    ok: {
      description: "The process answers.",
      schema: HealthResponse,
      example: { result: "success", status: "ok", version: "0.1.0" },
      conditional: false,
    },
    errors: [],
  },
  {
    id: "getStatus",
    method: "get",
    path: "/status",
    tag: "Service",
    summary: "Readiness",
    description:
      "Whether the stores can be read, how old the data is, and which figures are held back. Public and never limited.",
    parameters: [
      {
        name: "strict",
        in: "query",
        required: false,
        schema: Type.Unsafe<string>({ type: "string", enum: ["0", "1"], default: "0" }),
        description: "`1` answers 503 when anything is degraded.",
        example: "0",
        inSampleCall: false,
      },
    ],
    ok: {
      description: "`ready`, or `degraded` with the reason in the checks.",
      schema: StatusResponse,
      example: STATUS_EXAMPLE,
      alsoAs: { 503: "`unready`; with `strict=1` also `degraded`." },
      conditional: false,
    },
    errors: ["invalid_request"],
  },
  {
    id: "getOpenApi",
    method: "get",
    path: "/openapi.json",
    tag: "Service",
    summary: "This description",
    description: "The description of this interface as OpenAPI 3.1.",
    parameters: [],
    ok: {
      description: "An OpenAPI 3.1 document.",
      schema: field.OpenApiDocument,
      conditional: true,
    },
    errors: [],
  },
  {
    id: "getDocs",
    method: "get",
    path: "/docs",
    tag: "Service",
    summary: "Documentation page",
    description: "This description as a page for people. Everything on it is served from here.",
    parameters: [],
    ok: {
      description: "A page.",
      mime: "text/html",
      schema: Type.String({ description: "HTML." }),
      conditional: true,
    },
    errors: [],
  },
];
