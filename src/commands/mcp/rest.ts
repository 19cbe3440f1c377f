/** The REST interface that the tools call: a server over the network, or the lake in DATA_DIR inside this process. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { send } from "#cli/ask/client.ts";
import { Unreachable } from "#cli/ask/faults.ts";
import { serverOf } from "#cli/ask/server.ts";
import { UsageFault } from "#cli/command.ts";
import type { CommandContext } from "#commands/command.ts";
import { inSettings } from "#commands/start-fault.ts";
import { readConfig } from "#config.ts";
import type { McpServerDeps } from "#mcp/server.ts";
import type { RestAnswer } from "#ports/rest.ts";
import { openCrossrate, startClock } from "#wiring.ts";

/** null where neither the words, nor the environment, nor a login names a server. */
export async function remoteOf(
  { environment, version }: Pick<CommandContext, "environment" | "version">,
  urlFlag: string | undefined,
): Promise<Pick<McpServerDeps, "call" | "officialTables"> | null> {
  const server = await serverOf(environment, urlFlag);
  if (server.chosenBy === "default") return null;
  return {
    // Not asked for: that would be a call before the first one.
    officialTables: [],
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

/** As a server would say it: a model reads the reason, and can pass it on. */
function unreachable({ url, message }: Unreachable): RestAnswer {
  const envelope = {
    result: "error",
    code: "service_unavailable",
    message: `${url} does not answer: ${message}`,
  };
  return { status: 503, headers: new Headers(), text: JSON.stringify(envelope) };
}

const DEFAULTS = { LOG_LEVEL: "warn" } as const;
/** Of requests that no one sends. */
const ADDRESS = "127.0.0.1";
const HOST = "localhost";

export interface Local extends Pick<McpServerDeps, "call" | "officialTables"> {
  close(): Promise<void>;
}

/** Rejects with UsageFault where there is no lake, with ConfigFault, or when the lake cannot be used. Nothing of the lake is written. */
export async function openLocal({ environment, version, terminal }: CommandContext): Promise<Local> {
  const read = readConfig(environment, DEFAULTS);
  if (!existsSync(join(read.dataDir, "lake")))
    throw new UsageFault(
      `there is no lake in ${read.dataDir}: name a server with --url, set DATA_DIR, or collect one with crossrate backfill`,
    );
  // It follows what a server writes beside it, and no Host header is sent to it.
  const config = { ...read, role: "api", allowedHosts: [] } as const;
  const clock = startClock(config.startAt);
  const emit = terminal.emit(config.logLevel, clock.now);
  const open = (simulated: boolean) =>
    openCrossrate({ config, clock, emit, version, simulated, answers: true });
  const crossrate = await open(false)
    .catch((fault: unknown) => {
      // The demo's: every answer says that it is simulated.
      if (fault instanceof Error && fault.name === "WrongMode") return open(true);
      throw fault;
    })
    .catch((fault: unknown) => {
      throw inSettings(fault, config);
    });
  crossrate.tellCallersBy(() => ADDRESS);
  const stop = crossrate.startWatch();
  return {
    officialTables: crossrate.officialTables,
    call: async ({ method, path, body }, signal) => {
      const headers = { host: HOST, accept: "application/json", "content-type": "application/json" };
      const init = { method, headers, signal, ...(body === undefined ? {} : { body }) };
      const response = await crossrate.app.answer(new Request(`http://${HOST}${path}`, init));
      return { status: response.status, headers: response.headers, text: await response.text() };
    },
    close: async () => {
      stop();
      await crossrate.close();
    },
  };
}
