/** Operations below /v1/auth, and those of the sign-in at an identity provider. */

import { Type } from "@sinclair/typebox";
import type { Operation } from "#contract/operation.ts";
import { inQuery } from "#contract/parameters.ts";
import * as auth from "./fields.ts";
import { AUTH_LINKS } from "./links.ts";
import { AUTH_SESSIONS } from "./sessions.ts";
import { AUTH_SIGN_IN } from "./sign-in.ts";

const NOTHING = Type.Null({ description: "No body." });

const AUTH_EXTERNAL: readonly Operation[] = [
  {
    ...auth.PUBLIC,
    id: "startExternalSignIn",
    method: "get",
    path: "/v1/auth/oidc/start",
    summary: "Sign in at the identity provider",
    description:
      "Sends the browser to the identity provider (OpenID Connect, authorization code with PKCE). `not_found` where none is configured. Answers no `HEAD`.",
    parameters: [
      inQuery("return_to", {
        schema: Type.String({ maxLength: 500, default: "/" }),
        description: "The path of this site to come back to; anything else becomes `/`.",
        example: "/",
        inSampleCall: false,
      }),
    ],
    ok: {
      status: 302,
      description: "To the identity provider.",
      schema: NOTHING,
      headers: [
        { name: "Location", description: "The provider's address.", example: "https://id.example.com/…" },
        {
          name: "Set-Cookie",
          description: "What the callback needs, sealed, for ten minutes.",
          example: "__Host-crossrate_signin=…; Max-Age=600; Path=/; HttpOnly; SameSite=Lax; Secure",
        },
      ],
    },
    errors: [...auth.AUTH_ERRORS, "not_found"],
  },
  {
    ...auth.PUBLIC,
    id: "finishExternalSignIn",
    method: "get",
    path: "/v1/auth/oidc/callback",
    summary: "Back from the identity provider",
    description:
      "Where the provider sends the browser to. Starts a session for the person that the provider vouches for, found by issuer and subject, never by e-mail address. Only in the browser that began, and once. Answers no `HEAD`.",
    parameters: ["code", "state"].map((name) => ({
      name,
      in: "query" as const,
      required: false,
      // Visible ASCII, RFC 6749 appendix A.
      schema: Type.String({ maxLength: 1024, pattern: "^[ -~]*$" }),
      description: `The provider's \`${name}\`.`,
      example: "example",
    })),
    ok: {
      status: 302,
      description: "Signed in, and back to `return_to`.",
      schema: NOTHING,
      headers: [{ name: "Location", description: "A path of this site.", example: "/" }, auth.SET_COOKIE],
    },
    errors: [...auth.AUTH_ERRORS, "not_found", "rate_limited"],
  },
];

export const AUTH: readonly Operation[] = [
  ...AUTH_SIGN_IN,
  ...AUTH_SESSIONS,
  ...AUTH_LINKS,
  ...AUTH_EXTERNAL,
];
