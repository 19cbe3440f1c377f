/** POST /v1/consent: the contract's ConsentRequest and ConsentResponse. */

import { Type } from "@sinclair/typebox";
import * as field from "#contract/fields.ts";
import * as form from "#contract/forms.ts";
import type { Operation } from "#contract/operation.ts";
import { ACCOUNT_ERRORS, BODY_ERRORS, PERSONAL } from "./fields.ts";

const policyVersion = Type.String({
  // Printable ASCII.
  pattern: "^[ -~]{1,64}$",
  description: "Version of the policy as it names itself: 1 to 64 printable ASCII characters.",
  examples: ["2026-01"],
});

export const ConsentRequest = form.named("ConsentRequest", "What is accepted.", {
  policy_version: policyVersion,
});

export const ConsentResponse = form.named("ConsentResponse", "What was accepted, and when.", {
  result: field.result,
  policy_version: policyVersion,
  accepted_at: form.instant("When this version was accepted first, UTC.", "2026-04-13T16:30:00Z"),
});

export const CONSENT: readonly Operation[] = [
  {
    ...PERSONAL,
    id: "acceptPolicy",
    method: "post",
    path: "/v1/consent",
    summary: "Accept a policy",
    description:
      "Records that the caller accepts a version of the policy. The first acceptance counts: repeating it returns its time. It outlives the deletion of the account.",
    body: {
      schema: ConsentRequest,
      example: { policy_version: "2026-01" },
      description: "The version that is accepted.",
    },
    ok: {
      description: "The acceptance.",
      schema: ConsentResponse,
      example: { result: "success", policy_version: "2026-01", accepted_at: "2026-04-13T16:30:00Z" },
    },
    errors: [...BODY_ERRORS, ...ACCOUNT_ERRORS, "rate_limited"],
  },
];
