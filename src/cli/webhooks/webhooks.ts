/** `crossrate webhooks`: tools for the developer of a receiver: a local receiver, a check of signatures, test events. */

import { type Command, UsageFault } from "#cli/command.ts";
import { helpOf, readWords } from "#cli/words/flags.ts";
import { listen } from "./listen.ts";
import { sendTest } from "./send-test.ts";
import { verify } from "./verify.ts";
import { WEBHOOK_FLAGS, type WebhookWords } from "./words.ts";

const SUBCOMMANDS = {
  listen: "a receiver on this machine that checks signatures and prints what comes",
  verify: "check the signature of a body on standard input",
  "send-test": "have the server send a test event to an endpoint, or send one from here",
} as const;

export const webhooksCommand: Command = {
  name: "webhooks",
  group: "Your account",
  summary: "receive, check and test signed webhooks",
  usage: "listen|verify|send-test [ENDPOINT] [options]",
  help: `  listen      ${SUBCOMMANDS.listen}.
              It is plain HTTP on 127.0.0.1. A server sends to public https addresses only: point a tunnel or a
              reverse proxy with TLS at the port, and enter its https address as the endpoint's
  verify      ${SUBCOMMANDS.verify}; exit code 1 when it is not genuine
  send-test   ${SUBCOMMANDS["send-test"]}.
              The first needs a session (crossrate login), and waits for the outcome; ENDPOINT is its id (whe_…), which
              can be left out where there is one endpoint. With --to it posts a signed event itself, also to http

${helpOf(WEBHOOK_FLAGS)}

  CROSSRATE_WEBHOOK_SECRET=whsec_… crossrate webhooks listen
  crossrate webhooks send-test --to http://127.0.0.1:8787 --secret whsec_…
  crossrate webhooks verify --signature "$HEADER" --secret whsec_… < body.json
  crossrate webhooks send-test`,
  words: { subcommands: SUBCOMMANDS, flags: WEBHOOK_FLAGS },
  async run(context) {
    const { operands, flag } = readWords(context.words, WEBHOOK_FLAGS, 2);
    const [verb, operand] = operands;
    const secret = flag("--secret") ?? (context.environment["CROSSRATE_WEBHOOK_SECRET"] || null);
    const words: WebhookWords = { operand, secret, flag };
    if (operand !== undefined && verb !== "send-test")
      throw new UsageFault(`${operand} is an unexpected argument`);
    if (verb === "listen") return await listen(context, words);
    if (verb === "verify") return await verify(context, words);
    if (verb === "send-test") return await sendTest(context, words);
    throw new UsageFault("say listen, verify or send-test");
  },
};
