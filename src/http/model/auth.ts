/** Every endpoint below /v1/auth, in the order of the document. */

import { AUTH_EXTERNAL } from "./auth-external.ts";
import { AUTH_LINKS } from "./auth-links.ts";
import { AUTH_SESSIONS } from "./auth-sessions.ts";
import { AUTH_SIGN_IN } from "./auth-sign-in.ts";
import type { Operation } from "./operation.ts";

export const AUTH: readonly Operation[] = [
  ...AUTH_SIGN_IN,
  ...AUTH_SESSIONS,
  ...AUTH_LINKS,
  ...AUTH_EXTERNAL,
];
