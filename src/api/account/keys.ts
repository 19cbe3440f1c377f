/** POST /v1/keys/rotate and DELETE /v1/keys: a new key for the old one, and the end of all keys. */

import type { Static } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { revokeKeys, rotateKey } from "#accounts/keys/replace-keys.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { words } from "#api/words.ts";
import type { RevokedKeys } from "#domain/account/own-account.ts";
import {
  ACCOUNT_ERRORS,
  type AccountRoutesDeps,
  ApiKeyCreatedResponse,
  currentKeyBody,
  EXAMPLE_KEY,
  instantOrNull,
  KEY_CREATED_EXAMPLE,
  ownerOf,
  PERSONAL,
} from "./model.ts";

export const KeysRevokedResponse = form.named("KeysRevokedResponse", "The end of the keys.", {
  result: field.result,
  revoked: form.flag("True when no key works any more; false when there has never been one.", true),
  revoked_at: form.instantOrNull(
    "When the newest key was revoked, UTC: repeating the call does not change it.",
    "2026-04-13T16:30:00Z",
  ),
  prefix: form.textOrNull("The first 12 characters of the newest key.", EXAMPLE_KEY.slice(0, 12)),
});

export function revokedKeysBody({ revokedAt, prefix }: RevokedKeys): Static<typeof KeysRevokedResponse> {
  return { result: "success", revoked: revokedAt !== null, revoked_at: instantOrNull(revokedAt), prefix };
}

export const keys = ({ house, account }: AccountRoutesDeps) =>
  new Elysia({ name: "keys" })
    .use(ownerOf(house, account))
    .post(
      "/v1/keys/rotate",
      async ({ accounts, ownerId, by }) => currentKeyBody(await rotateKey(accounts, ownerId, by)),
      {
        session: true,
        parse: "none",
        detail: words({
          ...PERSONAL,
          id: "rotateKey",
          summary: "Replace the key",
          description:
            "Issues a new key. The one before it works for exactly 24 hours more; one that an earlier rotation replaced ends at once, so that at most two work. Where no key works, a new one is issued all the same. Each call issues another key: if the answer was lost, do not repeat it but see `GET /v1/account` for the one that stands.",
          ok: { description: "The new key.", schema: ApiKeyCreatedResponse, example: KEY_CREATED_EXAMPLE },
          errors: [...ACCOUNT_ERRORS, "conflict", "rate_limited"],
        }),
      },
    )
    .delete(
      "/v1/keys",
      async ({ accounts, ownerId, by }) => revokedKeysBody(await revokeKeys(accounts, ownerId, by)),
      {
        session: true,
        parse: "none",
        detail: words({
          ...PERSONAL,
          id: "revokeKeys",
          summary: "Revoke the key",
          description:
            "Ends every key of the organization at once, one in its 24 hours after a rotation too; replicas follow within 5 seconds. Repeating it changes nothing. Provisioning or rotating issues a new key.",
          ok: {
            description: "No key works any more.",
            schema: KeysRevokedResponse,
            example: {
              result: "success",
              revoked: true,
              revoked_at: "2026-04-13T16:30:00Z",
              prefix: EXAMPLE_KEY.slice(0, 12),
            },
          },
          errors: ACCOUNT_ERRORS,
        }),
      },
    );
