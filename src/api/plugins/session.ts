/**
 * The macros `accounts` and `session`. Both first refuse in an installation without accounts. `session` then identifies
 * the signed-in person, after the syntax was read. Caches never store the answers.
 */

import { Elysia } from "elysia";
import type { Credentials, SessionCaller } from "#accounts/identity/sessions.ts";
import { BY_SESSION, type Known, pluginWords, type Tag, type Words, withWords } from "#api/words.ts";
import { type ErrorCode, Failure } from "#domain/faults/errors.ts";
import type { Clock } from "#ports.ts";
import type { House } from "./house.ts";

/** What routes with accounts get: null in an open installation, which has no accounts. */
export type OfAccounts<Name extends string, Deps> = { readonly house: House } & {
  readonly [One in Name]: Deps | null;
};

/** An open installation has no accounts; the ledger may be unreachable. */
const CLOSED = ["forbidden", "auth_unavailable"] as const;

/** `accounts` is null in an open installation. Fails as `callerOf`; `refusals` are its further codes, for the document. */
export const session = <Accounts extends { readonly clock: Clock }>(
  house: House,
  accounts: Accounts | null,
  callerOf: (accounts: Accounts, credentials: Credentials) => Promise<SessionCaller>,
  refusals: readonly ErrorCode[] = [],
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
      detail: pluginWords({ security: [], refusals: [...CLOSED, ...refusals] }),
      async resolve() {
        return { accounts: present(accounts) };
      },
    }),
    session: (_: true) => ({
      ...shared,
      detail: pluginWords({
        security: BY_SESSION,
        refusals: ["session_required", ...CLOSED, ...refusals],
      }),
      async resolve({ request }: { request: Request }) {
        const open = present(accounts);
        const person = await callerOf(open, credentialsOf(request));
        return { accounts: open, person, ownerId: person.identity.id, by: person.by(open.clock.now()) };
      },
    }),
  });
};

/** Makes the options of routes with these macros and a tag in the document. */
export const routesOf = (tag: Tag) => {
  type Said = Omit<Words, "tag">;
  return {
    open: <const Options extends Said>(options: Options & Known<Options>) =>
      withWords({ accounts: true, tag, ...(options as Options) }),
    signedIn: <const Options extends Said>(options: Options & Known<Options>) =>
      withWords({ session: true, tag, ...(options as Options) }),
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
