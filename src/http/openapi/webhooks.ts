/** The part of the description that tells what this server sends, and what it expects for an answer. */

import { SENT_EVENTS, type SentEvent } from "#contract/webhooks/events.ts";
import {
  ATTEMPT_MILLISECONDS,
  SIGNATURE_HEADER,
  TOLERANCE_SECONDS,
  USER_AGENT,
} from "#domain/webhook/rules.ts";
import type { Components, Json } from "./components.ts";

/** `webhooks` of OpenAPI 3.1, one an event type. */
export function describeWebhooks(components: Components): Json {
  const told = Object.entries(SENT_EVENTS).map(([type, event]) => [type, describe(type, event, components)]);
  return Object.fromEntries(told);
}

function describe(
  type: string,
  { summary, description, schema, example }: SentEvent,
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
