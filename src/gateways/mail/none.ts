/** Mail where no server is configured: it says so, and the caller shows the link on the command line instead. */

import type { Mail } from "#ports/mail.ts";

export const noMail: Mail = {
  configured: false,
  send: () => Promise.resolve({ sent: false, fault: "not_configured", detail: "SMTP_URL is not set" }),
};
