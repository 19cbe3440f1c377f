/** Every endpoint below /v1/auth, in the order of the document. */

import type { Operation } from "#contract/operation.ts";
import { AUTH_EXTERNAL } from "./external.ts";
import { AUTH_LINKS } from "./links.ts";
import { AUTH_SESSIONS } from "./sessions.ts";
import { AUTH_SIGN_IN } from "./sign-in.ts";

export const AUTH: readonly Operation[] = [
  ...AUTH_SIGN_IN,
  ...AUTH_SESSIONS,
  ...AUTH_LINKS,
  ...AUTH_EXTERNAL,
];
