/** `crossrate keys`: shows, rotates and revokes the account's own API key. */

import type { AccountResponse, ApiKeyCreatedResponse, KeysRevokedResponse } from "#api/account/account.ts";
import type { Read } from "#api/body.ts";
import { type Client, clientOf } from "#cli/ask/client.ts";
import { keepLogin } from "#cli/ask/store.ts";
import { type Command, type CommandContext, EXIT, UsageFault } from "#cli/command.ts";
import { shownInstant } from "#cli/show/times.ts";
import { helpOf, readWords } from "#cli/words/flags.ts";
import { JSON_FLAG, URL_FLAG } from "#cli/words/rate-words.ts";

const FLAGS = [
  { name: "--show", meaning: "of list: the whole key, not its first characters" },
  { name: "--yes", meaning: "of revoke: without asking" },
  JSON_FLAG,
  URL_FLAG,
] as const;

const SUBCOMMANDS = {
  list: "the account's key, since when it is there, and when it was used last",
  rotate: "issue a new key and store it; the old one works for 24 hours more",
  revoke: "end every key of the account at once",
} as const;

export const keysCommand: Command = {
  name: "keys",
  group: "Your account",
  summary: "show, replace or end your API key",
  usage: "[list|rotate|revoke] [options]",
  help: `  list      ${SUBCOMMANDS.list} (without a word)
  rotate    ${SUBCOMMANDS.rotate}
  revoke    ${SUBCOMMANDS.revoke}

These need a session: crossrate login. An operator's commands on the keys of all organizations are crossrate admin keys.

${helpOf(FLAGS)}

  crossrate keys
  export CROSSRATE_API_KEY=$(crossrate keys list --show)
  crossrate keys rotate`,
  words: { subcommands: SUBCOMMANDS, flags: FLAGS },
  async run(context) {
    const { operands, flag, has } = readWords(context.words, FLAGS, 1);
    const [verb = "list"] = operands;
    const client = await clientOf(context, flag("--url"));
    const options = { json: has("--json"), show: has("--show"), yes: has("--yes") };
    if (verb === "list") return await list(context, client, options);
    if (verb === "rotate") return await rotate(context, client, options);
    if (verb === "revoke") return await revoke(context, client, options);
    throw new UsageFault(`${verb}: say list, rotate or revoke`);
  },
};

interface Options {
  readonly json: boolean;
  readonly show: boolean;
  readonly yes: boolean;
}

async function list({ terminal }: CommandContext, client: Client, { json, show }: Options) {
  const { text, content } = await client.ask<Read<typeof AccountResponse>>("/v1/account", { as: "session" });
  const { key } = content;
  if (json) await terminal.write(`${text}\n`);
  else if (key === null) terminal.print("there is no key; crossrate keys rotate issues one");
  else if (show) {
    if (key.plaintext === null)
      throw new Error("this server cannot show the key; crossrate keys rotate issues one that it can");
    terminal.print(key.plaintext);
  } else {
    const used = key.last_used_at === null ? "never" : `${shownInstant(key.last_used_at)} UTC`;
    terminal.print(`${key.prefix}…  issued ${shownInstant(key.created_at)} UTC, last used ${used}`);
  }
  return EXIT.done;
}

async function rotate({ terminal, environment }: CommandContext, client: Client, { json }: Options) {
  const { text, content } = await client.ask<Read<typeof ApiKeyCreatedResponse>>("/v1/keys/rotate", {
    method: "POST",
    as: "session",
  });
  const { login, url } = client.server;
  if (login !== null) await keepLogin(environment, url, { ...login, key: content.plaintext });
  if (json) await terminal.write(`${text}\n`);
  else {
    terminal.print(content.plaintext ?? `${content.key.prefix}…`);
    terminal.complain("stored in place of the old key, which works for 24 hours more");
  }
  return EXIT.done;
}

async function revoke(
  { terminal, environment, input }: CommandContext,
  client: Client,
  { json, yes }: Options,
) {
  const { login, url } = client.server;
  if (!yes) {
    if (!input.isTerminal) throw new UsageFault("this revokes every key at once; confirm with --yes");
    const answer = await input.ask(`Every key of this account at ${url} ends at once. Type yes: `);
    if (answer?.trim() !== "yes") {
      terminal.complain("nothing was revoked");
      return EXIT.failed;
    }
  }
  const { text, content } = await client.ask<Read<typeof KeysRevokedResponse>>("/v1/keys", {
    method: "DELETE",
    as: "session",
  });
  if (login !== null) await keepLogin(environment, url, { ...login, key: null });
  if (json) await terminal.write(`${text}\n`);
  else
    terminal.print(
      content.revoked ? "no key works any more; crossrate keys rotate issues a new one" : "there was no key",
    );
  return EXIT.done;
}
