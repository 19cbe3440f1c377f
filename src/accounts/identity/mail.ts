/** Sending a letter, and telling the operator when the mail server does not take it. */

import type { Letter } from "#domain/text/characters.ts";
import type { Mail } from "#ports/mail.ts";
import type { Tell } from "#telemetry.ts";

/** Whether the mail server took it. The operator hears the reason, not the address. */
export async function sendLetter(
  { mail, tell }: { readonly mail: Mail; readonly tell: Tell },
  to: string,
  letter: Letter,
): Promise<boolean> {
  const outcome = await mail.send({ ...letter, to });
  if (!outcome.sent) tell({ kind: "job_failed", job: "mail", error: `${outcome.fault}: ${outcome.detail}` });
  return outcome.sent;
}
