/** Fields and refusals that the answers of account endpoints share. */

import { Type } from "@sinclair/typebox";
import * as field from "#contract/fields.ts";
import type { ErrorCode } from "#domain/faults/errors.ts";

/** Refusals of every endpoint that needs a session. */
export const ACCOUNT_ERRORS = [
  "session_required",
  "forbidden",
  "auth_unavailable",
  "service_unavailable",
] as const satisfies readonly ErrorCode[];

/** What a JSON body adds to them. */
export const BODY_ERRORS = [
  "invalid_request",
  "payload_too_large",
  "unsupported_media_type",
  "validation_error",
] as const satisfies readonly ErrorCode[];

/** Of the documented form, but never issued: its check digits are wrong. */
export const EXAMPLE_KEY = "fxk_Example0Example0Example0Example0000000";
export const EXAMPLE_ORG = "org_5Vn0Ck2pQx8RtYb3LwEh";

export const orgId = Type.String({
  description: "Id of the organization.",
  examples: [EXAMPLE_ORG],
});

const plaintext = field.nullable<string>("string", {
  description:
    "The whole key. Null when it cannot be decrypted on this server at present: it still works, and rotating gives one that can be shown.",
  examples: [EXAMPLE_KEY],
});

const prefix = Type.String({
  description: "The first 12 characters of the key, to recognize it by.",
  examples: [EXAMPLE_KEY.slice(0, 12)],
});

export const KeySummaryModel = Type.Object(
  {
    prefix,
    plaintext,
    created_at: field.instant("When the key was issued, UTC.", "2026-04-02T09:15:00Z"),
    last_used_at: field.nullable<string>("string", {
      format: "date-time",
      pattern: field.INSTANT_PATTERN,
      description:
        "When the key was last used, UTC, up to a minute behind; null when it has never been used.",
      examples: ["2026-04-13T16:29:00Z"],
    }),
  },
  { $id: "KeySummary", additionalProperties: false, description: "An API key as its owner sees it." },
);

export const ApiKeyCreatedResponse = Type.Object(
  {
    result: field.result,
    created: Type.Boolean({
      description:
        "True when this call issued the key; false when it was there already and is only shown again.",
      examples: [true],
    }),
    org_id: orgId,
    plaintext,
    key: field.meaning(KeySummaryModel, "The key.", {
      prefix: EXAMPLE_KEY.slice(0, 12),
      plaintext: EXAMPLE_KEY,
      created_at: "2026-04-13T16:30:00Z",
      last_used_at: null,
    }),
  },
  {
    $id: "ApiKeyCreatedResponse",
    additionalProperties: false,
    description: "The key that is current after the call, in full. Not to be stored by caches.",
  },
);

/** A key that was issued by the sample call. */
export const KEY_CREATED_EXAMPLE = {
  result: "success",
  created: true,
  org_id: EXAMPLE_ORG,
  plaintext: EXAMPLE_KEY,
  key: {
    prefix: EXAMPLE_KEY.slice(0, 12),
    plaintext: EXAMPLE_KEY,
    created_at: "2026-04-13T16:30:00Z",
    last_used_at: null,
  },
};
