/** /dashboard/webhooks: the endpoints with their states, and the form for a new one. */
/* @jsxImportSource preact */

import type { Tier } from "#domain/account/organization.ts";
import {
  CHOSEN_TYPES,
  type ChosenType,
  type EndpointState,
  type EndpointWithState,
} from "#domain/webhook/endpoint.ts";
import { LONGEST_DESCRIPTION, LONGEST_URL } from "#domain/webhook/rules.ts";
import { Field } from "#web/dashboard/fields.tsx";
import { dashboardPage, type Personal } from "#web/dashboard/frame.tsx";
import { FirstKey } from "#web/dashboard/overview.tsx";
import { counted, ENDPOINT_WORDS, EVENT_NAMES, type Refusal } from "#web/dashboard/words.ts";
import { Others } from "#web/shared/others.tsx";
import { TIER_NAMES } from "#web/shared/words.ts";

export interface WebhooksProps extends Personal {
  /** Null before the first key. */
  readonly list: {
    readonly endpoints: readonly EndpointWithState[];
    /** Endpoints that the plan has room for. */
    readonly limit: number;
    readonly tier: Tier;
    readonly isSuspended: boolean;
  } | null;
}

export function webhooksPage({ list, ...personal }: WebhooksProps): string {
  return dashboardPage(personal, {
    path: "/dashboard/webhooks",
    title: "Webhooks",
    children: (
      <>
        <h1>Webhooks</h1>
        <p class="lead">
          A signed request to your server whenever an authority publishes a rate or corrects one.{" "}
          <a href="/docs/webhooks">How to receive them</a>
        </p>
        {list === null ? <FirstKey /> : <Endpoints list={list} said={personal.said} />}
      </>
    ),
  });
}

function Endpoints({
  list: { endpoints, limit, tier, isSuspended },
  said,
}: {
  readonly list: NonNullable<WebhooksProps["list"]>;
  readonly said: Personal["said"];
}) {
  return (
    <>
      {isSuspended && (
        <p class="message refusal">
          Your organization is suspended: nothing is sent. Contact the operator of this server.
        </p>
      )}
      <section aria-labelledby="endpoints">
        <h2 id="endpoints">Endpoints</h2>
        <p class="dim">
          {limit === 0
            ? `The ${TIER_NAMES[tier]} plan has no webhook endpoints.`
            : `${endpoints.length} of the ${counted(limit, "endpoint")} of the ${TIER_NAMES[tier]} plan.`}
          {limit > 0 && endpoints.length > limit && " The oldest stay active; nothing is sent to the others."}{" "}
          {endpoints.length >= limit && <a href="/dashboard/plan">See the plans</a>}
        </p>
        {endpoints.length > 0 && (
          <ul class="plain-list lines endpoints">
            {endpoints.map(({ id, url, description, events, state }) => (
              <li key={id} class="row">
                <a class="breaks" href={`/dashboard/webhooks/${id}`}>
                  <Others>{url}</Others>
                </a>
                <EndpointMark state={state} />
                <span class="dim">
                  {description !== "" && (
                    <>
                      <Others>{description}</Others>.{" "}
                    </>
                  )}
                  {events.map((type) => EVENT_NAMES[type]).join(", ")}
                </span>
              </li>
            ))}
          </ul>
        )}
      </section>
      {endpoints.length < limit && !isSuspended && (
        <section aria-labelledby="add">
          <h2 id="add">Add an endpoint</h2>
          <form class="form" method="post" action="/dashboard/webhooks">
            <EndpointFields
              url={said.typed("url")}
              description={said.typed("description")}
              events={CHOSEN_TYPES}
              refusal={said.refusal}
            />
            <button class="button primary" type="submit">
              Add and show the secret
            </button>
          </form>
        </section>
      )}
    </>
  );
}

export function EndpointMark({ state }: { readonly state: EndpointState }) {
  return (
    <span class={state === "active" ? "source live" : "source stale"}>{ENDPOINT_WORDS[state].short}</span>
  );
}

interface EndpointFieldsProps {
  readonly url: string;
  readonly description: string;
  readonly events: readonly ChosenType[];
  readonly refusal: Refusal | null;
}

export function EndpointFields({ url, description, events, refusal }: EndpointFieldsProps) {
  return (
    <>
      <Field
        name="url"
        label="Address"
        type="url"
        value={url}
        maxLength={LONGEST_URL}
        hint="https on a public host name, such as https://hooks.example.com/rates"
        refusal={refusal}
      />
      <Field
        name="description"
        label="Description"
        value={description}
        maxLength={LONGEST_DESCRIPTION}
        isOptional
        refusal={refusal}
      />
      <fieldset>
        <legend>Events</legend>
        {CHOSEN_TYPES.map((type) => (
          <label key={type} class="confirm">
            <input type="checkbox" name="events" value={type} checked={events.includes(type)} />
            <span>
              {EVENT_NAMES[type]} <code>{type}</code>
            </span>
          </label>
        ))}
      </fieldset>
    </>
  );
}
