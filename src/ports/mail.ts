/** Mail to one person: types only. */

import type { MailText } from "#domain/account/mail-text.ts";

export interface MailMessage extends MailText {
  /** One bare address, without a display name. */
  readonly to: string;
}

/**
 * `not_configured`: no server is set. `bad_message`: the address or the subject cannot be sent; nothing was attempted.
 * `rejected`: the server refused permanently. `unavailable`: it could not be reached, or replied to try later.
 */
export type MailFault = "not_configured" | "bad_message" | "rejected" | "unavailable";

/** `detail` is for the log: it holds neither the text nor credentials. */
export type MailOutcome =
  | { readonly sent: true }
  | { readonly sent: false; readonly fault: MailFault; readonly detail: string };

export interface Mail {
  /** False where links have to be shown by the command line instead. */
  readonly configured: boolean;
  /** Resolves when the server took the message over. Never rejects. */
  send(message: MailMessage): Promise<MailOutcome>;
}
