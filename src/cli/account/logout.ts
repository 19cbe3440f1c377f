/** `crossrate logout`: ends the session and removes what `login` stored. */

import { clientOf } from "#cli/ask/client.ts";
import { Refusal } from "#cli/ask/faults.ts";
import { forgetLogin } from "#cli/ask/store.ts";
import { type Command, EXIT } from "#cli/command.ts";
import { helpOf, readWords } from "#cli/words/flags.ts";
import { URL_FLAG } from "#cli/words/rate-words.ts";

const FLAGS = [URL_FLAG] as const;

export const logoutCommand: Command = {
  name: "logout",
  group: "Your account",
  summary: "end the session and remove what login stored",
  usage: "[options]",
  help: `What is stored is removed in any case. Where the server cannot be reached its session ends by itself, 30 days after the
sign-in; the exit code then says so. The API key still works: crossrate keys revoke ends it.

${helpOf(FLAGS)}

  crossrate logout
  crossrate logout --url https://rates.example.org`,
  words: { flags: FLAGS },
  async run(context) {
    const { flag } = readWords(context.words, FLAGS, 0);
    const client = await clientOf(context, flag("--url"));
    const { url, login } = client.server;
    if (login === null) {
      context.terminal.print(`there is no login at ${url}`);
      return EXIT.done;
    }
    await forgetLogin(context.environment, url);
    try {
      await client.ask("/v1/auth/sign-out", { method: "POST", as: "session" });
    } catch (fault) {
      // A session that is over needs no end.
      if (!(fault instanceof Refusal && fault.status === 401)) throw fault;
    }
    context.terminal.print(`Signed out at ${url}`);
    return EXIT.done;
  },
};
