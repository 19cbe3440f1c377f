/** The words of `crossrate webhooks`. */

import type { Flag } from "#cli/command.ts";
import { URL_FLAG } from "#cli/words/rate-words.ts";
import { SIGNATURE_HEADER } from "#domain/webhook/rules.ts";

export const WEBHOOK_FLAGS = [
  {
    name: "--secret",
    shown: "whsec_…",
    allowed: "the endpoint's signing secret",
    meaning: "the signing secret (CROSSRATE_WEBHOOK_SECRET, which other users cannot see)",
  },
  {
    name: "--port",
    shown: "N",
    allowed: "a port from 0 to 65535",
    accepts: (text: string) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535,
    meaning: "of listen: where to listen (8787; 0 takes a free one)",
  },
  {
    name: "--signature",
    shown: "HEADER",
    allowed: `the value of ${SIGNATURE_HEADER}`,
    meaning: `of verify: the value of ${SIGNATURE_HEADER}`,
  },
  {
    name: "--any-age",
    meaning: "of verify: also when the signature is older than 5 minutes",
  },
  {
    name: "--to",
    shown: "URL",
    allowed: "the http or https address of a receiver",
    accepts: (text: string) => /^https?:\/\/[^/\s]/.test(text) && URL.canParse(text),
    meaning: "of send-test: post a test event from here to this receiver",
  },
  { name: "--json", meaning: "of listen: print lines of JSON, also on a terminal" },
  URL_FLAG,
] as const satisfies readonly Flag[];

export interface WebhookWords {
  readonly operand: string | undefined;
  readonly secret: string | null;
  readonly flag: (name: (typeof WEBHOOK_FLAGS)[number]["name"]) => string | undefined;
}
