/** POST /v1/auth/password-reset[/confirm] and /v1/auth/verify-email[/send] */

import { askReset, confirmReset } from "#accounts/identity/reset.ts";
import { askVerification, confirmVerification } from "#accounts/identity/verify.ts";
import { EmailRequest, PasswordResetRequest, VerifyEmailRequest } from "#contract/auth/links.ts";
import type { Route } from "#http/request/route.ts";
import { sendOnce } from "#http/response/send-once.ts";
import { identityView } from "./answers.ts";
import { type AuthRoutesDeps, authRoute, bodyOf } from "./route.ts";

const IF_KNOWN = {
  result: "success",
  mail: "if_known",
  message: "if the address has an account here, a letter is on its way to it",
};
const NOT_CONFIGURED = {
  result: "success",
  mail: "not_configured",
  message: "this server sends no mail: its operator makes links with crossrate accounts reset-link",
};

export function authLinkRoutes(deps: AuthRoutesDeps): Route[] {
  const from = (request: Request) => ({ address: deps.callerOf(request) });
  return [
    authRoute(deps, "POST", "/v1/auth/password-reset", async (auth, request) => {
      await askReset(auth, await bodyOf(request, EmailRequest), from(request));
      return sendOnce(request, deps, auth.mail.configured ? IF_KNOWN : NOT_CONFIGURED, 202);
    }),
    authRoute(deps, "POST", "/v1/auth/password-reset/confirm", async (auth, request) => {
      const { token, new: password } = await bodyOf(request, PasswordResetRequest);
      await confirmReset(auth, { token, password }, from(request));
      return sendOnce(request, deps, { result: "success", password_set: true });
    }),
    authRoute(deps, "POST", "/v1/auth/verify-email", async (auth, request) => {
      const wanted = await bodyOf(request, VerifyEmailRequest);
      const identity = await confirmVerification(auth, wanted, from(request));
      return sendOnce(request, deps, { result: "success", identity: identityView(identity) });
    }),
    authRoute(deps, "POST", "/v1/auth/verify-email/send", async (auth, request) => {
      await askVerification(auth, await bodyOf(request, EmailRequest), from(request));
      return sendOnce(request, deps, auth.mail.configured ? IF_KNOWN : NOT_CONFIGURED, 202);
    }),
  ];
}
