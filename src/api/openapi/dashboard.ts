/** The OpenAPI 3.1 document of the dashboard's API. It is not part of the public interface. */

import { exampleOf } from "#api/forms.ts";
import { SENT_EVENTS, type SentEvent } from "#api/webhooks/events.ts";
import {
  ATTEMPT_MILLISECONDS,
  SIGNATURE_HEADER,
  TOLERANCE_SECONDS,
  USER_AGENT,
} from "#domain/webhook/endpoint.ts";
import { type Components, type Json, mapMembers } from "./components.ts";
import { assemble, type DocumentFacts } from "./document.ts";
import { dashboardOperationsOf } from "./operations.ts";

const INTRODUCTION = `What the dashboard of this server calls, for the person who is signed in. It may change with any release; programs use the public interface, \`/openapi.json\`.

Send a session: \`Authorization: Bearer fxs_…\` as \`POST /v1/auth/sign-in?cookie=0\` gives it, or the cookie of a browser. API keys do not open these operations. Errors are those of the public interface. What receivers of events get, and how they verify it, is under the webhooks of this document.`;

export function dashboardDocument(facts: DocumentFacts): Json {
  const info = {
    title: "Crossrate dashboard",
    version: facts.version,
    summary: "Webhook endpoints of an organization, and what was sent to them.",
    description: INTRODUCTION,
  };
  return assemble(facts, {
    info,
    operations: dashboardOperationsOf(facts.routes),
    webhooks: (components) =>
      mapMembers<SentEvent>(SENT_EVENTS, (event, type) => describe(type, event, components)),
  });
}

function describe(
  type: string,
  { summary, description, schema, example = exampleOf(schema, "answer") as object }: SentEvent,
  { refer }: Components,
): Json {
  return {
    post: {
      operationId: `receive_${type.replace(".", "_")}`,
      tags: ["Webhooks"],
      summary,
      description,
      security: [],
      parameters: [
        {
          name: SIGNATURE_HEADER,
          in: "header",
          required: true,
          description: `\`t\`: Unix seconds of this attempt; refuse it when it is more than ${TOLERANCE_SECONDS} s away from your clock. \`v1\`: HMAC-SHA256 of \`t\`, a full stop and the bytes of the body as they came, keyed with the whole secret of the endpoint, in lower-case hexadecimal.`,
          schema: { type: "string", pattern: "^t=\\d+,v1=[0-9a-f]{64}$" },
          example: `t=1776097800,v1=${"0a".repeat(32)}`,
        },
        {
          name: "User-Agent",
          in: "header",
          required: true,
          description: "Who sends.",
          schema: { type: "string", const: USER_AGENT },
          example: USER_AGENT,
        },
      ],
      requestBody: {
        required: true,
        description: "The event, compact; the same bytes in every attempt.",
        content: { "application/json": { schema: refer(schema), example } },
      },
      responses: {
        "2XX": {
          description: `Any 2xx within ${ATTEMPT_MILLISECONDS / 1000} seconds acknowledges the event. The body is not read.`,
        },
        "4XX": {
          description:
            "A failed attempt, as are 3xx and 5xx: it is repeated, 6 attempts in all over some 8.5 hours.",
        },
      },
    },
  };
}
