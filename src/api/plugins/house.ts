/** The plugins of routes: macros for charging, answering, and descriptions. */

import { Elysia } from "elysia";
import { metered } from "./metered.ts";
import { reply } from "./reply.ts";
import type { Wire } from "./wire.ts";

type HouseDeps = Parameters<typeof metered>[0] & Parameters<typeof reply>[0];

export type House = ReturnType<typeof openHouse>;

export const openHouse = (deps: HouseDeps) =>
  new Elysia({ name: "house" })
    .use(metered(deps))
    .use(reply(deps))
    .macro({
      wire: (_: Wire) => ({}),
    });
