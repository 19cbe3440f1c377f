/**
 * The Open-Exchange-Rates-compatible routes, below `/compat/oxr`, and below `/compat/oxr/api` for clients that are
 * configured with only a host.
 */

import { Elysia } from "elysia";
import { saying } from "#api/compat/compat.ts";
import { currencies, usage } from "./catalog.ts";
import { convert } from "./convert.ts";
import { foreign, type OxrDeps } from "./model.ts";
import { ohlc } from "./ohlc.ts";
import { rates, timeSeries } from "./rates.ts";

export const oxr = (deps: Omit<OxrDeps, "says">) =>
  new Elysia({ name: "oxr" })
    .use(below("/compat/oxr", { ...deps, says: saying(foreign) }))
    .use(below("/compat/oxr/api", { ...deps, says: saying(foreign, (id) => `${id}UnderApi`) }));

const below = (prefix: string, deps: OxrDeps) =>
  new Elysia({ prefix })
    .use(rates(deps))
    .use(timeSeries(deps))
    .use(convert(deps))
    .use(currencies(deps))
    .use(usage(deps))
    .use(ohlc(deps));
