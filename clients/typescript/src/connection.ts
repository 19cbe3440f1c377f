/** A server, a key and a way to send: what all calls share. */

import createClient, { type Client } from "openapi-fetch";
import { CrossrateError, refusalOf } from "./error.ts";
import type { paths } from "./schema.ts";
import { type Send, type Sending, type SendingOptions, sender, sendingOf } from "./sending.ts";

export interface CrossrateOptions extends SendingOptions {
  /** Where the server is, such as `http://localhost:3000`; a path in front of `/v1` is kept. */
  readonly url: string | URL;
  /** An API key, `fxk_…`. Without one the limits of callers without a key apply. Keep it on a server, never in a public page. */
  readonly key?: string | undefined;
}

export interface CallOptions {
  /** Ends the call, its waits included; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The tightest window of limits, as the newest answer stated it. */
export interface RateLimit {
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds. */
  readonly reset: number;
}

export type Http = Client<paths, "application/json">;

export interface Connection {
  readonly sending: Sending;
  /** Every operation of `/openapi.json`, typed; see https://openapi-ts.dev/openapi-fetch. */
  readonly http: Http;
  /** Resolves with the headers, while the body is still to come: for files. */
  readonly open: Send;
  /** Sends a request once. */
  readonly once: Send;
  /** Once, up to the headers: for streams. */
  readonly begin: Send;
  request(path: string, headers: Readonly<Record<string, string>>, signal: AbortSignal | undefined): Request;
  rateLimit(): RateLimit | null;
}

export function connect({ url, key, ...options }: CrossrateOptions): Connection {
  const sending = sendingOf(options);
  const base = String(new URL(url)).replace(/\/+$/, "");
  const shared = {
    Accept: "application/json",
    ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
  };
  let rateLimit: RateLimit | null = null;
  const noting =
    (send: Send): Send =>
    async (request) => {
      const response = await send(request);
      rateLimit = rateLimitOf(response.headers) ?? rateLimit;
      return response;
    };
  return {
    sending,
    http: createClient<paths, "application/json">({
      baseUrl: base,
      headers: shared,
      fetch: noting(sender(sending, { whole: true })),
    }),
    open: noting(sender(sending, { whole: false })),
    once: noting(sender({ ...sending, retries: 0 }, { whole: true })),
    begin: noting(sender({ ...sending, retries: 0 }, { whole: false })),
    request: (path, headers, signal) =>
      new Request(`${base}${path}`, {
        headers: { ...shared, ...headers },
        ...(signal === undefined ? {} : { signal }),
      }),
    rateLimit: () => rateLimit,
  };
}

/** The body of a call through `http`; rejects with CrossrateError where it was refused. */
export async function bodyOf<T>(
  { sending }: Connection,
  call: Promise<{ readonly data?: T; readonly error?: unknown; readonly response: Response }>,
): Promise<T> {
  const { data, error, response } = await call.catch((fault: unknown) => {
    // The body of a success is parsed there: what is not JSON comes from something else than Crossrate.
    if (!(fault instanceof SyntaxError)) throw fault;
    throw new CrossrateError("the answer is not JSON", {
      code: "unexpected_response",
      status: 200,
      cause: fault,
    });
  });
  if (!response.ok) throw refusalOf(response, error, sending.now());
  if (data === undefined)
    throw new CrossrateError("the answer is empty", { code: "unexpected_response", status: response.status });
  return data;
}

/** A response whose body is still to be read; rejects with CrossrateError where it is a refusal. */
export async function successOf({ sending }: Connection, call: Promise<Response>): Promise<Response> {
  const response = await call;
  if (response.ok) return response;
  const text = await response.text();
  throw refusalOf(response, jsonOf(text), sending.now());
}

/** A file that is still to be read; rejects with CrossrateError where a page came, as of a network that wants a person to sign in. */
export async function fileOf(call: Promise<Response>): Promise<Response> {
  const response = await call;
  if (response.headers.get("Content-Type")?.startsWith("text/html") !== true) return response;
  await response.body?.cancel();
  const { status } = response;
  throw new CrossrateError("the answer is a page, not a file", { code: "unexpected_response", status });
}

/** Options of a call as openapi-fetch takes them. */
export function initOf({ signal }: CallOptions): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function rateLimitOf(headers: Headers): RateLimit | null {
  const [limit, remaining, reset] = ["Limit", "Remaining", "Reset"].map((name) =>
    headers.get(`X-RateLimit-${name}`),
  );
  if (limit == null || remaining == null || reset == null) return null;
  return { limit: Number(limit), remaining: Number(remaining), reset: Number(reset) };
}
