/** What may go into a message's header: one plain address, one plain line. */

import type { MailMessage } from "#ports/mail.ts";

/** The addresses that browsers accept in a form (WHATWG HTML), with a dotted domain: no quotes, comments or display names. */
const ADDRESS =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
const LONGEST_ADDRESS = 254;
const LONGEST_SUBJECT = 200;
const LARGEST_TEXT = 100_000;

export function isAddress(text: string): boolean {
  return text.length <= LONGEST_ADDRESS && ADDRESS.test(text);
}

/** Why a message is not sent, or null. A line break in a header would start another header. */
export function badMessage({ to, subject, text }: MailMessage): string | null {
  if (!isAddress(to)) return "the recipient is not one bare address";
  if (subject === "" || subject.length > LONGEST_SUBJECT || /[\p{C}\u2028\u2029]/u.test(subject))
    return "the subject is not one line of text";
  if (text.length > LARGEST_TEXT || text.includes("\0")) return "the text cannot be sent";
  return null;
}
