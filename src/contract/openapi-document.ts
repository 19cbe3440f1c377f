/** A description of an interface, as its answer. */

import { Type } from "@sinclair/typebox";

export const OpenApiDocument = Type.Object(
  { openapi: Type.String({ description: "Version of OpenAPI.", examples: ["3.1.0"] }) },
  { $id: "OpenApiDocument", additionalProperties: true, description: "An OpenAPI document." },
);
