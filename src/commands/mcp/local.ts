/** The REST interface inside this process, on the lake in DATA_DIR, which a server may be writing meanwhile. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { UsageFault } from "#cli/command.ts";
import type { CommandContext } from "#commands/command.ts";
import { inSettings } from "#commands/start-fault.ts";
import { readConfig } from "#config.ts";
import type { McpServerDeps } from "#mcp/server.ts";
import { openCrossrate, startClock } from "#wiring.ts";

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
  const stop = crossrate.startJobs();
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
