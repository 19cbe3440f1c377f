/** `crossrate login` and `logout`: stores a session and the account's key for the other commands, and removes them. */

import type { ApiKeyCreatedResponse } from "#api/account/account.ts";
import type { SignedInResponse, SignUpMailedResponse } from "#api/auth/sign-in.ts";
import type { Read } from "#api/body.ts";
import { type Client, clientOf } from "#cli/ask/client.ts";
import { Refusal } from "#cli/ask/faults.ts";
import { isLocal } from "#cli/ask/server.ts";
import { forgetLogin, keepLogin, storePath } from "#cli/ask/store.ts";
import { type Command, type CommandContext, EXIT, type Flag, type Input, UsageFault } from "#cli/command.ts";
import { printable } from "#cli/show/style.ts";
import { helpOf, readWords } from "#cli/words/flags.ts";
import { URL_FLAG } from "#cli/words/rate-words.ts";

const FLAGS = [
  {
    name: "--email",
    shown: "ADDRESS",
    allowed: "an e-mail address",
    accepts: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
    meaning: "the account's address (asked for)",
  } as const satisfies Flag,
  { name: "--sign-up", meaning: "open an account first" } as const,
  URL_FLAG,
] as const;

export const loginCommand: Command = {
  name: "login",
  group: "Your account",
  summary: "sign in, and store the session and the API key",
  usage: "[options]",
  help: `Asks for the e-mail address and, without showing it, for the password; where input is piped, its first line is the
password. The account's key is issued where there is none. Session and key are stored in
~/.config/crossrate/logins.json (below $XDG_CONFIG_HOME where that is set), which only its owner can read. They are
sent to this server alone. It is the server of the other commands from then on, unless --url or CROSSRATE_URL name another.
A session ends after 30 days; the key stays.

${helpOf(FLAGS)}

  crossrate login
  crossrate login --url https://rates.example.org --email you@example.org
  crossrate login --email you@example.org < password.txt`,
  words: { flags: FLAGS },
  async run(context) {
    const { flag, has } = readWords(context.words, FLAGS, 0);
    const client = await clientOf(context, flag("--url"));
    const { url } = client.server;
    const { terminal, input, environment } = context;
    if (url.startsWith("http:") && !isLocal(url))
      terminal.complain(`${url} has no TLS: the password can be read on its way; an https address is safe`);
    if (input.isTerminal) terminal.complain(`Signing in at ${url}`);
    const email = flag("--email") ?? (await answered(input, "E-mail address: "));
    const password = await answered(input, "Password: ", "hidden");
    if (has("--sign-up") && !(await signUp(client, email, password, context))) return EXIT.done;
    const signedIn = await client.ask<Read<typeof SignedInResponse>>("/v1/auth/sign-in", {
      method: "POST",
      query: { cookie: "0" },
      body: { email, password },
      as: "anonymous",
    });
    const { token, expires_at } = signedIn.content;
    const key = await provisioned(client, token);
    await keepLogin(environment, url, { email, session: token, expires_at, key });
    const shown = key === null ? "the key cannot be shown by this server" : `key ${key.slice(0, 12)}…`;
    terminal.print(`Signed in at ${url} as ${printable(email)} until ${expires_at.slice(0, 10)}, ${shown}`);
    terminal.print(`Stored in ${storePath(environment)}; crossrate logout ends the session and removes it`);
    if (environment["CROSSRATE_API_KEY"])
      terminal.complain("CROSSRATE_API_KEY is set: it is sent in place of the stored key");
    return EXIT.done;
  },
};

async function answered(input: Input, question: string, hidden?: "hidden"): Promise<string> {
  const answer = await input.ask(question, hidden);
  if (answer === null || answer === "")
    throw new UsageFault(
      `${question.replace(": ", "")} is needed; name the address with --email and pipe the password`,
    );
  return answer;
}

/** Resolves with false where the address has to be confirmed first. */
async function signUp(client: Client, email: string, password: string, { terminal }: CommandContext) {
  const { content } = await client.ask<Read<typeof SignedInResponse> | Read<typeof SignUpMailedResponse>>(
    "/v1/auth/sign-up",
    { method: "POST", query: { cookie: "0" }, body: { email, password }, as: "anonymous" },
  );
  if (!("mail" in content)) return true;
  terminal.print(printable(content.message));
  return false;
}

/** The account's key in full, issued where there is none. */
async function provisioned(client: Client, token: string): Promise<string | null> {
  const { content } = await client.ask<Read<typeof ApiKeyCreatedResponse>>("/v1/account/provision", {
    method: "POST",
    as: "anonymous",
    headers: { authorization: `Bearer ${token}` },
  });
  return content.plaintext;
}

const LOGOUT_FLAGS = [URL_FLAG] as const;

export const logoutCommand: Command = {
  name: "logout",
  group: "Your account",
  summary: "end the session and remove what login stored",
  usage: "[options]",
  help: `What is stored is removed in any case. Where the server cannot be reached its session ends by itself, 30 days after the
sign-in; the exit code then says so. The API key still works: crossrate keys revoke ends it.

${helpOf(LOGOUT_FLAGS)}

  crossrate logout
  crossrate logout --url https://rates.example.org`,
  words: { flags: LOGOUT_FLAGS },
  async run(context) {
    const { flag } = readWords(context.words, LOGOUT_FLAGS, 0);
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
