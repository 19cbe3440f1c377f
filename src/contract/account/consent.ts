/** POST /v1/consent: the contract's ConsentRequest and ConsentResponse. */

import { Type } from "@sinclair/typebox";
import * as field from "#contract/fields.ts";
import { BY_SESSION, type Operation } from "#contract/operation.ts";
import { ACCOUNT_ERRORS, BODY_ERRORS } from "./fields.ts";

const policyVersion = Type.String({
  // Printable ASCII.
  pattern: "^[ -~]{1,64}$",
  description: "Version of the policy as it names itself: 1 to 64 printable ASCII characters.",
  examples: ["2026-01"],
});

export const ConsentRequest = Type.Object(
  { policy_version: policyVersion },
  { $id: "ConsentRequest", additionalProperties: false, description: "What is accepted." },
);

export const ConsentResponse = Type.Object(
  {
    result: field.result,
    policy_version: policyVersion,
    accepted_at: field.instant("When this version was accepted first, UTC.", "2026-04-13T16:30:00Z"),
  },
  { $id: "ConsentResponse", additionalProperties: false, description: "What was accepted, and when." },
);

export const CONSENT: readonly Operation[] = [
  {
    id: "acceptPolicy",
    method: "post",
    path: "/v1/consent",
    tag: "Account",
    summary: "Accept a policy",
    description:
      "Records that the caller accepts a version of the policy. The first acceptance counts: repeating it returns its time. It outlives the deletion of the account.",
    parameters: [],
    body: {
      schema: ConsentRequest,
      example: { policy_version: "2026-01" },
      description: "The version that is accepted.",
    },
    security: BY_SESSION,
    ok: {
      description: "The acceptance.",
      schema: ConsentResponse,
      example: { result: "success", policy_version: "2026-01", accepted_at: "2026-04-13T16:30:00Z" },
      conditional: false,
    },
    errors: [...BODY_ERRORS, ...ACCOUNT_ERRORS, "rate_limited"],
  },
];
