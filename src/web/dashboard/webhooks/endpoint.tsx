/** /dashboard/webhooks/{id}: one endpoint with its settings, its new secret, and its deliveries. */
/* @jsxImportSource preact */

import type { EndpointWithState } from "#domain/webhook/endpoint.ts";
import { Careful, Confirm } from "#web/dashboard/fields.tsx";
import { dashboardPage, type Personal } from "#web/dashboard/frame.tsx";
import { ENDPOINT_WORDS } from "#web/dashboard/words.ts";
import { When } from "#web/shared/when.tsx";
import { DeliveryLog, type DeliveryRow } from "./delivery-log.tsx";
import { EndpointFields, EndpointMark } from "./list.tsx";

export interface EndpointProps extends Personal {
  readonly endpoint: EndpointWithState;
  readonly deliveries: readonly DeliveryRow[];
  /** Signing secret, right after it was made. */
  readonly secret: string | null;
}

export function endpointPage({ endpoint, deliveries, secret, ...personal }: EndpointProps): string {
  const { id, url, state, createdAt, secretAt, isEnabled } = endpoint;
  const address = `/dashboard/webhooks/${id}`;
  const { refusal } = personal.said;
  return dashboardPage(personal, {
    path: "/dashboard/webhooks",
    title: "Webhook endpoint",
    children: (
      <>
        <p class="crumbs">
          <a href="/dashboard/webhooks">Webhooks</a>
        </p>
        <h1 class="endpoint-title breaks">{url}</h1>
        {secret !== null && <Secret secret={secret} address={address} />}
        <p>
          <EndpointMark state={state} /> <span class="dim">{ENDPOINT_WORDS[state].long}</span>
        </p>
        <dl class="row facts-row">
          <div>
            <dt>Id</dt>
            <dd>
              <code>{id}</code>
            </dd>
          </div>
          <div>
            <dt>Added</dt>
            <dd>
              <When at={createdAt} />
            </dd>
          </div>
          <div>
            <dt>Secret created</dt>
            <dd>
              <When at={secretAt} />
            </dd>
          </div>
        </dl>
        <div class="row actions">
          <form method="post" action={`${address}/test`}>
            <button class="button primary" type="submit">
              Send a test event
            </button>
          </form>
          <form method="post" action={`${address}/${isEnabled ? "disable" : "enable"}`}>
            <button class="button" type="submit">
              {isEnabled ? "Disable" : "Enable"}
            </button>
          </form>
        </div>
        <DeliveryLog address={address} deliveries={deliveries} />
        <section aria-labelledby="settings">
          <h2 id="settings">Settings</h2>
          <Careful summary="Change address, description or events" isOpen={(refusal?.issues.length ?? 0) > 0}>
            <form class="form" method="post" action={address}>
              <EndpointFields
                url={personal.said.typed("url") || url}
                description={refusal === null ? endpoint.description : personal.said.typed("description")}
                events={endpoint.events}
                refusal={refusal}
              />
              <p class="hint">
                Queued events go to the new address. A change of events applies to new events only.
              </p>
              <button class="button" type="submit">
                Save
              </button>
            </form>
          </Careful>
          <Careful summary="Rotate the secret" isOpen={false}>
            <p>
              The new secret is shown once. From then on all events are signed with it, including retries of
              earlier events. Let your receiver accept both secrets before you rotate.
            </p>
            <form method="post" action={`${address}/rotate`}>
              <button class="button" type="submit">
                Rotate and show the secret
              </button>
            </form>
          </Careful>
          <Careful summary="Delete the endpoint" isOpen={false}>
            <p>
              Nothing more is sent to it, and queued events are dropped. Events stay available at
              /v1/official/changes.
            </p>
            <form method="post" action={`${address}/delete`}>
              <Confirm id="confirm-delete">Queued events may be dropped.</Confirm>
              <button class="button danger" type="submit">
                Delete
              </button>
            </form>
          </Careful>
        </section>
      </>
    ),
  });
}

function Secret({ secret, address }: { readonly secret: string; readonly address: string }) {
  return (
    <section class="secret" aria-labelledby="secret" data-address={address}>
      <h2 id="secret">Signing secret</h2>
      <p>It is shown only once. Store it for your receiver. If you lose it, rotate it.</p>
      <div class="row key">
        <code class="key-text breaks" data-secret="">
          {secret}
        </code>
        <div class="row">
          <button class="button" type="button" data-copy-secret="" hidden>
            Copy
          </button>
        </div>
        <p class="hint key-status" role="status" data-key-status="" />
      </div>
    </section>
  );
}
