/** The single binary where there is nothing else: every command, the demo with its pages, and what is done with its data. */

import { Database } from "bun:sqlite";
import { mkdirSync, openSync, readdirSync, statSync, writeSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { PRODUCT } from "#packaging/product.ts";
import { answersAll, EXPORTS } from "./answers.ts";
import { binaryPath } from "./made.ts";
import { ended, type Machine, type Step, startedDemo, startFigures, succeeded } from "./step.ts";

/** A folder with the binary and a home, and no PATH: nothing that is installed here can help. */
function machineIn(folder: string): Machine & { readonly program: string } {
  const [cwd, home] = [join(folder, "binary"), join(folder, "binary-home")];
  for (const path of [cwd, home]) mkdirSync(path, { recursive: true });
  return { cwd, env: { HOME: home }, program: join(folder, "crossrate") };
}

/** As the overview lists them. */
async function commandsOf(machine: Machine, program: string): Promise<readonly string[]> {
  const overview = succeeded(await ended([program, "--help"], machine), "--help");
  return Array.from(overview.matchAll(/^ {2}([a-z]+) {2,}\S/gm), ([, name]) => name ?? "");
}

export const BINARY_STEPS: readonly Step[] = [
  {
    what: "binary: every command has its help, from an empty folder",
    run: async (folder) => {
      const { program, ...machine } = machineIn(folder);
      await copyFile(binaryPath(), program);
      const version = succeeded(await ended([program, "--version"], machine), "--version").trim();
      if (version !== PRODUCT.version) throw new Error(`it is version ${version}`);
      const commands = await commandsOf(machine, program);
      for (const name of commands) {
        const help = succeeded(await ended([program, name, "--help"], machine), `${name} --help`);
        if (!help.startsWith(`usage: crossrate ${name}`)) throw new Error(`${name} --help prints:\n${help}`);
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
      const verified = succeeded(await ended([program, "verify"], machine), "verify");
      if (!/^daily .* intact$/m.test(verified)) throw new Error(verified);
      const window = ["--demo", "--symbols", "EUR", "--start", "2024-01-01", "--end", "2024-01-31"];
      for (const format of EXPORTS) {
        const name = `out.${format}`;
        succeeded(await ended([program, "export", ...window, "--out", name], machine), `export to ${name}`);
        if (statSync(join(machine.cwd, name)).size < 500) throw new Error(`${name} is too small`);
      }
      const client = new Client({ name: "check", version: "1" });
      const { cwd, env } = machine;
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
  {
    what: "binary: the thread that checks a large ledger runs, and finds damage",
    run: async (folder) => {
      const { program, ...machine } = machineIn(folder);
      damageLedger(join(machine.cwd, "data/demo/ledger.sqlite"));
      const demo = await startedDemo([program], machine);
      try {
        const found = () => demo.printed().includes('"event":"ledger_damaged"');
        for (const end = performance.now() + 20_000; !found() && performance.now() < end; )
          await Bun.sleep(50);
        if (!found()) throw new Error(`no damage was reported:\n${demo.printed()}`);
      } finally {
        await demo.end();
      }
      return `second start: ${startFigures(demo)}`;
    },
  },
];

/** Makes the file large and one of its pages unreadable, on a table that nothing uses. */
function damageLedger(path: string): void {
  const database = new Database(path);
  database.run("PRAGMA journal_mode = DELETE");
  const { page_size: pageBytes } = database.query("PRAGMA page_size").get() as { page_size: number };
  database.run("CREATE TABLE filler (content TEXT)");
  database.run(
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO filler SELECT hex(randomblob(300)) FROM n",
  );
  database.close();
  const { size } = statSync(path);
  const file = openSync(path, "r+");
  writeSync(file, new Uint8Array(pageBytes), 0, pageBytes, size - pageBytes * 10);
}
