/** POST /v1/account/provision: the caller's organization and its first key. */

import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { provision as provisionAccount, type SignUpFacts } from "#accounts/account/provision.ts";
import { optionalJsonBody } from "#api/plugins/body.ts";
import { words } from "#api/words.ts";
import {
  ACCOUNT_ERRORS,
  type AccountRoutesDeps,
  ApiKeyCreatedResponse,
  BODY_ERRORS,
  currentKeyBody,
  KEY_CREATED_EXAMPLE,
  ownerOf,
  PERSONAL,
} from "./model.ts";

const MOST_MEMBERS = 20;
const LONGEST_VALUE = 200;

/** Members that it does not list are ignored. */
export const ProvisionRequest = Type.Object(
  {
    signup_attribution: Type.Optional(
      Type.Record(
        // Printable ASCII.
        Type.String({ pattern: "^[ -~]{1,64}$" }),
        Type.String({ maxLength: LONGEST_VALUE }),
        {
          maxProperties: MOST_MEMBERS,
          additionalProperties: false,
          description: `Where the sign-up came from: at most ${MOST_MEMBERS} texts of at most ${LONGEST_VALUE} characters, by names of at most 64 in ASCII. Kept from the call that makes the organization.`,
          examples: [{ utm_source: "newsletter", referrer: "https://example.com/" }],
        },
      ),
    ),
    marketing_consent: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          "Whether news may be sent to the person. Kept from the call that makes the organization.",
        examples: [false],
      }),
    ),
  },
  { $id: "ProvisionRequest", description: "What a sign-up may say of itself. All of it is optional." },
);

function factsOf(body: Static<typeof ProvisionRequest>): SignUpFacts {
  return {
    attribution: body.signup_attribution ?? null,
    marketingConsent: body.marketing_consent ?? false,
  };
}

export const provision = ({ house, account }: AccountRoutesDeps) =>
  new Elysia({ name: "provision" })
    .use(ownerOf(house, account))
    .post(
      "/v1/account/provision",
      async ({ accounts, ownerId, by, body }) =>
        currentKeyBody(await provisionAccount(accounts, ownerId, factsOf(body), by)),
      {
        session: true,
        ...optionalJsonBody(ProvisionRequest),
        detail: words({
          ...PERSONAL,
          id: "provisionAccount",
          summary: "Get the organization and its key",
          description:
            "Makes the caller's organization if it does not exist, and its first key if it has none that is current. When both exist nothing is made and the key is shown again: repeat it as you like.",
          body: {
            example: { signup_attribution: { utm_source: "newsletter" }, marketing_consent: false },
            description: "Facts about the sign-up; may be left out.",
            optional: true,
          },
          ok: {
            description: "The key, new or not.",
            schema: ApiKeyCreatedResponse,
            example: KEY_CREATED_EXAMPLE,
          },
          errors: [...BODY_ERRORS, ...ACCOUNT_ERRORS, "rate_limited"],
        }),
      },
    );
