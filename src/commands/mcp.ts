/** `crossrate mcp`: the tools for language models over standard input and output, on a server's data or on this machine's. */

import { clientOf, PACKAGED_LACKS, send, Unreachable } from "#cli/client.ts";
import type { CommandContext } from "#cli/command.ts";
import { thisMachine } from "#cli/server.ts";
import { openGuides } from "#guides/pages.ts";
import { serveOverPipes } from "#mcp/transports.ts";
import type { RestAnswer, RestCall } from "#ports.ts";
import { answering, type Opened, openNaming, openPackaged, QUIET, settingsOf } from "./open-product.ts";

interface Options {
  readonly url?: string;
  readonly local?: true;
}

export async function mcp(context: CommandContext, { url, local }: Options) {
  const { terminal, version, signal } = context;
  const named = local ? null : (await clientOf(context, url)).server;
  const isRemote = named !== null && named.chosenBy !== "default";
  // The list of tables stays empty: requesting it would cost a call at every start.
  const remote = { officialTables: [], close: async () => {} };
  const { server, close, ...facts } = isRemote ? { server: named, ...remote } : await openLocal(context);
  const call: RestCall = async ({ path, ...request }, asked) => {
    try {
      const response = await send(server, path, request, { version, signal: asked });
      // The packaged history collects nothing: a model that is told to wait would ask for ever.
      if ("isPackaged" in facts && response.status === 503)
        return unavailable(`no server answers, DATA_DIR has no lake, and ${PACKAGED_LACKS}`);
      return { status: response.status, headers: response.headers, text: await response.text() };
    } catch (fault) {
      if (fault instanceof Unreachable) return unavailable(`${fault.url} does not answer: ${fault.message}`);
      throw fault;
    }
  };
  const unexpected = (fault: unknown) =>
    terminal.complain(`crossrate mcp: ${fault instanceof Error ? fault.message : fault}`);
  const pipes = { input: process.stdin, output: process.stdout };
  try {
    await serveOverPipes({ ...facts, call, version, unexpected, guides: openGuides() }, pipes, signal);
  } finally {
    await close();
  }
}

/** Answers as a server would: a model reads the reason, and can pass it on. */
function unavailable(message: string): RestAnswer {
  const envelope = { result: "error", code: "service_unavailable", message };
  return { status: 503, headers: new Headers(), text: JSON.stringify(envelope) };
}

/** Opens the lake of DATA_DIR to read it, else the packaged history. Rejects with ConfigFault, or when the lake cannot be used. */
async function openLocal(context: CommandContext) {
  const packaged = await openPackaged(context);
  if (packaged !== null) return { ...reachedIn(packaged.crossrate), isPackaged: true, close: packaged.close };
  const { config: read, clock, emit } = settingsOf(context, QUIET);
  // Role `api` follows the commits of a running server. An empty `allowedHosts` admits any Host: callers in this process have none of their own.
  const config = { ...read, role: "api", allowedHosts: [] } as const;
  const { version } = context;
  const open = (simulated: boolean) => openNaming({ config, clock, emit, version, simulated, answers: true });
  const crossrate = await open(false).catch((fault: unknown) => {
    // The demo's lake: every answer says that it is simulated.
    if (fault instanceof Error && fault.name === "WrongMode") return open(true);
    throw fault;
  });
  crossrate.setPeerAddress(() => "127.0.0.1");
  const stop = crossrate.startWatch();
  const close = async () => {
    stop();
    await crossrate.close();
  };
  return { ...reachedIn(crossrate), close };
}

function reachedIn(crossrate: Opened) {
  return { officialTables: crossrate.officialTables, server: thisMachine(answering(crossrate)) };
}
