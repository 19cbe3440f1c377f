/** POST /v1/billing/stripe/events: signed notices of the billing provider. Not metered, no cross-origin use. */

import type { BillingNotices } from "#accounts/billing/notice.ts";
import { present } from "#api/plugins/session.ts";
import { readBounded } from "#api/request/body.ts";
import type { Route } from "#api/request/route.ts";
import { renderFailure } from "#api/response/failures.ts";
import { respondJson } from "#api/response/json.ts";
import { billingEventBody } from "#contract/account/bodies.ts";
import type { Clock } from "#ports.ts";
import type { Emit } from "#telemetry.ts";

export interface BillingEventsDeps {
  readonly notices: BillingNotices;
}

export interface BillingEventsRoutesDeps {
  /** Null where the installation is open: without accounts. */
  readonly billing: BillingEventsDeps | null;
  readonly clock: Clock;
  readonly simulated: boolean;
  readonly emit: Emit;
}

/** The largest events, of subscriptions with many items, have some tens of kilobytes. */
const LARGEST_EVENT_BYTES = 256 * 1024;

export function billingEventsRoutes(deps: BillingEventsRoutesDeps): Route[] {
  return [
    {
      method: "POST",
      path: "/v1/billing/stripe/events",
      isCrossOrigin: false,
      handle: async (request) => {
        try {
          return closed(await answer(deps, request));
        } catch (thrown) {
          return closed(renderFailure(deps, request, thrown));
        }
      },
    },
  ];
}

async function answer(deps: BillingEventsRoutesDeps, request: Request): Promise<Response> {
  const { notices } = present(deps.billing);
  // The type that it is declared as does not matter: what counts is the signature.
  const body = await readBounded(request, LARGEST_EVENT_BYTES);
  const outcome = await notices.receive(body, request.headers.get("stripe-signature"));
  return respondJson(request, deps, billingEventBody(outcome));
}

/** No page of a browser has any business here. */
function closed(response: Response): Response {
  response.headers.delete("Access-Control-Allow-Origin");
  response.headers.delete("Access-Control-Expose-Headers");
  return response;
}
