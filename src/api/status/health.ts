/** GET /health: whether the process answers. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Body } from "#api/body.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import type { House } from "#api/plugins/house.ts";
import { words } from "#api/words.ts";

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

/** The body of an answer. */
export function healthBody(version: string) {
  return { result: "success", status: "ok", version } satisfies Body<typeof HealthResponse>;
}

export const health = ({ house, version }: { readonly house: House; readonly version: string }) =>
  new Elysia({ name: "health" }).use(house).get("/health", async () => healthBody(version), {
    reply: "no-store",
    detail: words({
      id: "getHealth",
      tag: "Service",
      summary: "Liveness",
      description: "Answers as long as the process runs; checks nothing else. Public and never limited.",
      ok: {
        description: "The process answers.",
        schema: HealthResponse,
        example: healthBody("0.1.0"),
      },
      errors: [],
    }),
  });
