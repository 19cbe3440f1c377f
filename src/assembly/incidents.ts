/** Looks at the readiness of the server every minute, so that the status page can say what was wrong and for how long. */

import type { Incidents } from "#rates/status/incidents.ts";
import { type StatusDeps, status } from "#rates/status/status.ts";
import { every } from "./timers.ts";

const LOOK_MILLISECONDS = 60_000;

/** The returned function ends it. */
export function watchIncidents(deps: StatusDeps & { readonly incidents: Incidents }): () => void {
  return every(LOOK_MILLISECONDS, () => {
    void status(deps).then((report) => deps.incidents.note(report, deps.clock.now()));
  });
}
