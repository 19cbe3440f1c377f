/** The rules for new passwords, and the Failure for a password that breaks one. */

import { guessableName } from "#domain/account/identity.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { PasswordFault, Passwords } from "#ports/identity.ts";

const ADVICE: Readonly<Record<PasswordFault, string>> = {
  too_short: "too short: at least 10 characters are needed, of any kind",
  too_long: "too long: at most 200 characters are taken",
  not_text: "no text: NUL and broken characters are not taken",
  too_common: "too common: it is among the first passwords that an attacker tries",
};

const NAMES = { address: "the e-mail address or the name in it", product: "the name of this service" };

/** Of an account with that address. Failure `validation_error` at the member of the body that holds the password. */
export function requireAcceptable(
  passwords: Pick<Passwords, "fault">,
  password: string,
  email: string | null,
  path: string,
): void {
  const fault = passwords.fault(password);
  if (fault !== null) throw refusedValue(path, ADVICE[fault]);
  const name = guessableName(password, email);
  if (name === null) return;
  const advice = "choose words that have nothing to do with it";
  throw refusedValue(path, `easily guessed: it is ${NAMES[name]}; ${advice}`);
}

/** A value of the right shape that cannot be taken. */
export function refusedValue(path: string, message: string): Failure {
  return new Failure("validation_error", {
    wording: "a value in the body is not accepted; `errors` says which and why",
    members: { errors: [{ path, message }] },
  });
}
