/** Refusals of the compatible routes in the form of the service that they replace. */

import type { Admission, Meter } from "#api/request/metering.ts";
import type { Params, Route } from "#api/request/route.ts";
import type { ComputeTurns } from "#api/response/compute-turns.ts";
import { type FailureDeps, pathOf, renderFailure, sendRefusal } from "#api/response/failures.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { Failure, Rejection } from "#domain/faults/errors.ts";
import { isClientGone } from "#domain/net/message.ts";
import { COVERAGE_START, type Day, parseDay } from "#domain/time/day.ts";

/** A refusal that has no code of ours: its status and body are the other service's. */
export class Refusal extends Rejection {
  readonly status: number;
  readonly body: object;

  constructor(status: number, body: object) {
    super(`refused with ${status}`);
    this.name = "Refusal";
    this.status = status;
    this.body = body;
  }
}

/** Converts a refusal of our use cases to the form of a service. */
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
  readonly dataset: () => Dataset | null;
}

/** Of answers that may lack what a source has not yet been collected of. */
const INCOMPLETE = "no-cache";

/**
 * The same handler for admitted callers, whose refusals are written in a dialect. `authorization` is for services whose keys
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
      const work = ({ delayMinutes }: Admission) => inTurn(deps, handle, request, params, delayMinutes);
      return await deps.meter.run(request, ask, work, authorization?.(request));
    } catch (thrown) {
      if (thrown instanceof Failure && thrown.quota === null)
        await deps.meter.refused(request, thrown, authorization?.(request));
      return refuse(deps, request, dialect, thrown);
    }
  };
}

/** The same without a key and without a limit: for lists, which clients request beside every call. */
export function inDialectFree(deps: DialectDeps, dialect: Dialect, handle: Handle): Route["handle"] {
  return async (request, params) => {
    try {
      return await inTurn(deps, handle, request, params, undefined);
    } catch (thrown) {
      return refuse(deps, request, dialect, thrown);
    }
  };
}

async function inTurn(
  deps: DialectDeps,
  handle: Handle,
  request: Request,
  params: Params,
  delayMinutes: number | undefined,
): Promise<Response> {
  await deps.turns.take(deps.callerOf(request));
  const answer = await handle(request, params, delayMinutes);
  // What is left out because it was never collected may be there any moment.
  if (deps.dataset()?.pending !== undefined) answer.headers.set("Cache-Control", INCOMPLETE);
  return answer;
}

/**
 * The earliest day within coverage that an address names, however it is escaped: these services write days in one way. Null for
 * a single day before coverage too: no plan has it, so that it is for the data to say so.
 */
function earliestIn(url: string): Day | null {
  const text = unescaped(url);
  const days = Array.from(text.matchAll(/\d{4}-\d{2}-\d{2}/g), ([day]) => parseDay(day));
  const known = days.filter((day) => day !== null);
  if (known.length === 0) return null;
  const first = Math.min(...known);
  if (first < COVERAGE_START && known.length === 1 && SINGLE_DAY.test(text)) return null;
  return Math.max(first, COVERAGE_START);
}

/** Addresses of one day; all others that name a day may be windows, open ones among them. */
const SINGLE_DAY = /\/\d{4}-\d{2}-\d{2}(\.json)?(\?|$)|\?date=\d{4}-\d{2}-\d{2}$/;

/** Escapes of what days are made of; others may be broken, and are another's to judge. */
function unescaped(url: string): string {
  return url.replace(/%(?:3\d|2d)/gi, (written) => decodeURIComponent(written));
}

/** Headers, the request's id and the word to the operator are those of any refusal; status and body are not. */
function refuse(deps: FailureDeps, request: Request, dialect: Dialect, thrown: unknown): Response {
  // It is never read, in whichever dialect.
  if (isClientGone(thrown, request.signal)) return renderFailure(deps, request, thrown);
  const failure =
    thrown instanceof Failure
      ? thrown
      : thrown instanceof Refusal
        ? new Failure("invalid_request", { reason: thrown.message })
        : new Failure("internal_error", {}, thrown);
  if (thrown instanceof Refusal) failure.quota = thrown.quota;
  const plain = renderFailure(deps, request, failure);
  return restate(plain, thrown instanceof Refusal ? thrown : dialect(failure));
}

function restate(plain: Response, { status, body }: Refusal): Response {
  const headers = new Headers(plain.headers);
  headers.set("Content-Type", "application/json; charset=utf-8");
  if (status === 503 && !headers.has("Retry-After")) headers.set("Retry-After", "30");
  return sendRefusal(body, status, headers);
}

/** The answer to a path that no route took: a 404 below a service's prefix is written in its dialect, all else stays. */
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
