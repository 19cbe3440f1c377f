/** /dashboard/webhooks/{id}: one endpoint with its settings, its new secret, and every delivery with its attempts. */
/* @jsxImportSource preact */

import {
  CHOSEN_TYPES,
  type DeliveryWithAttempts,
  type EndpointState,
  type EndpointWithState,
  isFailing,
  LONGEST_DESCRIPTION,
  LONGEST_URL,
  MOST_DELIVERIES,
  outcomeIsSuccess,
} from "#domain/webhook/endpoint.ts";
import { When } from "#web/shared/figure.tsx";
import { Action, Careful, Facts, Field, Submit } from "#web/shared/forms.tsx";
import { Code } from "#web/shared/snippets.tsx";
import { grouped } from "#web/shared/words.ts";
import { dashboardPage, Secret } from "./frame.tsx";
import type { PersonalVisit } from "./router.ts";
import { ENDPOINT_WORDS, EVENT_NAMES, FAULT_WORDS, type Refusal } from "./words.ts";

interface EndpointProps {
  readonly endpoint: EndpointWithState;
  readonly deliveries: readonly DeliveryWithAttempts[];
  readonly secret: string | null;
}

export function endpointPage(visit: PersonalVisit, { endpoint, deliveries, secret }: EndpointProps): string {
  const { id, url, state, createdAt, secretAt, isEnabled } = endpoint;
  const address = `/dashboard/webhooks/${id}`;
  const verb = isEnabled ? "Disable" : "Enable";
  const { refusal, typed, ticked } = visit.said;
  // The refused form may be another of this page: then the settings are those that are stored.
  const isChangeRefused = typed("url") !== "";
  const wish = { url: typed("url"), description: typed("description"), events: ticked("events") };
  return dashboardPage(
    visit,
    "/dashboard/webhooks",
    "Webhook endpoint",
    <>
      {secret !== null && <SigningSecret secret={secret} address={address} />}
      <p>
        <EndpointMark state={state} isFailing={isFailing(deliveries)} />{" "}
        <span class="dim">
          {state === "active" && isFailing(deliveries)
            ? "The newest attempt failed. Failed events are retried."
            : ENDPOINT_WORDS[state].long}
        </span>
      </p>
      <Facts
        facts={{
          Id: <code>{id}</code>,
          Added: <When at={createdAt} />,
          "Secret created": <When at={secretAt} />,
        }}
      />
      <div class="row actions">
        <Action path={`${address}/test`} name="Send a test event" kind="primary" />
        <Action path={`${address}/${verb.toLowerCase()}`} name={verb} />
      </div>
      <DeliveryLog address={address} deliveries={deliveries} />
      <section aria-labelledby="settings">
        <h2 id="settings">Settings</h2>
        <Careful summary="Change address, description or events" isOpen={isChangeRefused}>
          <form class="form" method="post" action={address}>
            <EndpointFields {...(isChangeRefused ? wish : endpoint)} refusal={refusal} />
            <p class="hint">
              Queued events go to the new address. A change of events applies to new events only.
            </p>
            <Submit kind="">Save</Submit>
          </form>
        </Careful>
        <Careful summary="Rotate the secret">
          <p>
            The new secret is shown once. From then on all events are signed with it, including retries of
            earlier events. Let your receiver accept both secrets before you rotate.
          </p>
          <Action path={`${address}/rotate`} name="Rotate and show the secret" />
        </Careful>
        <Careful summary="Delete the endpoint">
          <p>
            Nothing more is sent to it, and queued events are dropped. Events stay available at
            /v1/official/changes.
          </p>
          <Action
            path={`${address}/delete`}
            name="Delete"
            kind="danger"
            confirm="Queued events may be dropped."
          />
        </Careful>
      </section>
    </>,
    <>
      <p class="crumbs">
        <a href="/dashboard/webhooks">Webhooks</a>
      </p>
      <h1 class="endpoint-title breaks">{url}</h1>
    </>,
  );
}

function SigningSecret({ secret, address }: { readonly secret: string; readonly address: string }) {
  return (
    <section class="secret" aria-labelledby="secret" data-address={address}>
      <h2 id="secret">Signing secret</h2>
      <p>It is shown only once. Store it for your receiver. If you lose it, rotate it.</p>
      <Secret text={secret} />
    </section>
  );
}

/** `isFailing`: its newest attempt failed. */
export function EndpointMark(is: { readonly state: EndpointState; readonly isFailing: boolean }) {
  if (is.state === "active" && is.isFailing) return <span class="source stale">failing</span>;
  const { short } = ENDPOINT_WORDS[is.state];
  return <span class={is.state === "active" ? "source live" : "source stale"}>{short}</span>;
}

interface EndpointFieldsProps extends Pick<EndpointWithState, "url" | "description"> {
  readonly events: readonly string[];
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

const REASON_WORDS = {
  endpoint_deleted: "its endpoint was deleted",
  over_plan: "the endpoint was over the plan's limit",
} as const;

/** `data-pending` makes the browser check again until no delivery is pending. */
function DeliveryLog({
  address,
  deliveries,
}: { readonly address: string } & Pick<EndpointProps, "deliveries">) {
  const isPending = deliveries.some(({ state }) => state === "pending");
  return (
    <section id="deliveries" aria-labelledby="log" aria-live="polite" data-pending={isPending ? "yes" : "no"}>
      <h2 id="log">Deliveries</h2>
      {deliveries.length === 0 ? (
        <p class="dim">
          Nothing sent yet. Send a test event to check within seconds that your receiver answers.
        </p>
      ) : (
        <ol class="plain-list lines">
          {deliveries.map((delivery) => (
            <Delivery key={delivery.id} address={address} delivery={delivery} />
          ))}
        </ol>
      )}
      <p class="hint">Deliveries are stored for 30 days. The newest {MOST_DELIVERIES} are shown.</p>
    </section>
  );
}

function Delivery({
  address,
  delivery,
}: {
  readonly address: string;
  readonly delivery: DeliveryWithAttempts;
}) {
  const { id, event, state, reason, tries, dueAt } = delivery;
  const isRetried = tries.length > 0 && (state === "pending" || state === "failed");
  const word = state === "pending" && isFailing([delivery]) ? "failing" : state;
  return (
    <li>
      <div class="row">
        <b>{EVENT_NAMES[event.type]}</b>
        <span class={state === "delivered" ? "source live" : "source stale"}>
          {word}
          {reason !== null && `: ${REASON_WORDS[reason]}`}
        </span>
        <code class="dim breaks">{event.id}</code>
        {(state !== "pending" || isRetried) && reason !== "endpoint_deleted" && (
          <form method="post" action={`${address}/replay`}>
            <input type="hidden" name="delivery" value={id} />
            <button class="plain-button underlined small" type="submit">
              {isRetried ? "Retry now" : "Resend"}
              <span class="visually-hidden"> {event.id}</span>
            </button>
          </form>
        )}
      </div>
      <ul class="plain-list small">
        {tries.map((attempt) => (
          <li key={attempt.at}>
            <When at={attempt.at} /> <Outcome {...attempt} />{" "}
            <span class="dim">
              {grouped(attempt.milliseconds)} ms
              {attempt.address !== null && `, ${attempt.address}`}
            </span>
          </li>
        ))}
        {state === "pending" && dueAt !== null && (
          <li class="dim">
            {tries.length === 0 ? "First attempt" : "Next attempt"}: <When at={dueAt} />
          </li>
        )}
      </ul>
      <Sent {...delivery} />
    </li>
  );
}

type Attempt = DeliveryWithAttempts["tries"][number];

function Outcome(attempt: Attempt) {
  const { status, fault } = attempt;
  const text = status === null ? (fault === null ? "no answer" : FAULT_WORDS[fault]) : `status ${status}`;
  return <span class={outcomeIsSuccess(attempt) ? undefined : "wrong"}>{text}</span>;
}

/** The body is the same in every attempt; the signature is not. */
function Sent({ tries, event }: DeliveryWithAttempts) {
  const sent = tries.flatMap((attempt) =>
    attempt.head === null ? [] : [{ ...attempt, head: attempt.head }],
  );
  if (sent.length === 0) return null;
  return (
    <details class="small">
      <summary>What was sent</summary>
      {sent.map((attempt) => (
        <div key={attempt.at}>
          <p class="dim">
            <When at={attempt.at} />: <Outcome {...attempt} />
          </p>
          <Code text={attempt.head} />
        </div>
      ))}
      <p class="dim">Body:</p>
      <Code text={event.body} />
      <p class="hint">Of the response only the status is read.</p>
    </details>
  );
}
