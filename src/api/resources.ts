/** The resources of the public interface: the list of what there is. */

import { type AnyElysia, Elysia } from "elysia";
import { account } from "./account/account.ts";
import { links } from "./auth/links.ts";
import { oidc } from "./auth/oidc.ts";
import { sessions } from "./auth/sessions.ts";
import { signIn } from "./auth/sign-in.ts";
import { checkout } from "./billing/checkout.ts";
import { billingEvents } from "./billing/events.ts";
import { frankfurterV1 } from "./compat/frankfurter/v1.ts";
import { frankfurterV2 } from "./compat/frankfurter/v2.ts";
import { oxr } from "./compat/oxr/oxr.ts";
import { lake } from "./lake/lake.ts";
import { official } from "./official/official.ts";
import { documents } from "./openapi/route.ts";
import { openHouse } from "./plugins/house.ts";
import { range } from "./range/range.ts";
import { convert } from "./rates/convert.ts";
import { convertBatch } from "./rates/convert-batch.ts";
import { currencies } from "./rates/currencies.ts";
import { explain } from "./rates/explain.ts";
import { historical } from "./rates/historical.ts";
import { latest } from "./rates/latest.ts";
import { rate } from "./rates/rate.ts";
import { probes } from "./status/probes.ts";
import { stream } from "./stream/stream.ts";
import { webhookDeliveries } from "./webhooks/deliveries.ts";
import { webhookEndpoints } from "./webhooks/endpoints.ts";

export type ResourceDeps = Parameters<typeof latest>[0] &
  Parameters<typeof stream>[0] &
  Parameters<typeof historical>[0] &
  Parameters<typeof rate>[0] &
  Parameters<typeof explain>[0] &
  Parameters<typeof convert>[0] &
  Parameters<typeof convertBatch>[0] &
  Parameters<typeof range>[0] &
  Parameters<typeof lake>[0] &
  Parameters<typeof official>[0] &
  Parameters<typeof currencies>[0] &
  Parameters<typeof account>[0] &
  Parameters<typeof checkout>[0] &
  Parameters<typeof billingEvents>[0] &
  Parameters<typeof frankfurterV1>[0] &
  Parameters<typeof frankfurterV2>[0] &
  Parameters<typeof oxr>[0] &
  Parameters<typeof signIn>[0] &
  Parameters<typeof sessions>[0] &
  Parameters<typeof links>[0] &
  Parameters<typeof oidc>[0] &
  Parameters<typeof probes>[0] &
  Parameters<typeof documents>[0] &
  Parameters<typeof webhookEndpoints>[0] &
  Parameters<typeof webhookDeliveries>[0];

export const resources = (deps: ResourceDeps): AnyElysia =>
  new Elysia({ name: "resources" })
    .use(latest(deps))
    .use(stream(deps))
    .use(historical(deps))
    .use(rate(deps))
    .use(explain(deps))
    .use(convert(deps))
    .use(convertBatch(deps))
    .use(range(deps))
    .use(lake(deps))
    .use(official(deps))
    .use(currencies(deps))
    .use(account(deps))
    .use(checkout(deps))
    .use(billingEvents(deps))
    .use(frankfurterV1(deps))
    .use(frankfurterV2(deps))
    .use(oxr(deps))
    .use(signIn(deps))
    .use(sessions(deps))
    .use(links(deps))
    .use(oidc(deps))
    .use(probes(deps))
    .use(documents(deps))
    .use(webhookEndpoints(deps))
    .use(webhookDeliveries(deps));

/** Their routes with nothing behind them, for the document. Plugins open nothing before a request. */
export function describedRoutes(): AnyElysia["routes"] {
  const nothing = {} as ResourceDeps;
  return resources({ ...nothing, house: openHouse(nothing as never) }).routes;
}
