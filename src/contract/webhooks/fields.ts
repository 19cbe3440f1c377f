/** Requests and responses of webhook endpoints: the endpoint and its secret. */

import { Type } from "@sinclair/typebox";
import * as field from "#contract/fields.ts";
import { CHOSEN_TYPES, type ChosenType, ENDPOINT_STATES } from "#domain/webhook/endpoint.ts";
import { LONGEST_DESCRIPTION, LONGEST_URL } from "#domain/webhook/rules.ts";

export const EXAMPLE_ENDPOINT = "whe_4Qm7Zc1nXs9LdKf2RtYb";
/** Of the documented form; it signs nothing. */
export const EXAMPLE_SECRET = "whsec_Example0Example0Example0Example0";

export const ENDPOINT_EXAMPLE = {
  id: EXAMPLE_ENDPOINT,
  url: "https://hooks.example.com/rates",
  description: "Treasury ledger",
  events: [...CHOSEN_TYPES],
  state: "active",
  created_at: "2026-04-13T16:30:00Z",
  secret_created_at: "2026-04-13T16:30:00Z",
};

const url = Type.String({
  minLength: 1,
  maxLength: LONGEST_URL,
  description:
    "Where events are sent: https, port 443, a public host name with at least one dot; no user name, password or fragment. Internet addresses, `localhost` and names that end in `.local` or `.internal` are refused. What the name resolves to is checked before every delivery.",
  examples: [ENDPOINT_EXAMPLE.url],
});

const description = Type.String({
  maxLength: LONGEST_DESCRIPTION,
  description: `A note for people, at most ${LONGEST_DESCRIPTION} characters without control characters.`,
  examples: [ENDPOINT_EXAMPLE.description],
});

const events = Type.Array(
  Type.Unsafe<ChosenType>(
    Type.String({
      pattern: `^(${CHOSEN_TYPES.map((type) => type.replace(".", "\\.")).join("|")})$`,
      enum: [...CHOSEN_TYPES],
    }),
  ),
  {
    minItems: 1,
    maxItems: CHOSEN_TYPES.length,
    description:
      "Which events to send: new publications, corrections, or both. A test event is sent on request.",
    examples: [[...CHOSEN_TYPES]],
  },
);

export const WebhookRequest = Type.Object(
  {
    url,
    description: Type.Optional({ ...description, default: "" }),
    events: Type.Optional({ ...events, default: [...CHOSEN_TYPES] }),
  },
  { $id: "WebhookRequest", additionalProperties: false, description: "A new webhook endpoint." },
);

export const WebhookChangeRequest = Type.Object(
  { url: Type.Optional(url), description: Type.Optional(description), events: Type.Optional(events) },
  {
    $id: "WebhookChangeRequest",
    additionalProperties: false,
    description: "What is to change of a webhook endpoint; members that are absent stay as they are.",
  },
);

export const endpointId = Type.String({
  description: "Id of the endpoint.",
  examples: [EXAMPLE_ENDPOINT],
});

export const WebhookEndpointModel = Type.Object(
  {
    id: endpointId,
    url: { ...url, description: "Where events are sent, in normal form." },
    description,
    events,
    state: Type.Unsafe<string>({
      type: "string",
      enum: [...ENDPOINT_STATES],
      description:
        "`active`: events are sent to it; `over_plan`: the plan has room for fewer endpoints, of which the oldest are kept, and this one is beyond them: nothing is queued for it, and what was queued has ended, until there is room; `suspended`: the organization is, and what is queued waits.",
    }),
    created_at: field.instant("When it was added, UTC.", ENDPOINT_EXAMPLE.created_at),
    secret_created_at: field.instant(
      "When its signing secret was made or last rotated, UTC.",
      ENDPOINT_EXAMPLE.secret_created_at,
    ),
  },
  {
    $id: "WebhookEndpoint",
    additionalProperties: false,
    description: "A webhook endpoint as its owner sees it.",
  },
);

const endpoint = field.meaning(WebhookEndpointModel, "The endpoint.", ENDPOINT_EXAMPLE);

export const WebhookResponse = Type.Object(
  { result: field.result, endpoint },
  { $id: "WebhookResponse", additionalProperties: false, description: "An endpoint after the call." },
);

export const WebhookSecretResponse = Type.Object(
  {
    result: field.result,
    endpoint,
    secret: Type.String({
      pattern: "^whsec_[0-9A-Za-z]{32}$",
      description:
        "The signing secret, whole, `whsec_` included. It is shown in this answer and never again; rotating gives another one.",
      examples: [EXAMPLE_SECRET],
    }),
  },
  {
    $id: "WebhookSecretResponse",
    additionalProperties: false,
    description: "An endpoint with its new secret. Not to be stored by caches.",
  },
);

export const WebhooksResponse = Type.Object(
  {
    result: field.result,
    endpoints: Type.Array(WebhookEndpointModel, {
      description: "Oldest first.",
      examples: [[ENDPOINT_EXAMPLE]],
    }),
    limit: Type.Integer({ minimum: 0, description: "Endpoints that the plan has room for.", examples: [5] }),
    delivering: Type.Boolean({
      description:
        "Whether events are sent at present: false while the plan has no webhook endpoints or the organization is suspended. Endpoints are kept, and nothing new is queued. `state` of an endpoint says which, and holds for it alone.",
      examples: [true],
    }),
  },
  { $id: "WebhooksResponse", additionalProperties: false, description: "One's webhook endpoints." },
);

export const WebhookDeletedResponse = Type.Object(
  {
    result: field.result,
    deleted: Type.Boolean({ description: "Nothing is sent to it any more.", examples: [true] }),
    id: endpointId,
  },
  { $id: "WebhookDeletedResponse", additionalProperties: false, description: "The end of an endpoint." },
);
