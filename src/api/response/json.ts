/** JSON answers that are made for one request. reply.ts makes the frequent ones. */

import type { Clock } from "#ports.ts";
import type { ComputeTurns } from "./compute-turns.ts";
import { etagOf } from "./conditions.ts";
import { assemble, encodePieces, roomFor, servedAtBytes } from "./encode.ts";
import { isRealBody, REAL_MODE } from "./headers.ts";
import type { LargeBodies } from "./large-bodies.ts";
import { codedPayload, type RespondDeps, respond } from "./respond.ts";

export interface JsonDeps extends RespondDeps {
  readonly clock: Clock;
}

/** Answers a body that no other request shares, such as a batch or a probe: caches never store it. */
export function respondJson(request: Request, deps: JsonDeps, body: object, status = 200): Response {
  const { bytes, stampAt } = printed(body);
  const fields = { mime: "application/json", cacheControl: "no-store", status };
  const headers = {
    ...(isRealBody(deps.simulated, body) ? REAL_MODE : {}),
    ...(status === 503 ? { "Retry-After": "5" } : {}),
  };
  return respond(request, deps, { ...fields, headers }, () => {
    stamp(bytes, stampAt, deps.clock);
    return codedPayload(request, bytes);
  });
}

/** Answers with a weak ETag over everything but the serving time; 304 when the caller has that content already. */
export function respondTagged(
  request: Request,
  deps: JsonDeps & { readonly large: LargeBodies },
  cacheControl: string,
  body: object,
): Response {
  const { bytes, stampAt } = printed(body);
  const vary = "Accept, Accept-Encoding";
  const headers = isRealBody(deps.simulated, body) ? REAL_MODE : {};
  const fields = { mime: "application/json", cacheControl, vary, etag: etagOf(bytes), headers };
  return respond(request, deps, fields, () => {
    stamp(bytes, stampAt, deps.clock);
    return codedPayload(request, bytes, deps.large);
  });
}

export interface TurnDeps extends JsonDeps {
  readonly large: LargeBodies;
  readonly turns: ComputeTurns;
  readonly callerOf: (request: Request) => string;
}

/** Makes a body that takes long in its turn among all callers. Fails with `service_unavailable`. */
export function respondInTurn(
  request: Request,
  deps: TurnDeps,
  cacheControl: string,
  make: () => Promise<object>,
): Promise<Response> {
  return deps.turns.slot(deps.callerOf(request), async () =>
    respondTagged(request, deps, cacheControl, await make()),
  );
}

function printed(body: object): { readonly bytes: Uint8Array<ArrayBuffer>; readonly stampAt: number } {
  const pieces = encodePieces(body);
  const room = new Uint8Array(roomFor(pieces));
  const { length, stampAt } = assemble(pieces, room);
  return { bytes: room.subarray(0, length), stampAt };
}

function stamp(bytes: Uint8Array, stampAt: number, clock: Clock): void {
  if (stampAt >= 0) bytes.set(servedAtBytes(Math.floor(clock.now() / 1000)), stampAt);
}
