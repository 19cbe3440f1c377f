/** POST /v1/consent: the caller accepts a version of the policy. */

import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { acceptPolicy } from "#accounts/account/own-account.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { jsonBody } from "#api/plugins/body.ts";
import { words } from "#api/words.ts";
import { formatInstant, type Instant } from "#domain/time/day.ts";
import { ACCOUNT_ERRORS, type AccountRoutesDeps, BODY_ERRORS, ownerOf, PERSONAL } from "./model.ts";

const policyVersion = Type.String({
  // Printable ASCII.
  pattern: "^[ -~]{1,64}$",
  description: "Version of the policy as it names itself: 1 to 64 printable ASCII characters.",
  examples: ["2026-01"],
});

export const ConsentRequest = form.named("ConsentRequest", "What is accepted.", {
  policy_version: policyVersion,
});

const ConsentResponse = form.named("ConsentResponse", "What was accepted, and when.", {
  result: field.result,
  policy_version: policyVersion,
  accepted_at: form.instant("When this version was accepted first, UTC.", "2026-04-13T16:30:00Z"),
});

export function consentBody(consent: {
  readonly policyVersion: string;
  readonly acceptedAt: Instant;
}): Static<typeof ConsentResponse> {
  const { policyVersion, acceptedAt } = consent;
  return { result: "success", policy_version: policyVersion, accepted_at: formatInstant(acceptedAt) };
}

export const consent = ({ house, account }: AccountRoutesDeps) =>
  new Elysia({ name: "consent" })
    .use(ownerOf(house, account))
    .post(
      "/v1/consent",
      async ({ accounts, ownerId, by, body }) =>
        consentBody(await acceptPolicy(accounts, ownerId, body.policy_version, by)),
      {
        session: true,
        ...jsonBody(ConsentRequest),
        detail: words({
          ...PERSONAL,
          id: "acceptPolicy",
          summary: "Accept a policy",
          description:
            "Records that the caller accepts a version of the policy. The first acceptance counts: repeating it returns its time. It outlives the deletion of the account.",
          body: {
            example: { policy_version: "2026-01" },
            description: "The version that is accepted.",
          },
          ok: {
            description: "The acceptance.",
            schema: ConsentResponse,
            example: { result: "success", policy_version: "2026-01", accepted_at: "2026-04-13T16:30:00Z" },
          },
          errors: [...BODY_ERRORS, ...ACCOUNT_ERRORS, "rate_limited"],
        }),
      },
    );
