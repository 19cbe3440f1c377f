/** POST /v1/keys/rotate, the contract's ApiKeyCreatedResponse, and DELETE /v1/keys. */

import { Type } from "@sinclair/typebox";
import * as field from "#contract/fields.ts";
import { BY_SESSION, type Operation } from "#contract/operation.ts";
import { ACCOUNT_ERRORS, ApiKeyCreatedResponse, EXAMPLE_KEY, KEY_CREATED_EXAMPLE } from "./fields.ts";

export const KeysRevokedResponse = Type.Object(
  {
    result: field.result,
    revoked: Type.Boolean({
      description: "True when no key works any more; false when there has never been one.",
      examples: [true],
    }),
    revoked_at: field.nullable<string>("string", {
      format: "date-time",
      pattern: field.INSTANT_PATTERN,
      description: "When the newest key was revoked, UTC: repeating the call does not change it.",
      examples: ["2026-04-13T16:30:00Z"],
    }),
    prefix: field.nullable<string>("string", {
      description: "The first 12 characters of the newest key.",
      examples: [EXAMPLE_KEY.slice(0, 12)],
    }),
  },
  { $id: "KeysRevokedResponse", additionalProperties: false, description: "The end of the keys." },
);

export const KEYS: readonly Operation[] = [
  {
    id: "rotateKey",
    method: "post",
    path: "/v1/keys/rotate",
    tag: "Account",
    summary: "Replace the key",
    description:
      "Issues a new key. The one before it works for exactly 24 hours more; one that an earlier rotation replaced ends at once, so that at most two work. Where no key works, a new one is issued all the same. Each call issues another key: if the answer was lost, do not repeat it but see `GET /v1/account` for the one that stands.",
    parameters: [],
    security: BY_SESSION,
    ok: {
      description: "The new key.",
      schema: ApiKeyCreatedResponse,
      example: KEY_CREATED_EXAMPLE,
      conditional: false,
    },
    errors: [...ACCOUNT_ERRORS, "conflict", "rate_limited"],
  },
  {
    id: "revokeKeys",
    method: "delete",
    path: "/v1/keys",
    tag: "Account",
    summary: "Revoke the key",
    description:
      "Ends every key of the organization at once, one in its 24 hours after a rotation too; replicas follow within 5 seconds. Repeating it changes nothing. Provisioning or rotating issues a new key.",
    parameters: [],
    security: BY_SESSION,
    ok: {
      description: "No key works any more.",
      schema: KeysRevokedResponse,
      example: {
        result: "success",
        revoked: true,
        revoked_at: "2026-04-13T16:30:00Z",
        prefix: EXAMPLE_KEY.slice(0, 12),
      },
      conditional: false,
    },
    errors: ACCOUNT_ERRORS,
  },
];
