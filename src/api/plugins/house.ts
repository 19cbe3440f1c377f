/** The plugins of routes: macros for charging, answering, and descriptions. */

import { Elysia } from "elysia";
import { addVaryCaller, type Charge, type Meter, setLimitHeaders } from "#api/request/metering.ts";
import type { LargeBodies } from "#api/response/large-bodies.ts";
import { reply } from "./reply.ts";
import { routed, type Wire } from "./wire.ts";

/** The cost of a call: one, or a number that depends on its body. */
export type Metering =
  | true
  | {
      readonly cost?: (context: { readonly body: never }) => number;
      /** Answers can be large: a call is refused, before it is charged, while its address has too many large answers open. */
      readonly isLarge?: true;
    };

export interface MeteredDeps {
  readonly meter: Pick<Meter, "admit">;
  readonly large: LargeBodies;
}

const metered = ({ meter, large }: MeteredDeps) => {
  const charge = async (request: Request, cost: number, isLarge: boolean | undefined) => {
    const route = routed(request);
    if (isLarge === true) large.admit(request);
    const made = await meter.admit(request, cost, route?.wire.authorization?.(request));
    if (route !== undefined) route.charge = made;
    return { caller: made };
  };
  const resolveOf = (metering: Metering) => {
    const { cost, isLarge }: Exclude<Metering, true> = metering === true ? {} : metering;
    // A hook that names the body has Elysia read the headers, too.
    if (cost === undefined)
      return async ({ request }: { request: Request }) => await charge(request, 1, isLarge);
    return async ({ request, body }: { request: Request; body: unknown }) =>
      await charge(request, cost({ body: body as never }), isLarge);
  };
  return new Elysia({ name: "metered" }).macro({
    metered: (metering: Metering) => ({
      /** Elysia takes the name of a macro out of the route's options. */
      introspect(route: object) {
        const { wire } = route as { readonly wire?: Wire };
        Object.assign(route, { wire: { ...wire, isMetered: true } });
      },
      /** `caller` has the rights of the admitted caller. */
      resolve: resolveOf(metering),
      mapResponse({ request, responseValue }: { request: Request; responseValue: unknown }) {
        const charge = routed(request)?.charge;
        if (charge !== undefined && responseValue instanceof Response) settleAnswer(charge, responseValue);
      },
    }),
  });
};

/** Settles by an answer, and writes the rest of the quota into it. */
function settleAnswer(charge: Charge, answer: Response): void {
  const left = charge.settle(answer.status);
  if (left === null || charge.admission.isQuotaWritten) return;
  setLimitHeaders(answer.headers, left);
  addVaryCaller(answer.headers);
}

type HouseDeps = Parameters<typeof metered>[0] & Parameters<typeof reply>[0];

export type House = ReturnType<typeof openHouse>;

export const openHouse = (deps: HouseDeps) =>
  new Elysia({ name: "house" })
    .use(metered(deps))
    .use(reply(deps))
    .macro({
      wire: (_: Wire) => ({}),
    });
