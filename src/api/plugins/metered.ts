/** `metered` charges a call after its syntax was read, says in three headers what is left, and settles by the status of the answer. */

import { Elysia } from "elysia";
import { addVaryCaller, type Charge, type Meter, setLimitHeaders } from "#api/request/metering.ts";
import { routed, type Wire } from "#api/request/wire.ts";
import { Failure, Rejection } from "#domain/faults/errors.ts";
import { CLIENT_GONE, isClientGone } from "#domain/net/message.ts";

/** How a route is charged: one call, or as many as its body says. */
export type Metering = true | { readonly cost: (context: { readonly body: never }) => number };

export const metered = ({ meter }: { readonly meter: Pick<Meter, "admit"> }) =>
  new Elysia({ name: "metered" }).macro({
    metered: (metering: Metering) => ({
      /** Elysia takes the name of a macro out of the route's options. */
      introspect(route: { wire?: Wire }) {
        route.wire = { ...route.wire, isMetered: true };
      },
      /** `caller` is what the admitted caller may have. */
      async resolve({ request, body }: { request: Request; body: unknown }) {
        const cost = metering === true ? 1 : metering.cost({ body: body as never });
        const charge = await meter.admit(request, cost);
        const route = routed(request);
        if (route !== undefined) route.charge = charge;
        return { caller: charge };
      },
      mapResponse({ request, responseValue }: { request: Request; responseValue: unknown }) {
        const charge = routed(request)?.charge;
        if (charge !== undefined && responseValue instanceof Response) settleAnswer(charge, responseValue);
      },
    }),
  });

/** Settles by an answer, and writes into it what is left. */
function settleAnswer(charge: Charge, answer: Response): void {
  const left = charge.settle(answer.status);
  if (left === null || charge.admission.isQuotaWritten) return;
  setLimitHeaders(answer.headers, left);
  addVaryCaller(answer.headers);
}

/** Settles a charge by what was thrown, and returns the refusal, which says what is left. */
export function settleThrown(charge: Charge, request: Request, thrown: unknown): unknown {
  if (isClientGone(thrown, request.signal)) {
    charge.settle(CLIENT_GONE);
    return thrown;
  }
  const rejection = thrown instanceof Rejection ? thrown : new Failure("internal_error", {}, thrown);
  const left = charge.settle(rejection.status);
  if (left !== null) rejection.quota = left;
  return rejection;
}
