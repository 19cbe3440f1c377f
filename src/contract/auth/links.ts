/** POST /v1/auth/password-reset[/confirm] and /v1/auth/verify-email[/send]: what mailed links are for. */

import { Type } from "@sinclair/typebox";
import * as field from "#contract/fields.ts";
import type { Operation } from "#contract/operation.ts";
import * as auth from "./fields.ts";
import { PasswordSetResponse } from "./sessions.ts";

export const EmailRequest = Type.Object(
  { email: auth.knownEmail },
  { $id: "EmailRequest", additionalProperties: false, description: "Whose account it is." },
);

export const PasswordResetRequest = Type.Object(
  { token: auth.linkToken, new: auth.password("The new password: 10 to 200 characters of any kind.") },
  {
    $id: "PasswordResetRequest",
    additionalProperties: false,
    description: "A link's token and the new password.",
  },
);

export const VerifyEmailRequest = Type.Object(
  { token: auth.linkToken },
  { $id: "VerificationToken", additionalProperties: false, description: "A link's token." },
);

const LETTER = {
  result: "success",
  mail: "if_known",
  message: "if the address has an account here, a letter is on its way to it",
};

export const LetterResponse = Type.Object(
  {
    result: field.result,
    mail: Type.Unsafe<"if_known" | "not_configured">({
      type: "string",
      enum: ["if_known", "not_configured"],
      description:
        "`if_known`: a letter is on its way if the address has an account that needs it. `not_configured`: this server sends no mail.",
    }),
    message: Type.String({ description: "What to do next, for people.", examples: [LETTER.message] }),
  },
  {
    $id: "LetterResponse",
    additionalProperties: false,
    description: "The same for every address, known or not.",
  },
);

export const EmailVerifiedResponse = Type.Object(
  { result: field.result, identity: auth.identity },
  {
    $id: "EmailVerifiedResponse",
    additionalProperties: false,
    description: "Whose address is confirmed. Nobody is signed in by it.",
  },
);

/** An answer that says nothing about the address. */
const letter: Operation["ok"] = {
  status: 202,
  description: "The same for every address, and in the same time.",
  schema: LetterResponse,
  example: LETTER,
  conditional: false,
};

export const AUTH_LINKS: readonly Operation[] = [
  {
    id: "askPasswordReset",
    method: "post",
    path: "/v1/auth/password-reset",
    tag: "Sign-in",
    summary: "Ask for a link to set a new password",
    description:
      "Mails a link that works once within an hour. The answer is the same whether or not the address has an account. Where the server sends no mail, its operator makes such links on the command line.",
    parameters: [],
    security: [],
    body: {
      schema: EmailRequest,
      example: { email: "ada@example.com" },
      description: "The address of the account.",
    },
    ok: letter,
    errors: auth.AUTH_BODY_ERRORS,
  },
  {
    id: "confirmPasswordReset",
    method: "post",
    path: "/v1/auth/password-reset/confirm",
    tag: "Sign-in",
    summary: "Set a new password with a link",
    description:
      "Sets the password and ends every session of the account. The link works once; a newer one takes its place. `validation_error` at `/token` says that it no longer works.",
    parameters: [],
    security: [],
    body: {
      schema: PasswordResetRequest,
      example: { token: auth.EXAMPLE_RESET_TOKEN, new: "eleven kites over Gouda" },
      description: "The link's token and the new password.",
    },
    ok: {
      description: "The new password counts; sign in with it.",
      schema: PasswordSetResponse,
      example: { result: "success", password_set: true },
      conditional: false,
    },
    errors: auth.AUTH_BODY_ERRORS,
  },
  {
    id: "verifyEmail",
    method: "post",
    path: "/v1/auth/verify-email",
    tag: "Sign-in",
    summary: "Confirm an e-mail address with a link",
    description:
      "Confirms the address that the link was mailed to. The link works once within a day; a newer one takes its place.",
    parameters: [],
    security: [],
    body: {
      schema: VerifyEmailRequest,
      example: { token: auth.EXAMPLE_VERIFY_TOKEN },
      description: "The link's token.",
    },
    ok: {
      description: "The address is confirmed.",
      schema: EmailVerifiedResponse,
      example: { result: "success", identity: auth.EXAMPLE_IDENTITY },
      conditional: false,
    },
    errors: auth.AUTH_BODY_ERRORS,
  },
  {
    id: "askEmailVerification",
    method: "post",
    path: "/v1/auth/verify-email/send",
    tag: "Sign-in",
    summary: "Ask for another link to confirm an address",
    description:
      "Mails a link if the address has an account and is not confirmed yet. The answer is the same for every address.",
    parameters: [],
    security: [],
    body: {
      schema: EmailRequest,
      example: { email: "ada@example.com" },
      description: "The address of the account.",
    },
    ok: letter,
    errors: auth.AUTH_BODY_ERRORS,
  },
];
