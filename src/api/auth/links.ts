/** POST /v1/auth/password-reset[/confirm] and /v1/auth/verify-email[/send]: mailed links. */

import type { Static } from "@sinclair/typebox";
import { Elysia, status } from "elysia";
import { askLink, confirmReset, confirmVerification } from "#accounts/identity/links.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { jsonBody } from "#api/request/body.ts";
import * as auth from "./model.ts";

const linkToken = (example: string) =>
  form.text("The token of a mailed link: what follows `#token=`. It works once.", example, {
    maxLength: 200,
  });

export const EmailRequest = form.named("EmailRequest", "The account's address.", { email: auth.knownEmail });

export const PasswordResetRequest = form.named(
  "PasswordResetRequest",
  "A link's token and the new password.",
  {
    token: linkToken(auth.EXAMPLE_RESET_TOKEN),
    new: auth.password("The new password: 10 to 200 characters of any kind.", "eleven kites over Gouda"),
  },
);

export const VerifyEmailRequest = form.named(
  "EmailVerification",
  "A link's token and the account's password.",
  {
    token: linkToken(auth.EXAMPLE_VERIFY_TOKEN),
    password: auth.password("The password that the account was opened with."),
  },
);

const ON_ITS_WAY = "if the address has an account here, an e-mail is on its way to it";

const LetterResponse = field.answer("LetterResponse", "The same for every address, known or not.", {
  mail: form.oneOf(
    ["if_known", "not_configured"],
    "`if_known`: an e-mail is on its way if the address has an account that needs it. `not_configured`: this server sends no mail.",
  ),
  message: form.text("What to do next.", ON_ITS_WAY),
});

const EmailVerifiedResponse = field.answer(
  "EmailVerifiedResponse",
  "The person with the confirmed address. It does not sign the person in.",
  { identity: auth.identity },
);

/** Makes the same body for every address. */
function letterBody(mailConfigured: boolean): Static<typeof LetterResponse> {
  if (mailConfigured) return { result: "success", mail: "if_known", message: ON_ITS_WAY };
  const message = "this server sends no mail: its operator makes links with crossrate accounts reset-link";
  return { result: "success", mail: "not_configured", message };
}

const LETTER = {
  ...jsonBody(EmailRequest),
  ok: {
    status: 202,
    description: "The same for every address, and in the same time.",
    schema: LetterResponse,
  },
  errors: ["rate_limited"],
} as const;

export const links = (deps: auth.AuthRoutesDeps) => {
  const from = (request: Request) => ({ address: deps.callerOf(request) });
  return new Elysia({ name: "links" })
    .use(auth.people(deps))
    .post(
      "/v1/auth/password-reset",
      async ({ request, accounts, body }) => {
        await askLink(accounts, "reset_password", body, from(request));
        return status(202, letterBody(accounts.mail.configured));
      },
      auth.routes.open({
        ...LETTER,
        id: "askPasswordReset",
        summary: "Ask for a link to set a new password",
        description:
          "Mails a link that works once within an hour. The answer is the same whether or not the address has an account. Where the server sends no mail, its operator makes such links on the command line.",
      }),
    )
    .post(
      "/v1/auth/password-reset/confirm",
      async ({ request, accounts, body: { token, new: password } }) => {
        await confirmReset(accounts, { token, password }, from(request));
        return auth.PASSWORD_SET;
      },
      auth.routes.open({
        ...jsonBody(PasswordResetRequest),
        id: "confirmPasswordReset",
        summary: "Set a new password with a link",
        description:
          "Sets the password and ends every session of the account. Its API key goes on working. The link works once; a newer one takes its place. `validation_error` at `/token` says that it no longer works.",
        ok: { ...auth.PASSWORD_SET_OK, description: "The new password counts; sign in with it." },
        errors: ["rate_limited"],
      }),
    )
    .post(
      "/v1/auth/verify-email",
      async ({ request, accounts, body }) =>
        auth.identityBody(await confirmVerification(accounts, body, from(request))),
      auth.routes.open({
        ...jsonBody(VerifyEmailRequest),
        id: "verifyEmail",
        summary: "Confirm an e-mail address with a link",
        description:
          "Confirms the address that the link was mailed to. The account's password is needed, too: a person who opened an account with another's address must not get in when the owner opens the link. The link works once within a day; a newer one takes its place.",
        ok: EmailVerifiedResponse,
        errors: ["rate_limited", "invalid_credentials"],
      }),
    )
    .post(
      "/v1/auth/verify-email/send",
      async ({ request, accounts, body }) => {
        await askLink(accounts, "verify_email", body, from(request));
        return status(202, letterBody(accounts.mail.configured));
      },
      auth.routes.open({
        ...LETTER,
        id: "askEmailVerification",
        summary: "Ask for another link to confirm an address",
        description:
          "Mails a link if the address has an account and is not confirmed yet. The answer is the same for every address.",
      }),
    );
};
