/** The Open-Exchange-Rates-compatible routes, below `/compat/oxr` and again below `/compat/oxr/api`, which clients add that are given only a host. */

import { Elysia } from "elysia";
import { convert } from "./convert.ts";
import { currencies } from "./currencies.ts";
import type { OxrDeps } from "./model.ts";
import { ohlc } from "./ohlc.ts";
import { rates } from "./rates.ts";
import { timeSeries } from "./time-series.ts";
import { usage } from "./usage.ts";

export const oxr = (deps: Omit<OxrDeps, "named">) =>
  new Elysia({ name: "oxr" })
    .use(below("/compat/oxr", { ...deps, named: (id) => id }))
    .use(below("/compat/oxr/api", { ...deps, named: (id) => `${id}UnderApi` }));

const below = (prefix: string, deps: OxrDeps) =>
  new Elysia({ prefix })
    .use(rates(deps))
    .use(timeSeries(deps))
    .use(convert(deps))
    .use(currencies(deps))
    .use(usage(deps))
    .use(ohlc(deps));
