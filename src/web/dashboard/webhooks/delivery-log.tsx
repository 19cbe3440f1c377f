/** The events sent to an endpoint: every attempt, the next one, and a button to send it again. */
/* @jsxImportSource preact */

import type { DeliveryWithAttempts } from "#domain/webhook/endpoint.ts";
import { MOST_DELIVERIES, outcomeIsSuccess } from "#domain/webhook/rules.ts";
import { EVENT_NAMES, FAULT_WORDS } from "#web/dashboard/words.ts";
import { When } from "#web/shared/when.tsx";
import { grouped } from "#web/shared/words.ts";

export type DeliveryRow = DeliveryWithAttempts;

const STATE_WORDS: Readonly<Record<DeliveryRow["state"], string>> = {
  pending: "pending",
  delivered: "delivered",
  failed: "failed",
  dropped: "dropped",
};

const REASON_WORDS = {
  endpoint_deleted: "its endpoint was deleted",
  over_plan: "the endpoint was over the plan's limit",
} as const;

/** `data-pending` makes the browser check again until no delivery is pending. */
export function DeliveryLog({
  address,
  deliveries,
}: {
  readonly address: string;
  readonly deliveries: readonly DeliveryRow[];
}) {
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
      <p class="hint">
        Deliveries are stored for 30 days.{" "}
        {deliveries.length === FIRST_SHOWN && (
          <a href={`${address}?all#deliveries`}>Show the newest {MOST_DELIVERIES}</a>
        )}
      </p>
    </section>
  );
}

/** Without a request for more. */
export const FIRST_SHOWN = 10;

function Delivery({ address, delivery }: { readonly address: string; readonly delivery: DeliveryRow }) {
  const { id, event, state, reason, tries, dueAt } = delivery;
  return (
    <li>
      <div class="row">
        <b>{EVENT_NAMES[event.type]}</b>
        <span class={state === "delivered" ? "source live" : "source stale"}>
          {STATE_WORDS[state]}
          {reason !== null && `: ${REASON_WORDS[reason]}`}
        </span>
        <code class="dim breaks">{event.id}</code>
        {state !== "pending" && reason !== "endpoint_deleted" && (
          <form method="post" action={`${address}/replay`}>
            <input type="hidden" name="delivery" value={id} />
            <button class="plain-button underlined replay" type="submit">
              Resend<span class="visually-hidden"> {event.id}</span>
            </button>
          </form>
        )}
      </div>
      <ul class="plain-list attempts">
        {tries.map((attempt) => (
          <li key={attempt.at}>
            <When at={attempt.at} />{" "}
            <span class={outcomeIsSuccess(attempt) ? undefined : "wrong"}>
              {attempt.status === null ? faultText(attempt) : `status ${attempt.status}`}
            </span>{" "}
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
    </li>
  );
}

function faultText({ fault }: DeliveryRow["tries"][number]): string {
  return fault === null ? "no answer" : FAULT_WORDS[fault];
}
