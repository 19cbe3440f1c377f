/** /dashboard/api/webhooks: lists, adds, changes and deletes endpoints, and rotates their secrets. */

import { Type } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import { type AccountRouteDeps, ownerOf } from "#api/account/account.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { path, segment } from "#api/parameters.ts";
import { type OfAccounts, routesOf } from "#api/plugins/session.ts";
import { print } from "#api/print.ts";
import { jsonBody } from "#api/request/body.ts";
import * as webhook from "#domain/webhook/endpoint.ts";
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  type EndpointList,
  type EndpointSecret,
  listEndpoints,
  rotateSecret,
  type WebhookDeps,
} from "#webhooks/endpoints.ts";

export interface WebhookRouteDeps extends WebhookDeps {
  readonly sessionCaller: AccountRouteDeps["sessionCaller"];
}

export type OfWebhooks = OfAccounts<"webhooks", WebhookRouteDeps>;

export const EXAMPLE_ENDPOINT = "whe_4Qm7Zc1nXs9LdKf2RtYb";
const url = form.text(
  "Where events are sent: https, port 443, a public host name with at least one dot; no user name, password or fragment. Internet addresses, `localhost` and names that end in `.local` or `.internal` are refused. What the name resolves to is checked before every delivery.",
  "https://hooks.example.com/rates",
  { minLength: 1, maxLength: webhook.LONGEST_URL },
);

const description = form.text(
  `A note for people, at most ${webhook.LONGEST_DESCRIPTION} characters without control characters.`,
  "Treasury ledger",
  { maxLength: webhook.LONGEST_DESCRIPTION },
);

const events = Type.Array(form.word<webhook.ChosenType>(webhook.CHOSEN_TYPES), {
  minItems: 1,
  maxItems: webhook.CHOSEN_TYPES.length,
  description: "Which events to send: new publications, corrections, or both.",
  examples: [[...webhook.CHOSEN_TYPES]],
});

const enabled = form.flag("False: nothing is queued for it, and what was queued waits.", true);

const WebhookRequest = form.named("WebhookRequest", "A new webhook endpoint.", {
  url,
  description: Type.Optional({ ...description, default: "" }),
  events: Type.Optional({ ...events, default: [...webhook.CHOSEN_TYPES] }),
});

export const WebhookChangeRequest = form.named(
  "WebhookChangeRequest",
  "Absent members stay as they are.",
  form.optional({ url, description, events, enabled }),
);

export const endpointId = form.text("Id of the endpoint.", EXAMPLE_ENDPOINT);

export const id = segment({
  schema: endpointId,
  description: "`id` of the endpoint in the list.",
  example: EXAMPLE_ENDPOINT,
});

const WebhookEndpointModel = form.named("WebhookEndpoint", "A webhook endpoint as its owner sees it.", {
  id: endpointId,
  url: { ...url, description: "Where events are sent, in normal form." },
  description,
  events,
  enabled,
  state: form.oneOf<string>(
    webhook.ENDPOINT_STATES,
    "`active`: events are sent to it; `disabled`: by its owner, nothing is queued for it, and what was queued waits; `over_plan`: the plan has room for fewer endpoints, the oldest are kept, and this one is beyond them: nothing is queued for it, and what was queued has ended, until there is room; `suspended`: the organization is, and what is queued waits.",
  ),
  created_at: form.instant("When it was added, UTC.", "2026-04-13T16:30:00Z"),
  secret_created_at: form.instant("When its secret was made or last rotated, UTC.", "2026-04-13T16:30:00Z"),
});

const endpoint = form.meaning(WebhookEndpointModel, "The endpoint.");

const WebhookResponse = field.answer("WebhookResponse", "An endpoint after the call.", {
  endpoint,
});

const WebhookSecretResponse = field.answer("WebhookSecretResponse", "An endpoint with its new secret.", {
  endpoint,
  secret: form.text(
    "The signing secret, whole, `whsec_` included. It is shown in this answer and never again; rotating gives another one.",
    // It signs nothing.
    "whsec_Example0Example0Example0Example0",
    { pattern: "^whsec_[0-9A-Za-z]{32}$" },
  ),
});

export const WebhooksResponse = field.answer("WebhooksResponse", "One's webhook endpoints.", {
  endpoints: form.list(WebhookEndpointModel, "Oldest first."),
  limit: form.count("Endpoints that the plan has room for.", 5),
  delivering: form.flag(
    "Whether events are sent at present: false while the plan has no webhook endpoints or the organization is suspended. Endpoints are kept, and nothing new is queued. `state` of an endpoint says which, and holds for it alone.",
    true,
  ),
});

const WebhookDeletedResponse = field.answer("WebhookDeletedResponse", "The end of an endpoint.", {
  deleted: form.flag("Nothing is sent to it any more.", true),
  id: endpointId,
});

/** Prints when the secret was made, never the secret. */
const printed = (endpoint: webhook.EndpointWithState) => ({
  ...{ ...endpoint, enabled: endpoint.isEnabled, secretCreatedAt: endpoint.secretAt },
});

const endpointsBody = (list: EndpointList) =>
  print(WebhooksResponse, { ...list, endpoints: list.endpoints.map(printed) });

export const endpointBody = (endpoint: webhook.EndpointWithState) =>
  print(WebhookResponse, { endpoint: printed(endpoint) });

const secretBody = ({ endpoint, secret }: EndpointSecret) =>
  print(WebhookSecretResponse, { endpoint: printed(endpoint), secret });

export const routes = routesOf("Webhooks", "service_unavailable");

export const webhookEndpoints = ({ house, webhooks }: OfWebhooks) =>
  new Elysia({ name: "webhook-endpoints" })
    .use(ownerOf(house, webhooks))
    .get(
      "/dashboard/api/webhooks",
      async ({ accounts, ownerId }) => endpointsBody(await listEndpoints(accounts, ownerId)),
      routes.signedIn({
        id: "listWebhooks",
        summary: "One's webhook endpoints",
        description: "Every endpoint, without its secret, and how many the plan has room for.",
        ok: WebhooksResponse,
        errors: ["conflict"],
      }),
    )
    .post(
      "/dashboard/api/webhooks",
      async ({ accounts, ownerId, by, body }) =>
        status(201, secretBody(await createEndpoint(accounts, ownerId, body, by))),
      routes.signedIn({
        ...jsonBody(WebhookRequest),
        id: "createWebhook",
        summary: "Add a webhook endpoint",
        description:
          "Adds an endpoint and makes its signing secret, which is shown in this answer and never again. If the answer was lost, look at the list first: a repeated call adds another endpoint.",
        ok: { status: 201, description: "The endpoint with its secret.", schema: WebhookSecretResponse },
        errors: ["conflict", "endpoint_limit_reached", "rate_limited"],
      }),
    )
    .post(
      "/dashboard/api/webhooks/:id",
      async ({ accounts, ownerId, by, params, body: { enabled, ...rest } }) => {
        const wish = enabled === undefined ? rest : { ...rest, isEnabled: enabled };
        return endpointBody(await changeEndpoint(accounts, ownerId, params.id, wish, by));
      },
      routes.signedIn({
        params: path({ id }),
        ...jsonBody(WebhookChangeRequest),
        id: "changeWebhook",
        summary: "Change a webhook endpoint",
        description:
          "Changes address, description, choice of events, or whether it is enabled; the secret stays. What is queued goes to the new address from its next attempt on; another choice holds for events to come.",
        ok: WebhookResponse,
        errors: ["conflict", "not_found", "rate_limited"],
      }),
    )
    .delete(
      "/dashboard/api/webhooks/:id",
      async ({ accounts, ownerId, by, params: { id } }) => {
        await deleteEndpoint(accounts, ownerId, id, by);
        return print(WebhookDeletedResponse, { deleted: true, id });
      },
      routes.signedIn({
        params: path({ id }),
        id: "deleteWebhook",
        summary: "Delete a webhook endpoint",
        description:
          "Stops all deliveries to it; what was still to be sent is dropped. What was sent can be seen as long as deliveries are kept.",
        ok: WebhookDeletedResponse,
        errors: ["conflict", "not_found"],
      }),
    )
    .post(
      "/dashboard/api/webhooks/:id/rotate",
      async ({ accounts, ownerId, by, params: { id } }) =>
        secretBody(await rotateSecret(accounts, ownerId, id, by)),
      routes.signedIn({
        params: path({ id }),
        id: "rotateWebhookSecret",
        summary: "Rotate the signing secret",
        description:
          "Makes a new secret, shown in this answer and never again. The old one stops being used at once, for retries of earlier events too: let the receiver accept both before, and the old one no more afterwards.",
        ok: WebhookSecretResponse,
        errors: ["conflict", "not_found", "rate_limited"],
      }),
    );
