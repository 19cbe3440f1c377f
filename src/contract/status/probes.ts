/** GET /openapi.json and /docs. */

import { Type } from "@sinclair/typebox";
import * as field from "#contract/fields.ts";
import type { Operation } from "#contract/operation.ts";

export const PROBES: readonly Operation[] = [
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
