/** POST /v1/keys/rotate, the contract's ApiKeyCreatedResponse, and DELETE /v1/keys. */

import * as field from "#contract/fields.ts";
import * as form from "#contract/forms.ts";
import type { Operation } from "#contract/operation.ts";
import {
  ACCOUNT_ERRORS,
  ApiKeyCreatedResponse,
  EXAMPLE_KEY,
  KEY_CREATED_EXAMPLE,
  PERSONAL,
} from "./fields.ts";

export const KeysRevokedResponse = form.named("KeysRevokedResponse", "The end of the keys.", {
  result: field.result,
  revoked: form.flag("True when no key works any more; false when there has never been one.", true),
  revoked_at: form.instantOrNull(
    "When the newest key was revoked, UTC: repeating the call does not change it.",
    "2026-04-13T16:30:00Z",
  ),
  prefix: form.textOrNull("The first 12 characters of the newest key.", EXAMPLE_KEY.slice(0, 12)),
});

export const KEYS: readonly Operation[] = [
  {
    ...PERSONAL,
    id: "rotateKey",
    method: "post",
    path: "/v1/keys/rotate",
    summary: "Replace the key",
    description:
      "Issues a new key. The one before it works for exactly 24 hours more; one that an earlier rotation replaced ends at once, so that at most two work. Where no key works, a new one is issued all the same. Each call issues another key: if the answer was lost, do not repeat it but see `GET /v1/account` for the one that stands.",
    ok: { description: "The new key.", schema: ApiKeyCreatedResponse, example: KEY_CREATED_EXAMPLE },
    errors: [...ACCOUNT_ERRORS, "conflict", "rate_limited"],
  },
  {
    ...PERSONAL,
    id: "revokeKeys",
    method: "delete",
    path: "/v1/keys",
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
  },
];
