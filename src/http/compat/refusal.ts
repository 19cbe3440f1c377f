/** Refusals of the compatible routes, in the words of the service they stand in for. */

import { noteStanding, standingOf } from "#accounts/admit.ts";
import { isClientGone } from "#domain/client-gone.ts";
import { type Day, parseDay } from "#domain/day.ts";
import { Failure } from "#domain/errors.ts";
import type { ComputeTurns } from "#http/compute-turns.ts";
import { type FailureDeps, pathOf, renderFailure, sendRefusal } from "#http/failures.ts";
import type { Admission, Meter } from "#http/metering.ts";
import type { Params, Route } from "#http/route.ts";

/** A refusal that has no code of ours: its status and body are the other service's. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: object;

  constructor(status: number, body: object) {
    super(`refused with ${status}`);
    this.name = "Refusal";
    this.status = status;
    this.body = body;
  }
}

/** How a service tells what our use cases refuse. */
export type Dialect = (failure: Failure) => Refusal;

/** `delayMinutes` is for live rates, as the caller's plan has them. */
type Handle = (
  request: Request,
  params: Params,
  delayMinutes: number | undefined,
) => Response | Promise<Response>;

export interface DialectDeps extends FailureDeps {
  readonly meter: Meter;
  readonly turns: ComputeTurns;
  readonly callerOf: (request: Request) => string;
}

/**
 * The same handler for admitted callers, whose refusals are told in a dialect. `authorization` is for services whose keys
 * come in another place than the header's.
 */
export function inDialect(
  deps: DialectDeps,
  dialect: Dialect,
  handle: Handle,
  authorization?: (request: Request) => string | null,
): Route["handle"] {
  return async (request, params) => {
    try {
      const ask = { cost: 1, earliest: earliestIn(request.url) };
      const work = async ({ delayMinutes }: Admission) => {
        await deps.turns.take(deps.callerOf(request));
        return await handle(request, params, delayMinutes);
      };
      return await deps.meter.run(request, ask, work, authorization?.(request));
    } catch (thrown) {
      if (thrown instanceof Failure && standingOf(thrown) === null)
        await deps.meter.refused(request, thrown, authorization?.(request));
      return tell(deps, request, dialect, thrown);
    }
  };
}

/** The earliest day that an address names, however it is escaped: these services write days in one way. */
function earliestIn(url: string): Day | null {
  const days = Array.from(unescaped(url).matchAll(/\d{4}-\d{2}-\d{2}/g), ([text]) => parseDay(text));
  const known = days.filter((day) => day !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** Escapes of what days are made of; others may be broken, and are another's to judge. */
function unescaped(url: string): string {
  return url.replace(/%(?:3\d|2d)/gi, (written) => decodeURIComponent(written));
}

/** Headers, the request's id and the word to the operator are those of any refusal; status and body are not. */
function tell(deps: FailureDeps, request: Request, dialect: Dialect, thrown: unknown): Response {
  // Nobody reads it, in whichever words.
  if (isClientGone(thrown, request.signal)) return renderFailure(deps, request, thrown);
  const failure =
    thrown instanceof Failure
      ? thrown
      : thrown instanceof Refusal
        ? new Failure("invalid_request", { reason: thrown.message })
        : new Failure("internal_error", {}, thrown);
  const standing = thrown instanceof Error ? standingOf(thrown) : null;
  if (standing !== null) noteStanding(failure, standing);
  const plain = renderFailure(deps, request, failure);
  return restate(plain, thrown instanceof Refusal ? thrown : dialect(failure));
}

function restate(plain: Response, { status, body }: Refusal): Response {
  const headers = new Headers(plain.headers);
  headers.set("Content-Type", "application/json; charset=utf-8");
  if (status === 503 && !headers.has("Retry-After")) headers.set("Retry-After", "30");
  return sendRefusal(body, status, headers);
}

/** The answer to a path that no route took: a 404 below a service's prefix is told in its dialect, all else stays. */
export function restateUnrouted(
  request: Request,
  plain: Response,
  dialects: readonly (readonly [prefix: string, dialect: Dialect])[],
): Response {
  if (plain.status !== 404) return plain;
  const path = pathOf(request.url);
  const dialect = dialects.find(([prefix]) => path.startsWith(prefix))?.[1];
  return dialect === undefined ? plain : restate(plain, dialect(new Failure("not_found", { path })));
}
