/**
 * Renders everything that is thrown, and requests without a route: as the documented envelope, as a page for people, in
 * the dialect of a compatible path.
 */

import { Elysia } from "elysia";
import { publicFault } from "#accounts/identity/sessions.ts";
import { placeNear } from "#api/plugins/methods.ts";
import { type Meter, settleThrown } from "#api/request/metering.ts";
import { compatUnrouted, renderIn } from "#api/response/dialect.ts";
import { type FailureDeps, pathOf, renderFailure } from "#api/response/failures.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { QuotaStatus } from "#domain/limits/quota-status.ts";
import { answerUnrouted, type Methods } from "./methods.ts";
import { routed } from "./wire.ts";

export interface EnvelopeDeps extends FailureDeps {
  readonly meter: Pick<Meter, "refused">;
  readonly methods: Methods;
  /** Notes the route that took a request, if any. */
  readonly noteRoute: (request: Request, route: string | undefined) => void;
  /** Makes a refusal's page; null for a program. */
  readonly refusalPage: (request: Request, plain: Response) => Promise<Response> | null;
}

export const envelope = (deps: EnvelopeDeps) => {
  /** Sends the refusal, as a page for people. */
  const sent = async (request: Request, plain: Response): Promise<Response> => {
    try {
      return (await deps.refusalPage(request, plain)) ?? plain;
    } catch (thrown) {
      // Not even a page can be made: the plain form remains.
      return renderFailure(deps, request, thrown);
    }
  };
  const unrouted = async (request: Request, quota: QuotaStatus | null): Promise<Response> => {
    const path = pathOf(request.url);
    const place = placeNear(path, (near) => deps.methods.of(near).length > 0);
    const plain = await answerUnrouted(deps, request, deps.methods.of(path), { quota, place });
    return await sent(request, compatUnrouted(request, plain));
  };
  const refused = async (request: Request, raw: unknown): Promise<Response> => {
    const { charge, wire } = routed(request) ?? {};
    const thrown = charge === undefined ? publicFault(raw) : settleThrown(charge, request, raw);
    // A refusal before admission is charged to the caller, and shows the rest of the quota.
    if (wire?.isMetered === true && thrown instanceof Failure && thrown.quota === null)
      await deps.meter.refused(request, thrown, wire.authorization?.(request));
    if (wire?.dialect !== undefined) return renderIn(wire.dialect, deps, request, thrown);
    if (thrown instanceof Failure && isPathUnknown(thrown)) return await unrouted(request, thrown.quota);
    return await sent(request, renderFailure(deps, request, thrown));
  };
  return new Elysia({ name: "envelope" }).onError(
    { as: "global" },
    async ({ code, error, request, route }) => {
      try {
        // A refusal of a parser comes before any hook.
        deps.noteRoute(request, route);
        if (code === "NOT_FOUND") return await unrouted(request, null);
        // Elysia wraps what a parser throws.
        const thrown = code === "PARSE" && error.cause instanceof Failure ? error.cause : error;
        return await refused(request, thrown);
      } catch (other) {
        return await sent(request, renderFailure(deps, request, other));
      }
    },
  );
};

/** A refusal with its own text keeps that text. */
function isPathUnknown(error: Failure): boolean {
  return error.code === "not_found" && error.details.wording === undefined;
}
