/** What the endpoints of an account have in common: an installation with accounts, a body or query as documented, a session. */

import type { Static, TSchema } from "@sinclair/typebox";
import type { AccountDeps } from "#accounts/account/deps.ts";
import type { Credentials, SessionCaller } from "#accounts/limits/caller.ts";
import { Failure } from "#domain/faults/errors.ts";
import { credentialsOf } from "#http/request/credentials.ts";
import type { Route } from "#http/request/route.ts";
import { issuesOf } from "#http/request/validate.ts";
import { respondJson } from "#http/response/json.ts";
import type { Clock } from "#ports.ts";

export interface AccountRouteDeps extends AccountDeps {
  readonly sessionCaller: (credentials: Credentials) => Promise<SessionCaller>;
}

export interface AccountRoutesDeps {
  /** Null where the installation is open: without accounts. */
  readonly account: AccountRouteDeps | null;
  readonly clock: Clock;
  readonly simulated: boolean;
}

/** Reads the body or query of a request, and answers with a body of the contract. */
interface AccountRoute<T> {
  read(request: Request): T | Promise<T>;
  answer(deps: AccountRouteDeps, caller: SessionCaller, query: T): Promise<object>;
}

/** A route for a person who is signed in: syntax first, then the session. Caches never store its answers. */
export function accountRoute<T>(
  deps: AccountRoutesDeps,
  method: Route["method"],
  path: string,
  { read, answer }: AccountRoute<T>,
): Route {
  return {
    method,
    path,
    handle: async (request) => {
      const account = present(deps.account);
      const query = await read(request);
      const caller = await account.sessionCaller(credentialsOf(request));
      return respondJson(request, deps, await answer(account, caller, query));
    },
  };
}

/** For requests that say everything by their method and path. */
export function readNothing(): void {}

/** Failure `forbidden` where there are no accounts. */
export function present<T>(deps: T | null): T {
  if (deps !== null) return deps;
  const reason = "this installation is open to everyone and has no accounts";
  throw new Failure("forbidden", { reason });
}

/** The value, known to have the documented shape; Failure `validation_error` naming every member that does not. */
export function shaped<M extends TSchema>(model: M, value: unknown): Static<M> {
  const issues = issuesOf(model, value);
  if (issues.length > 0) throw new Failure("validation_error", { members: { errors: issues } });
  return value as Static<M>;
}
