/** The texts of account mails. Links are complete; the mail port sends them. */

import { type Day, formatDay } from "#domain/time/day.ts";

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

interface QuotaMail {
  readonly site: string;
  readonly percent: 80 | 100;
  readonly calls: number;
  readonly quota: number;
  /** The first day of the next month. */
  readonly resetsOn: Day;
}

export function quotaMail({ site, percent, calls, quota, resetsOn }: QuotaMail): MailText {
  const used = `${calls.toLocaleString("en-US")} of ${quota.toLocaleString("en-US")} calls`;
  return {
    subject: percent === 100 ? "Your monthly quota is used up" : `${percent} % of your monthly quota is used`,
    text: `Your account at ${site} has made ${used} this month.

${percent === 100 ? "Further calls are refused with 429 quota_exceeded until the quota resets." : "Calls beyond the quota will be refused with 429 quota_exceeded."}
It resets on ${formatDay(resetsOn)} at 00:00 UTC. A larger plan takes effect at once.

Usage by day:  ${site}/dashboard
Plans:         ${site}/dashboard/plan

This mail is sent once a month at 80 % and once at 100 %.
`,
  };
}

function hours(count: number): string {
  return count === 1 ? "one hour" : `${count} hours`;
}
