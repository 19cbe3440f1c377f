/** The single binary where there is nothing else: every command, the demo with its pages, and what is done with its data. */

import { mkdirSync, readdirSync, statSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { PRODUCT } from "#packaging/product.ts";
import { answersAll, EXPORTS } from "./answers.ts";
import { binaryPath } from "./made.ts";
import { type Machine, run, type Step, startedDemo, startFigures } from "./step.ts";

/** A folder with the binary and a home, and no PATH: nothing that is installed here can help. */
function machineIn(folder: string): Machine & { readonly program: string } {
  const [cwd, home] = [join(folder, "binary"), join(folder, "binary-home")];
  for (const path of [cwd, home]) mkdirSync(path, { recursive: true });
  return { cwd, env: { HOME: home }, program: join(folder, "crossrate") };
}

async function commandsOf(machine: Machine, program: string): Promise<readonly string[]> {
  const overview = await run([program, "--help"], machine);
  return Array.from(overview.matchAll(/^ {2}([a-z]+) {2,}\S/gm), ([, name]) => name ?? "");
}

export const BINARY_STEPS: readonly Step[] = [
  {
    what: "binary: every command has its help, from an empty folder",
    run: async (folder) => {
      const { program, ...machine } = machineIn(folder);
      await copyFile(binaryPath(), program);
      const version = (await run([program, "--version"], machine)).trim();
      if (version !== PRODUCT.version) throw new Error(`it is version ${version}`);
      const commands = await commandsOf(machine, program);
      for (const name of commands) {
        const help = await run([program, name, "--help"], machine);
        if (!help.startsWith(`Usage: crossrate ${name}`)) throw new Error(`${name} --help prints:\n${help}`);
      }
      if (commands.length < 20) throw new Error(`the overview lists ${commands.length} commands`);
      if (readdirSync(machine.cwd).length > 0) throw new Error("something was left in the folder");
      return `${commands.length} commands`;
    },
  },
  {
    what: "binary: the demo starts, and has its pages, its documents and its files",
    run: async (folder) => {
      const { program, ...machine } = machineIn(folder);
      const demo = await startedDemo([program], machine);
      try {
        await answersAll(demo);
      } finally {
        await demo.end();
      }
      return startFigures(demo);
    },
  },
  {
    what: "binary: commands on the demo's data, and tools for a model over standard input and output",
    run: async (folder) => {
      const { program, ...empty } = machineIn(folder);
      const machine = { ...empty, env: { ...empty.env, DATA_DIR: "data/demo", LOG_LEVEL: "warn" } };
      const verified = await run([program, "verify"], machine);
      if (!/^daily .* intact$/m.test(verified)) throw new Error(verified);
      const window = ["--demo", "USD", "EUR", "2024-01-01", "2024-01-31"];
      for (const format of EXPORTS) {
        const name = `out.${format}`;
        await run([program, "export", ...window, "--out", name], machine);
        if (statSync(join(machine.cwd, name)).size < 500) throw new Error(`${name} is too small`);
      }
      const client = new Client({ name: "check", version: "1" });
      const { cwd } = machine;
      // The demo's own clock: on today's there is no rate of the last 14 days.
      const env = { ...machine.env, NOW: "2026-10-30T16:00:00Z" };
      const how = { command: program, args: ["mcp"], cwd, env, stderr: "ignore" as const };
      await client.connect(new StdioClientTransport(how));
      const { tools } = await client.listTools();
      const asked = { name: "get_latest", arguments: { symbols: ["EUR"] } };
      const { isError, content } = await client.callTool(asked);
      await client.close();
      if (isError === true) throw new Error(JSON.stringify(content));
      return `${tools.length} tools`;
    },
  },
];
