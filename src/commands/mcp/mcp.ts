/** `crossrate mcp`: the tools for language models over standard input and output, on a server's data or on this machine's. */

import { EXIT } from "#cli/command.ts";
import { helpOf, readWords } from "#cli/words/flags.ts";
import { URL_FLAG } from "#cli/words/rate-words.ts";
import type { Command, CommandContext } from "#commands/command.ts";
import { openGuides } from "#guides/pages.ts";
import type { McpServerDeps } from "#mcp/server.ts";
import { serveOverPipes } from "#mcp/stdio.ts";
import { openLocal, remoteOf } from "./rest.ts";

const FLAGS = [
  { ...URL_FLAG, meaning: "the server (CROSSRATE_URL, else the one of the last login, else no server)" },
  { name: "--local", meaning: "no server: the lake in DATA_DIR, even if the environment names a server" },
] as const;

export const mcpCommand: Command = {
  name: "mcp",
  group: "Ask a server",
  summary: "give the rates to a language model, by the Model Context Protocol over standard input and output",
  usage: "[options]",
  help: `${helpOf(FLAGS)}

A client such as an editor or a chat program starts this command and speaks with it; nothing is typed here. With a server,
a call of a tool is a call of its REST interface, with the key of CROSSRATE_API_KEY or of the last login, its plan and its limits.
Without one, the lake in DATA_DIR is read, beside a running server or without any, and without limits; live rates
are those that the lake had when the command started. docs/mcp.md lists the tools and the set-up of common clients. A server
answers the same protocol over HTTP at /v1/mcp/.

  crossrate mcp --url https://rates.example.org
  DATA_DIR=/var/lib/crossrate crossrate mcp --local`,
  words: { flags: FLAGS },
  async run(context) {
    const { flag, has } = readWords(context.words, FLAGS, 0);
    const remote = has("--local") ? null : await remoteOf(context, flag("--url"));
    if (remote !== null) {
      await serve(context, remote);
      return EXIT.done;
    }
    const { close, ...local } = await openLocal(context);
    try {
      await serve(context, local);
    } finally {
      await close();
    }
    return EXIT.done;
  },
};

async function serve(
  { terminal, version, signal }: CommandContext,
  reached: Pick<McpServerDeps, "call" | "officialTables">,
): Promise<void> {
  const unexpected = (fault: unknown) =>
    terminal.complain(`crossrate mcp: ${fault instanceof Error ? fault.message : fault}`);
  const pipes = { input: process.stdin, output: process.stdout };
  await serveOverPipes({ ...reached, version, unexpected, guides: openGuides() }, pipes, signal);
}
