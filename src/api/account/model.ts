/** Shared by the endpoints of an account: the signed-in owner, and the key in answers. */

import type { Static } from "@sinclair/typebox";
import type { AccountDeps } from "#accounts/deps.ts";
import type { Credentials, SessionCaller } from "#accounts/identity/sessions.ts";
import * as form from "#api/forms.ts";
import type { House } from "#api/plugins/house.ts";
import { session } from "#api/plugins/session.ts";
import type { Policy } from "#domain/account/identity.ts";
import type { ReadableKey } from "#domain/account/own-account.ts";
import { formatInstant, type Instant } from "#domain/time/day.ts";

export interface AccountRouteDeps extends AccountDeps {
  readonly sessionCaller: (credentials: Credentials) => Promise<SessionCaller>;
  readonly policy: Policy | null;
}

export interface AccountRoutesDeps {
  readonly house: House;
  /** Null in an open installation, which has no accounts. */
  readonly account: AccountRouteDeps | null;
}

/** `session` for routes with their own look-up of a person. */
export const ownerOf = <Accounts extends Pick<AccountRouteDeps, "sessionCaller" | "clock">>(
  house: House,
  accounts: Accounts | null,
) =>
  session(house, accounts, async ({ sessionCaller }, credentials) => await sessionCaller(credentials), [
    "service_unavailable",
  ]);

/** In the documented form, but never issued: its check digits are wrong. */
export const EXAMPLE_KEY = "fxk_Example0Example0Example0Example0000000";
export const EXAMPLE_ORG = "org_5Vn0Ck2pQx8RtYb3LwEh";

export const plaintext = form.textOrNull(
  "The whole key. Null when it cannot be decrypted on this server at present: it still works, and rotating gives one that can be shown.",
  EXAMPLE_KEY,
);

export const KeySummaryModel = form.named("KeySummary", "An API key as its owner sees it.", {
  prefix: form.text("The first 12 characters of the key, to recognize it by.", EXAMPLE_KEY.slice(0, 12)),
  plaintext,
  created_at: form.instant("When the key was issued, UTC.", "2026-04-02T09:15:00Z"),
  last_used_at: form.instantOrNull(
    "When the key was last used, UTC, up to a minute behind; null when it has never been used.",
    "2026-04-13T16:29:00Z",
  ),
});

export function printKey(key: ReadableKey): Static<typeof KeySummaryModel> {
  const { prefix, plaintext, createdAt, lastUsedAt } = key;
  return {
    prefix,
    plaintext,
    created_at: formatInstant(createdAt),
    last_used_at: instantOrNull(lastUsedAt),
  };
}

export function instantOrNull(at: Instant | null): string | null {
  return at === null ? null : formatInstant(at);
}
