/** What monitors and balancers ask: never metered, never stored. */

import { Elysia } from "elysia";
import { health } from "./health.ts";
import { status } from "./status.ts";

export const probes = (deps: Parameters<typeof status>[0]) =>
  new Elysia({ name: "probes" }).use(health(deps)).use(status(deps));
