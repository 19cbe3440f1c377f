/**
 * The macros `accounts` and `session`. Both first refuse in an installation without accounts. `session` then identifies
 * the signed-in person, after the syntax was read. Caches never store the answers.
 */

import { Elysia } from "elysia";
import type { Credentials, SessionCaller } from "#accounts/identity/sessions.ts";
import { BY_SESSION, type Known, type Tag, type Words, withWords } from "#api/words.ts";
import { type ErrorCode, Failure } from "#domain/faults/errors.ts";
import type { Clock } from "#ports.ts";
import type { House } from "./house.ts";

/** What routes with accounts get: null in an open installation, which has no accounts. */
export type OfAccounts<Name extends string, Deps> = { readonly house: House } & {
  readonly [One in Name]: Deps | null;
};

/** `accounts` is null in an open installation. Fails as `callerOf`. */
export const session = <Accounts extends { readonly clock: Clock }>(
  house: House,
  accounts: Accounts | null,
  callerOf: (accounts: Accounts, credentials: Credentials) => Promise<SessionCaller>,
) => {
  const shared = {
    reply: "no-store" as const,
    async transform() {
      present(accounts);
    },
  };
  return new Elysia().use(house).macro({
    accounts: (_: true) => ({
      ...shared,
      async resolve() {
        return { accounts: present(accounts) };
      },
    }),
    session: (_: true) => ({
      ...shared,
      async resolve({ request }: { request: Request }) {
        const open = present(accounts);
        const person = await callerOf(open, credentialsOf(request));
        return { accounts: open, person, ownerId: person.identity.id, by: person.by(open.clock.now()) };
      },
    }),
  });
};

/** Makes the options of routes with these macros and a tag in the document. `refusals` are those of each of them. */
export const routesOf = (tag: Tag, ...refusals: readonly ErrorCode[]) => {
  type Said = Omit<Words, "tag">;
  // An open installation has no accounts; the ledger may be unreachable.
  const errorsOf = ({ errors = [] }: Said) =>
    ["forbidden", "auth_unavailable", ...refusals, ...errors] as const;
  return {
    open: <const Options extends Said>(options: Options & Known<Options>) =>
      withWords({ accounts: true, tag, security: [], ...(options as Options), errors: errorsOf(options) }),
    signedIn: <const Options extends Said>(options: Options & Known<Options>) => {
      const errors = ["session_required", ...errorsOf(options)] as const;
      return withWords({ session: true, tag, security: BY_SESSION, ...(options as Options), errors });
    },
  };
};

/** Fails with `forbidden` without accounts. */
export function present<T>(accounts: T | null): T {
  if (accounts !== null) return accounts;
  const reason = "this installation is open to everyone and has no accounts";
  throw new Failure("forbidden", { reason });
}

export function credentialsOf({ headers, method }: Request): Credentials {
  return {
    authorization: headers.get("authorization"),
    cookie: headers.get("cookie"),
    origin: headers.get("origin"),
    mutates: method !== "GET" && method !== "HEAD",
  };
}
