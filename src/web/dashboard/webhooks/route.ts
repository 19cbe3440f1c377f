/** /dashboard/webhooks: endpoints listed, added, changed and deleted; test events, deliveries and replays. */

import { Elysia } from "elysia";
import { ownPlan } from "#accounts/account/own-plan.ts";
import { CHOSEN_TYPES } from "#domain/webhook/endpoint.ts";
import { MOST_DELIVERIES } from "#domain/webhook/rules.ts";
import type { Dashboard } from "#web/dashboard/router.ts";
import {
  type DashboardDeps,
  type Params,
  type PersonalVisit,
  personal,
  requireConfirmed,
} from "#web/dashboard/visit.ts";
import { listDeliveries, replayDelivery, sendTest } from "#webhooks/deliveries.ts";
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  listEndpoints,
  rotateSecret,
} from "#webhooks/endpoints.ts";
import { noEndpoint } from "#webhooks/webhook-deps.ts";
import { FIRST_SHOWN } from "./delivery-log.tsx";
import { endpointPage } from "./endpoint.tsx";
import { webhooksPage } from "./list.tsx";

const WEBHOOKS = "/dashboard/webhooks";

export const webhookPages = (deps: DashboardDeps, { ownView, ownForm }: Dashboard) => {
  const { account, webhooks, clock } = deps;
  const by = ({ caller }: PersonalVisit) => caller.by(clock.now());
  const list = async (visit: PersonalVisit) => {
    const ownerId = visit.caller.identity.id;
    const plan = await ownPlan(account, ownerId);
    if (plan === null) return webhooksPage({ ...personal(visit), list: null });
    const { endpoints, limit } = await listEndpoints(webhooks, ownerId);
    const { tier, status } = plan;
    return webhooksPage({
      ...personal(visit),
      list: { endpoints, limit, tier, isSuspended: status === "suspended" },
    });
  };
  const one = async (visit: PersonalVisit, id: string, secret: string | null) => {
    const ownerId = visit.caller.identity.id;
    const { endpoints } = await listEndpoints(webhooks, ownerId);
    const endpoint = endpoints.find((candidate) => candidate.id === id);
    if (endpoint === undefined) throw noEndpoint(id);
    const isAll = new URL(visit.request.url).searchParams.has("all");
    const most = isAll ? MOST_DELIVERIES : FIRST_SHOWN;
    const deliveries = await listDeliveries(webhooks, ownerId, id, most);
    return endpointPage({ ...personal(visit), endpoint, deliveries, secret });
  };
  const view = (visit: PersonalVisit) => one(visit, idOf(visit.params), null);
  const onList = { page: () => WEBHOOKS, view: list };
  const onOne = { page: (params: Params) => `${WEBHOOKS}/${idOf(params)}`, view };
  /** A form on the page of an endpoint, which stays there. */
  const action = (
    notice: "endpoint_changed" | "endpoint_enabled" | "endpoint_disabled" | "test_sent" | "delivery_replayed",
    act: (visit: PersonalVisit, id: string, form: URLSearchParams) => Promise<unknown>,
  ) =>
    ownForm(onOne, async (form, visit) => {
      await act(visit, idOf(visit.params), form);
      return { to: onOne.page(visit.params), notice };
    });
  // Answered with the secret itself, which is shown this once.
  const add = ownForm(onList, async (form, visit) => {
    const ownerId = visit.caller.identity.id;
    const { endpoint, secret } = await createEndpoint(webhooks, ownerId, wishIn(form), by(visit));
    return { html: await one(visit, endpoint.id, secret), status: 201 };
  });
  const change = action("endpoint_changed", (visit, id, form) =>
    changeEndpoint(webhooks, visit.caller.identity.id, id, wishIn(form), by(visit)),
  );
  const enable = action("endpoint_enabled", (visit, id) =>
    changeEndpoint(webhooks, visit.caller.identity.id, id, { isEnabled: true }, by(visit)),
  );
  const disable = action("endpoint_disabled", (visit, id) =>
    changeEndpoint(webhooks, visit.caller.identity.id, id, { isEnabled: false }, by(visit)),
  );
  const test = action("test_sent", (visit, id) => sendTest(webhooks, visit.caller.identity.id, id));
  const replay = action("delivery_replayed", (visit, _, form) =>
    replayDelivery(webhooks, visit.caller.identity.id, form.get("delivery") ?? "", by(visit)),
  );
  const rotate = ownForm(onOne, async (_, visit) => {
    const id = idOf(visit.params);
    const { secret } = await rotateSecret(webhooks, visit.caller.identity.id, id, by(visit));
    return { html: await one(visit, id, secret) };
  });
  const remove = ownForm(onOne, async (form, visit) => {
    requireConfirmed(form);
    await deleteEndpoint(webhooks, visit.caller.identity.id, idOf(visit.params), by(visit));
    return { to: WEBHOOKS, notice: "endpoint_deleted" };
  });
  return new Elysia({ name: "webhook pages" })
    .get(WEBHOOKS, ownView(list))
    .post(WEBHOOKS, add)
    .get(`${WEBHOOKS}/:id`, ownView(view))
    .post(`${WEBHOOKS}/:id`, change)
    .post(`${WEBHOOKS}/:id/enable`, enable)
    .post(`${WEBHOOKS}/:id/disable`, disable)
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
