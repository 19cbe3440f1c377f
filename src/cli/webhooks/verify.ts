/** `crossrate webhooks verify`: checks whether a body was signed with a secret, as a receiver must. */

import { type CommandContext, EXIT, UsageFault } from "#cli/command.ts";
import { SIGNATURE_HEADER } from "#domain/webhook/rules.ts";
import { checkSignature, type SignatureVerdict } from "#domain/webhook/signature.ts";
import type { WebhookWords } from "./words.ts";

/** An event is a few hundred bytes. */
const MOST_BYTES = 64 * 1024;

/** What a verdict means, and where to look. */
export const MEANINGS: Readonly<Record<SignatureVerdict, string>> = {
  genuine: "genuine",
  malformed: `not genuine: ${SIGNATURE_HEADER} is absent or is not t=<unix seconds>,v1=<hex>`,
  stale:
    "not genuine: the signature is more than 5 minutes old, or of the future; check this machine's clock",
  mismatch: "not genuine: another secret, or the body is not the bytes that were sent",
};

export async function verify(
  { terminal, input, clock }: CommandContext,
  { secret, flag }: WebhookWords,
): Promise<number> {
  const header = flag("--signature");
  if (secret === null) throw new UsageFault("name the secret: CROSSRATE_WEBHOOK_SECRET, or --secret");
  if (header === undefined) throw new UsageFault(`name the value of ${SIGNATURE_HEADER} with --signature`);
  if (input.isTerminal) throw new UsageFault("pipe the body in, byte for byte, as in < body.json");
  const body = await input.readAll(MOST_BYTES);
  const signedAt = Number(/\bt=(\d+)/.exec(header)?.[1] ?? Number.NaN) * 1000;
  const now = flag("--any-age") === undefined || Number.isNaN(signedAt) ? clock.now() : signedAt;
  const verdict = checkSignature(header, body, secret, now);
  terminal.print(MEANINGS[verdict]);
  return verdict === "genuine" ? EXIT.done : EXIT.failed;
}
