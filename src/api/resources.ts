/** The resources of the public interface: the list of what there is. */

import { type AnyElysia, Elysia } from "elysia";
import { openHouse } from "./plugins/house.ts";
import { historical } from "./rates/historical.ts";
import { latest } from "./rates/latest.ts";
import { rate } from "./rates/rate.ts";
import { probes } from "./status/probes.ts";

export type ResourceDeps = Parameters<typeof latest>[0] &
  Parameters<typeof historical>[0] &
  Parameters<typeof rate>[0] &
  Parameters<typeof probes>[0];

export const resources = (deps: ResourceDeps): AnyElysia =>
  new Elysia({ name: "resources" }).use(latest(deps)).use(historical(deps)).use(rate(deps)).use(probes(deps));

/** Their routes with nothing behind them, for the document. Plugins open nothing before a request. */
export function describedRoutes(): AnyElysia["routes"] {
  const nothing = {} as ResourceDeps;
  return resources({ ...nothing, house: openHouse(nothing as never) }).routes;
}
