/** The list of resources of the public interface. */

import { type AnyElysia, Elysia } from "elysia";
import { account } from "./account/account.ts";
import { links } from "./auth/links.ts";
import { sessions } from "./auth/sessions.ts";
import { oidc, signIn } from "./auth/sign-in.ts";
import { billingEvents, checkout } from "./billing/billing.ts";
import { frankfurterV1 } from "./compat/frankfurter/v1.ts";
import { frankfurterV2 } from "./compat/frankfurter/v2.ts";
import { oxrRoutes } from "./compat/oxr/oxr.ts";
import { lake } from "./lake/lake.ts";
import { official } from "./official/official.ts";
import { documents } from "./openapi/dashboard.ts";
import { openHouse } from "./plugins/house.ts";
import { range } from "./range/range.ts";
import { average } from "./rates/average.ts";
import { convert } from "./rates/convert.ts";
import { convertBatch } from "./rates/convert-batch.ts";
import { convertDated } from "./rates/convert-dated.ts";
import { currencies } from "./rates/currencies.ts";
import { explain } from "./rates/explain.ts";
import { fluctuation } from "./rates/fluctuation.ts";
import { historical } from "./rates/historical.ts";
import { latest } from "./rates/latest.ts";
import { rate } from "./rates/rate.ts";
import { probes } from "./status/status.ts";
import { stream } from "./stream/stream.ts";
import { webhookDeliveries } from "./webhooks/deliveries.ts";
import { webhookEndpoints } from "./webhooks/endpoints.ts";

const RESOURCES = [
  latest,
  stream,
  historical,
  fluctuation,
  average,
  rate,
  explain,
  convert,
  convertBatch,
  convertDated,
  range,
  lake,
  official,
  currencies,
  account,
  checkout,
  billingEvents,
  frankfurterV1,
  frankfurterV2,
  oxrRoutes,
  signIn,
  sessions,
  links,
  oidc,
  probes,
  documents,
  webhookEndpoints,
  webhookDeliveries,
] as const;

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

export type ResourceDeps = Intersection<Parameters<(typeof RESOURCES)[number]>[0]>;

export const resources = (deps: ResourceDeps): AnyElysia =>
  RESOURCES.reduce<AnyElysia>((app, resource) => app.use(resource(deps)), new Elysia({ name: "resources" }));

/** Returns the routes for the document, without dependencies: plugins open nothing before a request. */
export function describedRoutes(): AnyElysia["routes"] {
  const nothing = {} as ResourceDeps;
  return resources({ ...nothing, house: openHouse(nothing as never) }).routes;
}
