/** `crossrate mcp`: the tools for language models over standard input and output, on a server's data or on this machine's. */

import { send, Unreachable } from "#cli/client.ts";
import { type CommandContext, EXIT } from "#cli/command.ts";
import { serverOf } from "#cli/server.ts";
import { openCrossrate } from "#compose.ts";
import { openGuides } from "#guides/pages.ts";
import type { McpServerDeps } from "#mcp/server.ts";
import { serveOverPipes } from "#mcp/stdio.ts";
import type { RestAnswer } from "#ports.ts";
import { inSettings, type Opened, openPackaged, QUIET, settingsOf } from "./open-product.ts";

interface Options {
  readonly url?: string;
  readonly local?: true;
}

export async function mcp(context: CommandContext, { url, local }: Options): Promise<number> {
  const remote = local ? null : await remoteOf(context, url);
  const { close, ...reached } = remote ?? (await openLocal(context));
  const { terminal, version, signal } = context;
  const unexpected = (fault: unknown) =>
    terminal.complain(`crossrate mcp: ${fault instanceof Error ? fault.message : fault}`);
  const pipes = { input: process.stdin, output: process.stdout };
  try {
    const deps = { now: Date.now, ...reached, version, unexpected, guides: openGuides() };
    await serveOverPipes(deps, pipes, signal);
  } finally {
    await close();
  }
  return EXIT.done;
}

interface Reached
  extends Pick<McpServerDeps, "call" | "officialTables">,
    Partial<Pick<McpServerDeps, "now">> {
  close(): Promise<void>;
}

/** Null when the command line, the environment and the logins name no server. */
async function remoteOf(
  { environment, version }: Pick<CommandContext, "environment" | "version">,
  urlFlag: string | undefined,
): Promise<Reached | null> {
  const server = await serverOf(environment, urlFlag);
  if (server.chosenBy === "default") return null;
  return {
    // Not requested: that would be a call before the first one.
    officialTables: [],
    close: async () => {},
    call: async ({ method, path, body }, signal) => {
      try {
        const response = await send(
          server,
          path,
          { method, body: body && { json: body } },
          { version, signal },
        );
        return { status: response.status, headers: response.headers, text: await response.text() };
      } catch (fault) {
        if (fault instanceof Unreachable) return unreachable(fault);
        throw fault;
      }
    },
  };
}

/** Answers as a server would: a model reads the reason, and can pass it on. */
function unreachable({ url, message }: Unreachable): RestAnswer {
  const envelope = {
    result: "error",
    code: "service_unavailable",
    message: `${url} does not answer: ${message}`,
  };
  return { status: 503, headers: new Headers(), text: JSON.stringify(envelope) };
}

/** The address of requests that are never sent. */
const ADDRESS = "127.0.0.1";
const HOST = "localhost";

/** Opens the lake of DATA_DIR, or else the packaged history. Rejects with ConfigFault, or when the lake cannot be used. The lake is only read. */
async function openLocal(context: CommandContext): Promise<Reached> {
  const packaged = await openPackaged(context);
  if (packaged !== null) return reachedIn(packaged.crossrate, packaged.close);
  const { config: read, clock, emit } = settingsOf(context, QUIET);
  // It follows a server's commits, and gets no Host header.
  const config = { ...read, role: "api", allowedHosts: [] } as const;
  const { version } = context;
  const open = (simulated: boolean) =>
    openCrossrate({ config, clock, emit, version, simulated, answers: true });
  const crossrate = await open(false)
    .catch((fault: unknown) => {
      // The demo's lake: every answer says that it is simulated.
      if (fault instanceof Error && fault.name === "WrongMode") return open(true);
      throw fault;
    })
    .catch((fault: unknown) => {
      throw inSettings(fault, config);
    });
  crossrate.setPeerAddress(() => ADDRESS);
  const stop = crossrate.startWatch();
  const close = async () => {
    stop();
    await crossrate.close();
  };
  return { ...reachedIn(crossrate, close), now: clock.now };
}

function reachedIn(crossrate: Opened, close: () => Promise<void>): Reached {
  return {
    officialTables: crossrate.officialTables,
    call: async ({ method, path, body }, signal) => {
      const headers = { host: HOST, accept: "application/json", "content-type": "application/json" };
      const init = { method, headers, signal, ...(body === undefined ? {} : { body }) };
      const response = await crossrate.app.answer(new Request(`http://${HOST}${path}`, init));
      return { status: response.status, headers: response.headers, text: await response.text() };
    },
    close,
  };
}
