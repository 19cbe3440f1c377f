/** One request: sent, sent again where that is safe and may help, and given up in time. */

import { CrossrateError, retryAfterOf } from "./error.ts";

/** How requests are sent; every member has a default. */
export interface SendingOptions {
  /** Sends a request in place of the global `fetch`: for a proxy, or for tests. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** How often a request is sent again at most; 2 by default. */
  readonly retries?: number;
  /** Milliseconds for each attempt, body included; of a file or stream until the headers. 30,000 by default. */
  readonly timeout?: number;
  /** Milliseconds. A longer wait is not taken on: the call fails with `retryAfter` at once. 70,000 by default. */
  readonly longestWait?: number;
  /** Waits; for tests. Rejects with the signal's reason when that is aborted. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds since 1970; for tests. */
  readonly now?: () => number;
  /** In [0, 1), spreads retries; for tests. */
  readonly random?: () => number;
}

export type Sending = Required<SendingOptions>;
export type Send = (request: Request) => Promise<Response>;

/** Of the wait before the first retry where the server names none; it doubles with each one. */
const FIRST_WAIT_MILLISECONDS = 500;
const PASSING_STATUSES = new Set([429, 500, 502, 503, 504]);

export function sendingOf(options: SendingOptions): Sending {
  return {
    fetch: options.fetch ?? ((request) => fetch(request)),
    retries: options.retries ?? 2,
    timeout: options.timeout ?? 30_000,
    longestWait: options.longestWait ?? 70_000,
    sleep: options.sleep ?? sleep,
    now: options.now ?? Date.now,
    random: options.random ?? Math.random,
  };
}

/**
 * Sends a request until its answer is final: `Retry-After` is obeyed, other failures wait longer each time. What changes
 * something at the server is sent once. Resolves with the last answer, refusal or not; rejects with CrossrateError
 * (`connection_failed`, `timeout`), or with the reason of the request's signal. `whole` reads the body before it resolves, so that a
 * body which breaks off is repeated too.
 */
export function sender(sending: Sending, { whole }: { readonly whole: boolean }): Send {
  return async (request) => {
    const retries = isSafe(request) ? sending.retries : 0;
    for (let retry = 0; ; retry++) {
      const outcome = await attempt(sending, request, whole);
      const wait = retry < retries ? waitAfter(sending, outcome, retry) : null;
      if (wait === null) {
        if (outcome instanceof Response) return outcome;
        throw outcome;
      }
      if (outcome instanceof Response) await outcome.body?.cancel();
      await sending.sleep(wait, request.signal);
    }
  };
}

/** Whether an answer with this status may be another one the next time; 0 is no answer. */
export function isPassing(status: number): boolean {
  return status === 0 || PASSING_STATUSES.has(status);
}

/** Reads, and batch conversions, which change nothing either. */
function isSafe({ method, url }: Request): boolean {
  return (
    method === "GET" ||
    method === "HEAD" ||
    (method === "POST" && /\/v1\/convert(\/dated)?$/.test(new URL(url).pathname))
  );
}

/** Milliseconds before the next attempt; null where another one is of no use, or would be too late. */
function waitAfter(sending: Sending, outcome: Response | CrossrateError, retry: number): number | null {
  const { longestWait, random, now } = sending;
  // Half of it at least, so that clients which failed together do not come back together.
  const wait = FIRST_WAIT_MILLISECONDS * 2 ** retry * (0.5 + random() / 2);
  if (!(outcome instanceof Response)) return wait;
  if (!PASSING_STATUSES.has(outcome.status)) return null;
  const stated = retryAfterOf(outcome.headers, now());
  const chosen = stated === null ? wait : stated * 1000;
  return chosen <= longestWait ? chosen : null;
}

async function attempt(
  sending: Sending,
  request: Request,
  whole: boolean,
): Promise<Response | CrossrateError> {
  const { signal } = request;
  signal.throwIfAborted();
  const control = new AbortController();
  const giveUp = () => control.abort(signal.reason);
  signal.addEventListener("abort", giveUp);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    control.abort();
  }, sending.timeout);
  try {
    // A copy: a request with a body can be sent only once. A redirect to https is to another origin, where `fetch` sends no key.
    const copy = new Request(request.clone(), { signal: control.signal, redirect: "manual" });
    const response = await sending.fetch(copy);
    if (!whole || response.type === "opaqueredirect") return response;
    const bytes = await response.arrayBuffer();
    const { status, statusText, headers } = response;
    return new Response(bytes.byteLength === 0 ? null : bytes, { status, statusText, headers });
  } catch (cause) {
    signal.throwIfAborted();
    const { pathname } = new URL(request.url);
    return isLate
      ? new CrossrateError(`no answer to ${pathname} within ${sending.timeout} ms`, {
          code: "timeout",
          cause,
        })
      : new CrossrateError(`no connection for ${pathname}: ${textOf(cause)}`, {
          code: "connection_failed",
          cause,
        });
  } finally {
    clearTimeout(timer);
    // Of a body that is still being read, the caller's signal goes on to end it.
    if (whole) signal.removeEventListener("abort", giveUp);
  }
}

/** Of a failed `fetch` the cause names the reason, in Node. */
function textOf(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault);
  return fault.cause instanceof Error ? fault.cause.message : fault.message;
}

async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", stop, { once: true });
  });
}
