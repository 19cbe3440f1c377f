/** The plugins of routes: macros for charging, answering, and descriptions. */

import { Elysia, ElysiaCustomStatusResponse } from "elysia";
import { type Charge, keepForCaller, type Meter, setLimitHeaders } from "#api/request/metering.ts";
import type { RangedReads } from "#api/response/conditions.ts";
import { cacheFor } from "#api/response/headers.ts";
import { type JsonDeps, respondJson, respondTagged } from "#api/response/json.ts";
import type { LargeBodies } from "#api/response/large-bodies.ts";
import type { Reply, ReplyOptions } from "#api/response/ready.ts";
import { respondText } from "#api/response/respond.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { routed, type Wire } from "./wire.ts";

/**
 * How a body is cached: never; with a Cache-Control of its own and an ETag; or shared by equal URLs, here and in caches,
 * while the content is the same.
 */
export type Storing = "no-store" | { readonly cacheControl: string } | ReplyOptions;

interface HouseDeps extends JsonDeps {
  readonly dataset: () => Dataset | null;
  readonly large: LargeBodies;
  readonly reads: RangedReads;
  readonly ready: Pick<Reply, "send" | "basis">;
  readonly meter: Pick<Meter, "admit">;
}

/** An answer as a text or workbook instead of JSON. Programs may read it by its URL, in parts. */
export class FileText {
  readonly mime: string;
  readonly text: string | Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    mime: string,
    text: string | Uint8Array<ArrayBuffer>,
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.mime = mime;
    this.text = text;
    this.headers = headers;
  }
}

const reply = (deps: HouseDeps) => {
  const cacheControlOf = (storing: Storing): string => {
    if (storing === "no-store") return "no-store";
    if ("cacheControl" in storing) return storing.cacheControl;
    // While a source was never collected, the next answer may have more.
    return cacheFor(deps.dataset()?.pending === undefined ? storing.maxAgeSeconds : 0);
  };
  const answer = (request: Request, storing: Storing, made: object): Response | Promise<Response> => {
    if (made instanceof ElysiaCustomStatusResponse)
      return respondJson(request, deps, made.response, made.code);
    if (made instanceof FileText) {
      const { mime, headers } = made;
      const fields = { mime, cacheControl: cacheControlOf(storing), headers };
      return respondText(request, deps, fields, made.text, deps.reads);
    }
    if (storing === "no-store") return respondJson(request, deps, made);
    if ("cacheControl" in storing) return respondTagged(request, deps, storing.cacheControl, made);
    const { charge, basis } = routed(request) ?? {};
    if (charge === undefined) throw new Error("an answer that others share is of a metered route");
    return deps.ready.send(request, storing, made, charge, basis);
  };
  return new Elysia({ name: "reply" }).macro({
    reply: (storing: Storing) => ({
      /** Runs after `metered`. Notes the figures that the answer is made from: the cached answer is valid for these. */
      beforeHandle({ request }: { request: Request }) {
        const route = routed(request);
        if (route?.charge === undefined || typeof storing === "string" || "cacheControl" in storing) return;
        route.basis = deps.ready.basis(storing.turnsWith, route.charge.delayMinutes);
      },
      async afterHandle({ request, responseValue }: { request: Request; responseValue: unknown }) {
        if (responseValue instanceof Response || typeof responseValue !== "object" || responseValue === null)
          return undefined;
        return answer(request, storing, responseValue);
      },
    }),
  });
};

/** The cost of a call: one, or a number that depends on its body. */
export type Metering =
  | true
  | {
      readonly cost?: (context: { readonly body: never }) => number;
      /** Answers can be large: a call is refused, before it is charged, while its address has too many large answers open. */
      readonly isLarge?: true;
    };

const metered = ({ meter, large }: HouseDeps) => {
  const admit = (request: Request, cost: number, isLarge: boolean | undefined) => {
    if (isLarge === true) large.admit(request);
    return meter.admit(request, cost, routed(request)?.wire.authorization?.(request));
  };
  const charged = (request: Request, caller: Charge) => {
    const route = routed(request);
    if (route !== undefined) route.charge = caller;
    return { caller };
  };
  const resolveOf = (metering: Metering) => {
    const { cost, isLarge }: Exclude<Metering, true> = metering === true ? {} : metering;
    // Elysia reads the headers, too, for a hook that names the body.
    if (cost === undefined)
      return async ({ request }: { request: Request }) => charged(request, await admit(request, 1, isLarge));
    return async ({ request, body }: { request: Request; body: unknown }) =>
      charged(request, await admit(request, cost({ body: body as never }), isLarge));
  };
  return new Elysia({ name: "metered" }).macro({
    metered: (metering: Metering) => ({
      /** Elysia removes the macro's name from the route's options: `isMetered` keeps the fact. */
      introspect(route: object) {
        const { wire } = route as { readonly wire?: Wire };
        Object.assign(route, { wire: { ...wire, isMetered: true } });
      },
      /** `caller` has the rights of the admitted caller. */
      resolve: resolveOf(metering),
      mapResponse({ request, responseValue }: { request: Request; responseValue: unknown }) {
        const charge = routed(request)?.charge;
        if (charge === undefined || !(responseValue instanceof Response)) return;
        const left = charge.settle(responseValue.status);
        if (left === null || charge.isQuotaWritten) return;
        setLimitHeaders(responseValue.headers, left);
        keepForCaller(responseValue.headers);
      },
    }),
  });
};

export type House = ReturnType<typeof openHouse>;

export const openHouse = (deps: HouseDeps) =>
  new Elysia({ name: "house" })
    .use(metered(deps))
    .use(reply(deps))
    .macro({
      wire: (_: Wire) => ({}),
    });
