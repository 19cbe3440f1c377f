/**
 * `bun run bench:hostile`: hostile readers and writers against a server of its own on every route and static asset, or with
 * --base-url and --pid against a running one. Prints a table and the verdict, writes bench/hostile/results.md after a whole
 * run, and exits with 1 where a bound is missed. Loopback only, Linux only, some ten minutes; it ends by itself.
 *
 *   --routes a,b        only routes with one of these in their names       --kinds a,b   only these clients
 *   --connections 1000  clients at once                                   --seconds 4   of each phase
 *   --addresses 1000    that they come from                               --access open,metered
 *   --data DIR          a directory that an earlier run has filled        --quiet 60    seconds without requests at the end
 *   --base-url URL --pid PID [--key KEY]   a running server
 */

import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { attack } from "./attack.ts";
import { fillData } from "./data.ts";
import { type Quiet, type Row, tableOf, verdictOf } from "./report.ts";
import { type Access, type Attacked, startAttacked } from "./server.ts";

const { values: given } = parseArgs({
  options: {
    routes: { type: "string" },
    kinds: { type: "string" },
    connections: { type: "string", default: "1000" },
    addresses: { type: "string", default: "1000" },
    seconds: { type: "string", default: "4" },
    quiet: { type: "string", default: "60" },
    access: { type: "string", default: "open,metered" },
    data: { type: "string" },
    "base-url": { type: "string" },
    pid: { type: "string" },
    key: { type: "string" },
  },
});

const choices = {
  routes: given.routes?.split(",") ?? null,
  kinds: given.kinds?.split(",") ?? null,
  connections: Number(given.connections),
  addresses: Number(given.addresses),
  seconds: Number(given.seconds),
  quiet: Number(given.quiet),
};
const rows: Row[] = [];
const quiets: Quiet[] = [];

if (given["base-url"] === undefined) await attackOwn();
else
  note(
    await attack(
      "running",
      async (before) => (before === null ? running(given["base-url"] ?? "") : null),
      choices,
    ),
  );

const { lines, holds } = verdictOf(rows, quiets);
const title = `Bun ${Bun.version}; ${choices.connections} connections from ${choices.addresses} addresses, ${choices.seconds} s a phase.`;
const text = ["# Hostile clients", "", title, "", ...tableOf(rows), "", ...lines, ""].join("\n");
console.log(`\n${text}`);
const isWhole =
  choices.routes === null &&
  choices.kinds === null &&
  choices.connections >= 1000 &&
  rows.length > 0 &&
  quiets.length === 2;
if (isWhole) await Bun.write(join(import.meta.dir, "results.md"), text);
process.exit(holds ? 0 : 1);

function note({ rows: more, quiet }: Awaited<ReturnType<typeof attack>>): void {
  rows.push(...more);
  quiets.push(quiet);
}

function running(url: string): Attacked {
  const pid = Number(given.pid);
  if (!Number.isInteger(pid)) throw new Error("--base-url needs --pid, the process whose memory is watched");
  return { url, pid, key: given.key ?? null, stop: async () => {} };
}

async function attackOwn(): Promise<void> {
  const made = given.data === undefined ? await mkdtemp(join(tmpdir(), "crossrate-hostile-")) : null;
  const directory = given.data ?? made ?? "";
  try {
    if (!existsSync(join(directory, "lake"))) {
      console.log("filling a data directory");
      await fillData(directory);
    }
    for (const access of given.access.split(",") as Access[]) {
      const start = async (before: Attacked | null) => {
        await before?.stop();
        return await startAttacked(directory, access);
      };
      note(await attack(access, start, choices));
    }
  } finally {
    if (made !== null) await rm(made, { recursive: true, force: true });
  }
}
