/** The simulated Stripe API: a request under `/v1/` → credentials, version, idempotency, parameters, operation, answer. */

import { createHash } from "node:crypto";
import { type Account, SIMULATED_API_VERSION } from "./account.ts";
import { OPERATIONS, type Operation } from "./operations.ts";
import { checked, type FormTree, parseForm } from "./parameters.ts";
import { StripeRefusal } from "./refusal.ts";

export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Headers;
  readonly body: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Api {
  readonly account: Account;
  readonly secretKey: string;
  readonly keys: IdempotencyKeys;
}

export function answerApi(api: Api, request: ApiRequest): Reply {
  const requestId = api.account.newId("req", 14);
  const headers: Record<string, string> = {
    "content-type": "application/json",
    "request-id": requestId,
    "stripe-version": SIMULATED_API_VERSION,
  };
  try {
    authenticate(api.secretKey, request.headers.get("authorization"));
    requireVersion(request.headers.get("stripe-version"));
    const key = request.method === "POST" ? request.headers.get("idempotency-key") : null;
    if (key === null) return { status: 200, headers, body: perform(api.account, request) };
    headers["idempotency-key"] = key;
    return { headers, ...once(api, request, key, headers) };
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
    return { status: error.status, headers, body: print(error.body(requestId)) };
  }
}

function once(
  { account, keys }: Api,
  request: ApiRequest,
  key: string,
  headers: Record<string, string>,
): { readonly status: number; readonly body: string } {
  const identity = createHash("sha256").update(`${request.path}\n${request.body}`).digest("hex");
  const stored = keys.begin(key, identity, account.at());
  if (stored !== null) {
    headers["idempotent-replayed"] = "true";
    return stored;
  }
  try {
    const answer = { status: 200, body: perform(account, request) };
    keys.finish(key, answer);
    return answer;
  } catch (error) {
    keys.forget(key);
    throw error;
  }
}

function perform(account: Account, request: ApiRequest): string {
  const { operation, id } = operationFor(request);
  return print(operation.run(account, checked(parametersOf(request), operation.shape), id));
}

function operationFor({ method, path }: ApiRequest): { operation: Operation; id: string } {
  for (const operation of OPERATIONS) {
    const match = operation.path.exec(path);
    if (match !== null && operation.method === method) return { operation, id: match[1] ?? "" };
  }
  throw new StripeRefusal(404, `Unrecognized request URL (${method}: ${path}).`);
}

function parametersOf({ method, query, body, headers }: ApiRequest): FormTree {
  if (method === "GET" || body === "") return parseForm(query);
  if (headers.get("content-type")?.startsWith("application/x-www-form-urlencoded") !== true)
    throw new StripeRefusal(400, "Invalid request: the body must be application/x-www-form-urlencoded.");
  return parseForm(body);
}

function authenticate(secretKey: string, authorization: string | null): void {
  const given = /^Bearer (\S+)$/.exec(authorization ?? "")?.[1];
  if (given === secretKey) return;
  if (given === undefined)
    throw new StripeRefusal(
      401,
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth.",
    );
  throw new StripeRefusal(
    401,
    `Invalid API Key provided: ${given.slice(0, 8)}${"*".repeat(12)}${given.slice(-4)}`,
  );
}

/** Only one version is simulated; the account's default counts where none is sent. */
function requireVersion(version: string | null): void {
  if (version === null || version === SIMULATED_API_VERSION) return;
  throw new StripeRefusal(
    400,
    `Invalid Stripe API version: ${version}; this simulation has ${SIMULATED_API_VERSION}.`,
  );
}

function print(body: object): string {
  return `${JSON.stringify(body, null, 2)}\n`;
}

interface StoredAnswer {
  readonly status: number;
  readonly body: string;
}

interface Entry {
  readonly request: string;
  readonly since: number;
  answer: StoredAnswer | null;
}

const KEPT_SECONDS = 86_400;
const LONGEST_KEY = 255;

/** Idempotency-Key: the first answer is repeated for the same request, another request under the same key is refused. */
export class IdempotencyKeys {
  readonly #entries = new Map<string, Entry>();

  /** The answer to repeat, or null when the request is the first under its key. */
  begin(key: string, request: string, second: number): StoredAnswer | null {
    if (key.length > LONGEST_KEY)
      throw new StripeRefusal(400, "Idempotency keys may be at most 255 characters.", {
        type: "idempotency_error",
      });
    const known = this.#entries.get(key);
    if (known === undefined || second - known.since >= KEPT_SECONDS) {
      this.#entries.set(key, { request, since: second, answer: null });
      return null;
    }
    if (known.request !== request)
      throw new StripeRefusal(
        400,
        `Keys for idempotent requests can only be used with the same parameters they were first used with. ` +
          `Try using a key other than '${key}' if you meant to execute a different request.`,
        { type: "idempotency_error" },
      );
    if (known.answer !== null) return known.answer;
    throw new StripeRefusal(
      409,
      "There is currently another in-progress request using this Stripe-Idempotency-Key.",
      { type: "idempotency_error", code: "idempotency_key_in_use" },
    );
  }

  finish(key: string, answer: StoredAnswer): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) entry.answer = answer;
  }

  /** What never began, such as a request with wrong parameters, leaves its key free. */
  forget(key: string): void {
    this.#entries.delete(key);
  }
}
