/** /dashboard/webhooks: endpoints listed, added, changed and deleted; test events, deliveries and replays. */
/* @jsxImportSource preact */

import { Elysia } from "elysia";
import { type OwnPlan, ownPlan } from "#accounts/account/own-account.ts";
import {
  CHOSEN_TYPES,
  type EndpointWithState,
  isFailing,
  MOST_DELIVERIES,
} from "#domain/webhook/endpoint.ts";
import { Others } from "#web/shared/figure.tsx";
import { Submit } from "#web/shared/forms.tsx";
import { counted, TIER_NAMES } from "#web/shared/words.ts";
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  listDeliveries,
  listEndpoints,
  noEndpoint,
  replayDelivery,
  rotateSecret,
  sendTest,
} from "#webhooks/endpoints.ts";
import { EndpointFields, EndpointMark, endpointPage } from "./endpoint.tsx";
import { dashboardPage } from "./frame.tsx";
import { FirstKey } from "./keys.tsx";
import {
  type Dashboard,
  type DashboardDeps,
  type Params,
  type PersonalVisit,
  requireConfirmed,
  type Said,
} from "./router.ts";
import { EVENT_NAMES } from "./words.ts";

const WEBHOOKS = "/dashboard/webhooks";
/** Deliveries that say whether an endpoint is failing. */
const NEWEST = 10;

export const webhookPages = (deps: DashboardDeps, { ownView, ownForm }: Dashboard) => {
  const { account, webhooks } = deps;
  const list = async (visit: PersonalVisit) => {
    const ownerId = visit.caller.identity.id;
    const plan = await ownPlan(account, ownerId);
    const { endpoints: listed, limit } =
      plan === null ? { endpoints: [], limit: 0 } : await listEndpoints(webhooks, ownerId);
    const endpoints = await Promise.all(
      listed.map(async (endpoint) => {
        const newest = await listDeliveries(webhooks, ownerId, endpoint.id, NEWEST);
        return { ...endpoint, isFailing: isFailing(newest) };
      }),
    );
    return dashboardPage(
      visit,
      WEBHOOKS,
      "Webhooks",
      <>
        <p class="lead">
          A signed request to your server whenever an authority publishes a rate or corrects one.{" "}
          <a href="/docs/webhooks">How to receive them</a>
        </p>
        {plan === null ? <FirstKey /> : <Endpoints {...plan} {...{ endpoints, limit }} said={visit.said} />}
      </>,
    );
  };
  const one = async (visit: PersonalVisit, id: string, secret: string | null) => {
    const ownerId = visit.caller.identity.id;
    const { endpoints } = await listEndpoints(webhooks, ownerId);
    const endpoint = endpoints.find((candidate) => candidate.id === id);
    if (endpoint === undefined) throw noEndpoint(id);
    const deliveries = await listDeliveries(webhooks, ownerId, id, MOST_DELIVERIES);
    return endpointPage(visit, { endpoint, deliveries, secret });
  };
  const view = (visit: PersonalVisit) => one(visit, idOf(visit.params), null);
  const onList = { page: () => WEBHOOKS, view: list };
  const onOne = { page: (params: Params) => `${WEBHOOKS}/${idOf(params)}`, view };
  /** A form on an endpoint's page that returns to that page. */
  const action = (
    notice: "endpoint_changed" | "endpoint_enabled" | "endpoint_disabled" | "test_sent" | "delivery_replayed",
    act: (ownerId: string, id: string, visit: PersonalVisit, form: URLSearchParams) => Promise<unknown>,
  ) =>
    ownForm(onOne, async (form, visit) => {
      await act(visit.caller.identity.id, idOf(visit.params), visit, form);
      return { to: onOne.page(visit.params), notice };
    });
  const change = action("endpoint_changed", (ownerId, id, { by }, form) =>
    changeEndpoint(webhooks, ownerId, id, wishIn(form), by),
  );
  const enable = (isEnabled: boolean) =>
    action(isEnabled ? "endpoint_enabled" : "endpoint_disabled", (ownerId, id, { by }) =>
      changeEndpoint(webhooks, ownerId, id, { isEnabled }, by),
    );
  const test = action("test_sent", (ownerId, id) => sendTest(webhooks, ownerId, id));
  const replay = action("delivery_replayed", (ownerId, _, { by }, form) =>
    replayDelivery(webhooks, ownerId, form.get("delivery") ?? "", by),
  );
  // Answers with the page that shows the secret, which is shown only once.
  const add = ownForm(onList, async (form, visit) => {
    const ownerId = visit.caller.identity.id;
    const { endpoint, secret } = await createEndpoint(webhooks, ownerId, wishIn(form), visit.by);
    return { html: await one(visit, endpoint.id, secret), status: 201 };
  });
  const rotate = ownForm(onOne, async (_, visit) => {
    const id = idOf(visit.params);
    const { secret } = await rotateSecret(webhooks, visit.caller.identity.id, id, visit.by);
    return { html: await one(visit, id, secret) };
  });
  const remove = ownForm(onOne, async (form, visit) => {
    requireConfirmed(form);
    await deleteEndpoint(webhooks, visit.caller.identity.id, idOf(visit.params), visit.by);
    return { to: WEBHOOKS, notice: "endpoint_deleted" };
  });
  return new Elysia({ name: "webhook pages" })
    .get(WEBHOOKS, ownView(list))
    .post(WEBHOOKS, add)
    .get(`${WEBHOOKS}/:id`, ownView(view))
    .post(`${WEBHOOKS}/:id`, change)
    .post(`${WEBHOOKS}/:id/enable`, enable(true))
    .post(`${WEBHOOKS}/:id/disable`, enable(false))
    .post(`${WEBHOOKS}/:id/test`, test)
    .post(`${WEBHOOKS}/:id/replay`, replay)
    .post(`${WEBHOOKS}/:id/rotate`, rotate)
    .post(`${WEBHOOKS}/:id/delete`, remove);
};

function idOf({ id = "" }: Params): string {
  return id;
}

function wishIn(form: URLSearchParams) {
  const chosen = form.getAll("events");
  return {
    url: (form.get("url") ?? "").trim(),
    description: (form.get("description") ?? "").trim(),
    events: CHOSEN_TYPES.filter((type) => chosen.includes(type)),
  };
}

interface EndpointsProps extends Pick<OwnPlan, "tier" | "status"> {
  readonly endpoints: readonly (EndpointWithState & { readonly isFailing: boolean })[];
  readonly limit: number;
  readonly said: Said;
}

function Endpoints({ endpoints, limit, tier, status, said }: EndpointsProps) {
  const isSuspended = status === "suspended";
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
          <ul class="plain-list lines">
            {endpoints.map(({ id, url, description, events, state, isFailing }) => (
              <li key={id} class="row">
                <a class="breaks" href={`${WEBHOOKS}/${id}`}>
                  <Others>{url}</Others>
                </a>
                <EndpointMark state={state} isFailing={isFailing} />
                <span class="dim small breaks whole">
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
          <form class="form" method="post" action={WEBHOOKS}>
            <EndpointFields
              url={said.typed("url")}
              description={said.typed("description")}
              events={said.refusal === null ? CHOSEN_TYPES : said.ticked("events")}
              refusal={said.refusal}
            />
            <Submit>Add and show the secret</Submit>
          </form>
        </section>
      )}
    </>
  );
}
