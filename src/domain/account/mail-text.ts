/** The texts of account mails. Links are complete; the mail port sends them. */

export interface MailText {
  /** One line. */
  readonly subject: string;
  /** Lines end in \n. */
  readonly text: string;
}

interface LinkMail {
  /** The installation's public address, so that the reader knows who writes. */
  readonly site: string;
  readonly link: string;
  readonly validHours: number;
}

export function verificationMail({ site, link, validHours }: LinkMail): MailText {
  return {
    subject: "Confirm your e-mail address",
    text: `Someone, probably you, gave this address for an account at ${site}.

To confirm that it is yours, open this link within ${hours(validHours)}:

${link}

If it was not you, do nothing: without the link the address stays unconfirmed.
`,
  };
}

export function resetMail({ site, link, validHours }: LinkMail): MailText {
  return {
    subject: "Set a new password",
    text: `Someone, probably you, asked for a new password for the account with this address at ${site}.

To set one, open this link within ${hours(validHours)}. It works once, and signs out every other session:

${link}

If it was not you, do nothing: your password stays as it is.
`,
  };
}

function hours(count: number): string {
  return count === 1 ? "one hour" : `${count} hours`;
}
