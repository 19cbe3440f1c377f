/** GET /health, /status, /openapi.json and /docs. */

import { Type } from "@sinclair/typebox";
import type { Body } from "#contract/body.ts";
import * as field from "#contract/fields.ts";
import * as form from "#contract/forms.ts";
import type { Operation } from "#contract/operation.ts";
import { choice } from "#contract/parameters.ts";
import { STATUS_EXAMPLE, StatusResponse } from "./status.ts";

export const HealthResponse = form.named("HealthResponse", "Liveness.", {
  result: field.result,
  status: Type.Unsafe<"ok">({
    type: "string",
    const: "ok",
    description: "The process answers.",
    examples: ["ok"],
  }),
  version: form.text("Version of the product.", "0.1.0"),
});

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
    ok: {
      description: "The process answers.",
      schema: HealthResponse,
      example: { result: "success", status: "ok", version: "0.1.0" },
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
    parameters: [choice("strict", ["0", "1"], "`1` answers 503 when anything is degraded.")],
    ok: {
      description: "`ready`, or `degraded` with the reason in the checks.",
      schema: StatusResponse,
      example: STATUS_EXAMPLE,
      alsoAs: { 503: "`unready`; with `strict=1` also `degraded`." },
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
    ok: { description: "An OpenAPI 3.1 document.", schema: field.OpenApiDocument, conditional: true },
    errors: [],
  },
  {
    id: "getDocs",
    method: "get",
    path: "/docs",
    tag: "Service",
    summary: "Documentation pages",
    description:
      "The guides as pages for people; the reference is at `/docs/reference`. With `q` it is what was found in them: a page without an ETag that counts as a call.",
    ok: {
      description: "A page.",
      mime: "text/html",
      schema: Type.String({ description: "HTML." }),
      conditional: true,
    },
    errors: [],
  },
];
