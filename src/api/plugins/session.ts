/**
 * `accounts` and `session` open routes only where the installation has accounts, which comes before everything else; `session`
 * then identifies the person who is signed in, once the syntax was read. Caches never store their answers.
 */

import { Elysia } from "elysia";
import type { Credentials, SessionCaller } from "#accounts/identity/session-caller.ts";
import { credentialsOf } from "#api/request/credentials.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { Clock } from "#ports.ts";
import type { House } from "./house.ts";

/** `accounts` is null where the installation is open. Failures of `callerOf`: nobody is signed in. */
export const session = <Accounts extends { readonly clock: Clock }>(
  house: House,
  accounts: Accounts | null,
  callerOf: (accounts: Accounts, credentials: Credentials) => Promise<SessionCaller>,
) => {
  const transform = async () => {
    present(accounts);
  };
  return new Elysia().use(house).macro({
    accounts: (_: true) => ({
      reply: "no-store" as const,
      transform,
      async resolve() {
        return { accounts: present(accounts) };
      },
    }),
    session: (_: true) => ({
      reply: "no-store" as const,
      transform,
      async resolve({ request }: { request: Request }) {
        const open = present(accounts);
        const person = await callerOf(open, credentialsOf(request));
        return { accounts: open, person, ownerId: person.identity.id, by: person.by(open.clock.now()) };
      },
    }),
  });
};

/** Failure `forbidden` where there are no accounts. */
export function present<T>(accounts: T | null): T {
  if (accounts !== null) return accounts;
  const reason = "this installation is open to everyone and has no accounts";
  throw new Failure("forbidden", { reason });
}
