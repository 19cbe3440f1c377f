/** Parts of all account endpoints: the check that accounts exist, validation of bodies and queries, the session. */

import type { AccountDeps } from "#accounts/deps.ts";
import type { Credentials, SessionCaller } from "#accounts/identity/session-caller.ts";
import { present } from "#api/plugins/session.ts";
import { credentialsOf } from "#api/request/credentials.ts";
import { queryOf } from "#api/request/query.ts";
import type { Route } from "#api/request/route.ts";
import { type JsonDeps, respondJson } from "#api/response/json.ts";
import type { By } from "#domain/account/audit.ts";
import type { Identity, Policy } from "#domain/account/identity.ts";
import { Failure } from "#domain/faults/errors.ts";

export interface AccountRouteDeps extends AccountDeps {
  readonly sessionCaller: (credentials: Credentials) => Promise<SessionCaller>;
  /** Null where the operator set none. */
  readonly policy: Policy | null;
}

export interface AccountRoutesDeps extends JsonDeps {
  /** Null where the installation is open: without accounts. */
  readonly account: AccountRouteDeps | null;
}

/** A request of a person who is signed in. */
interface PersonalRequest<T> {
  readonly identity: Identity;
  readonly ownerId: string;
  readonly by: By;
  /** The path's parameter of that name; empty where there is none. */
  readonly id: string;
  /** What was read of the body or query. */
  readonly query: T;
}

/** Reads the body or query of a request, and answers with a body of the contract. */
interface PersonalRoute<Deps, T> {
  readonly status?: 201 | 202;
  read(request: Request): T | Promise<T>;
  answer(deps: Deps, request: PersonalRequest<T>): Promise<object>;
}

/**
 * Makes routes for a person who is signed in: syntax first, then the session. Caches never store their answers.
 * `accounts` is null where the installation has none.
 */
export function personalRoutes<Deps extends Pick<AccountRouteDeps, "sessionCaller" | "clock">>(
  deps: JsonDeps,
  accounts: Deps | null,
) {
  return <T>(
    method: Route["method"],
    path: string,
    { status, read, answer }: PersonalRoute<Deps, T>,
  ): Route => ({
    method,
    path,
    handle: async (request, { id = "" }) => {
      const own = present(accounts);
      const query = await read(request);
      const caller = await own.sessionCaller(credentialsOf(request));
      const { identity } = caller;
      const by = caller.by(own.clock.now());
      const body = await answer(own, { identity, ownerId: identity.id, by, id, query });
      return respondJson(request, deps, body, status);
    },
  });
}

/** For requests that say everything by their method and path. */
export function readNothing(): void {}

/** Reads a whole number of the query from 1 to `most`, `absent` where it is not sent. Failure `validation_error`. */
export function wholeNumber(name: string, most: number, absent: number): (request: Request) => number {
  return (request) => {
    const text = queryOf(request)(name);
    if (text === undefined) return absent;
    const number = /^\d+$/.test(text) && text.length <= String(most).length ? Number(text) : 0;
    if (number >= 1 && number <= most) return number;
    const message = `a whole number from 1 to ${most}`;
    throw new Failure("validation_error", {
      wording: `${name} must be ${message}`,
      members: { errors: [{ path: name, message }] },
    });
  };
}
