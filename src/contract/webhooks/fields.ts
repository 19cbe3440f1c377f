/** Requests and responses of webhook endpoints: the endpoint and its secret. */

import { Type } from "@sinclair/typebox";
import * as field from "#contract/fields.ts";
import * as form from "#contract/forms.ts";
import { BY_SESSION } from "#contract/operation.ts";
import { inPath } from "#contract/parameters.ts";
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
  enabled: true,
  state: "active",
  created_at: "2026-04-13T16:30:00Z",
  secret_created_at: "2026-04-13T16:30:00Z",
};

const url = form.text(
  "Where events are sent: https, port 443, a public host name with at least one dot; no user name, password or fragment. Internet addresses, `localhost` and names that end in `.local` or `.internal` are refused. What the name resolves to is checked before every delivery.",
  ENDPOINT_EXAMPLE.url,
  { minLength: 1, maxLength: LONGEST_URL },
);

const description = form.text(
  `A note for people, at most ${LONGEST_DESCRIPTION} characters without control characters.`,
  ENDPOINT_EXAMPLE.description,
  { maxLength: LONGEST_DESCRIPTION },
);

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

const enabled = form.flag(
  "False disables the endpoint: nothing is queued for it, and what was queued waits until it is enabled again.",
  true,
);

export const WebhookRequest = form.named("WebhookRequest", "A new webhook endpoint.", {
  url,
  description: Type.Optional({ ...description, default: "" }),
  events: Type.Optional({ ...events, default: [...CHOSEN_TYPES] }),
});

export const WebhookChangeRequest = form.named(
  "WebhookChangeRequest",
  "What is to change of a webhook endpoint; members that are absent stay as they are.",
  {
    url: Type.Optional(url),
    description: Type.Optional(description),
    events: Type.Optional(events),
    enabled: Type.Optional(enabled),
  },
);

export const endpointId = form.text("Id of the endpoint.", EXAMPLE_ENDPOINT);

export const endpointParameter = inPath("id", {
  schema: endpointId,
  description: "`id` of the endpoint in the list.",
  example: EXAMPLE_ENDPOINT,
});

/** What every operation of the dashboard's webhooks has. */
export const SHARED = { security: BY_SESSION, tag: "Webhooks" } as const;

export const WebhookEndpointModel = form.named(
  "WebhookEndpoint",
  "A webhook endpoint as its owner sees it.",
  {
    id: endpointId,
    url: { ...url, description: "Where events are sent, in normal form." },
    description,
    events,
    enabled,
    state: form.oneOf<string>(
      ENDPOINT_STATES,
      "`active`: events are sent to it; `disabled`: by its owner, nothing is queued for it, and what was queued waits; `over_plan`: the plan has room for fewer endpoints, of which the oldest are kept, and this one is beyond them: nothing is queued for it, and what was queued has ended, until there is room; `suspended`: the organization is, and what is queued waits.",
    ),
    created_at: form.instant("When it was added, UTC.", ENDPOINT_EXAMPLE.created_at),
    secret_created_at: form.instant(
      "When its signing secret was made or last rotated, UTC.",
      ENDPOINT_EXAMPLE.secret_created_at,
    ),
  },
);

const endpoint = form.meaning(WebhookEndpointModel, "The endpoint.", ENDPOINT_EXAMPLE);

export const WebhookResponse = form.named("WebhookResponse", "An endpoint after the call.", {
  result: field.result,
  endpoint,
});

export const WebhookSecretResponse = form.named(
  "WebhookSecretResponse",
  "An endpoint with its new secret. Not to be stored by caches.",
  {
    result: field.result,
    endpoint,
    secret: form.text(
      "The signing secret, whole, `whsec_` included. It is shown in this answer and never again; rotating gives another one.",
      EXAMPLE_SECRET,
      { pattern: "^whsec_[0-9A-Za-z]{32}$" },
    ),
  },
);

export const WebhooksResponse = form.named("WebhooksResponse", "One's webhook endpoints.", {
  result: field.result,
  endpoints: form.list(WebhookEndpointModel, "Oldest first.", [ENDPOINT_EXAMPLE]),
  limit: form.count("Endpoints that the plan has room for.", 5),
  delivering: form.flag(
    "Whether events are sent at present: false while the plan has no webhook endpoints or the organization is suspended. Endpoints are kept, and nothing new is queued. `state` of an endpoint says which, and holds for it alone.",
    true,
  ),
});

export const WebhookDeletedResponse = form.named("WebhookDeletedResponse", "The end of an endpoint.", {
  result: field.result,
  deleted: form.flag("Nothing is sent to it any more.", true),
  id: endpointId,
});
