/** What the endpoints below /dashboard/api/webhooks share: the signed-in owner, refusals, the webhook endpoint in requests and answers. */

import { type Static, Type } from "@sinclair/typebox";
import { ACCOUNT_ERRORS, type AccountRouteDeps } from "#api/account/model.ts";
import * as form from "#api/forms.ts";
import type { Parameter } from "#api/parameters.ts";
import type { House } from "#api/plugins/house.ts";
import { BY_SESSION } from "#api/words.ts";
import type { ErrorCode } from "#domain/faults/errors.ts";
import { formatInstant } from "#domain/time/day.ts";
import {
  CHOSEN_TYPES,
  type ChosenType,
  ENDPOINT_STATES,
  type EndpointWithState,
} from "#domain/webhook/endpoint.ts";
import { LONGEST_DESCRIPTION, LONGEST_URL } from "#domain/webhook/rules.ts";
import type { WebhookDeps } from "#webhooks/webhook-deps.ts";

export interface WebhookRouteDeps extends WebhookDeps {
  readonly sessionCaller: AccountRouteDeps["sessionCaller"];
}

export interface WebhookRoutesDeps {
  readonly house: House;
  /** Null where the installation is open: without accounts. */
  readonly webhooks: WebhookRouteDeps | null;
}

/** What every operation of the dashboard's webhooks has. */
export const SHARED = { security: BY_SESSION, tag: "Webhooks" } as const;
export const WEBHOOK_ERRORS = [...ACCOUNT_ERRORS, "conflict"] as const satisfies readonly ErrorCode[];

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

export const id: Parameter<string> = {
  schema: endpointId,
  description: "`id` of the endpoint in the list.",
  example: EXAMPLE_ENDPOINT,
  parse: (text = "") => text,
};

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

/** Of the secret it contains only the instant since when it is in use. */
export function printEndpoint(endpoint: EndpointWithState): Static<typeof WebhookEndpointModel> {
  const { id, url, description, events, isEnabled, state, createdAt, secretAt } = endpoint;
  return {
    id,
    url,
    description,
    events: [...events],
    enabled: isEnabled,
    state,
    created_at: formatInstant(createdAt),
    secret_created_at: formatInstant(secretAt),
  };
}
