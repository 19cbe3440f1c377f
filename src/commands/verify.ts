/** `crossrate verify`: finds damaged files of the lake, and changes after a commit was signed. */

import { readFile } from "node:fs/promises";
import { clientOf } from "#cli/client.ts";
import { type CommandContext, EXIT, type Terminal, UsageFault } from "#cli/command.ts";
import { printedCount } from "#cli/show.ts";
import { loadInspection } from "#compose.ts";
import { type ChainState, type Head, readHead } from "#domain/chain/state.ts";
import { QUIET, settingsOf } from "./open-product.ts";
import { remoteHead, verifyRemote } from "./verify-remote.ts";

interface Options {
  /** Checks the data directory, the default. */
  readonly lake?: true;
  /** A file with an earlier head. */
  readonly against?: string;
  readonly url?: string;
}

export async function verify(context: CommandContext, options: Options, [verb]: readonly string[]) {
  const { url, against } = options;
  if (url !== undefined && options.lake)
    throw new UsageFault("--lake is about the data directory, and --url about a server");
  if (verb !== undefined && against !== undefined) throw new UsageFault("--against is for a verification");
  if (verb === "head") return await printHead(context, url);
  if (verb === "new-key") return await changeKey(context, url);
  const kept = against === undefined ? null : await keptHead(against);
  return url === undefined ? await verifyHere(context, kept) : await verifyThere(context, url, kept);
}

async function keptHead(path: string): Promise<Head> {
  const text = await readFile(path, "utf8").catch((fault: { code?: string }) => {
    throw new UsageFault(`${path} cannot be read (${fault.code})`);
  });
  const head = readHead(text);
  if (head === null) throw new UsageFault(`${path} has no head as crossrate verify head prints it`);
  return head;
}

async function verifyHere(context: CommandContext, kept: Head | null): Promise<number> {
  const { terminal } = context;
  const { config } = settingsOf(context, QUIET);
  // Before the tables: later commits are newer than the history that is read.
  const history = await (await loadInspection()).verifyLakeHistory(config, kept);
  const reports = await (await loadInspection()).verifyLake(config, (table, done, total) =>
    terminal.progress(`reading ${table}`, done, total),
  );
  if (reports.length === 0) terminal.print(`there is no lake in ${config.dataDir}`);
  for (const { table, version, files, rows, faults } of reports) {
    const facts =
      version === null
        ? "its log cannot be read"
        : `version ${version}, ${printedCount(files)} files, ${printedCount(rows)} rows`;
    terminal.print(`${table.padEnd(10)} ${facts}${faults.length === 0 ? ", intact" : ""}`);
    for (const fault of faults) terminal.print(`    ${fault}`);
  }
  const faults = reports.reduce((sum, report) => sum + report.faults.length, 0);
  printHistory(terminal, history);
  return ended(terminal, faults + history.faults.length, "crossrate repair says how to go on");
}

async function verifyThere(context: CommandContext, url: string, kept: Head | null): Promise<number> {
  const client = await clientOf(context, url);
  const report = await verifyRemote(client, context, kept);
  printHistory(context.terminal, report);
  return ended(context.terminal, report.faults.length, "its operator has to explain them");
}

interface History {
  readonly state: ChainState | null;
  readonly tables: readonly string[];
  readonly notes: readonly string[];
  readonly faults: readonly string[];
}

function printHistory(terminal: Terminal, { state, tables, notes, faults }: History): void {
  if (state === null && faults.length === 0) {
    terminal.print("history    nothing is signed yet; a server begins when it starts");
    return;
  }
  if (state !== null) {
    const { key } = state.keys.at(-1) as ChainState["keys"][number];
    const facts = `${printedCount(state.sequence + 1)} entries up to ${state.at}, key ${key}`;
    terminal.print(`history    ${facts}${faults.length === 0 ? ", as it was signed" : ""}`);
  }
  for (const line of [...tables, ...notes]) terminal.print(`    ${line}`);
  for (const fault of faults) terminal.print(`    wrong: ${fault}`);
}

function ended(terminal: Terminal, faults: number, advice: string): number {
  if (faults === 0) return EXIT.done;
  terminal.complain(`${printedCount(faults)} ${faults === 1 ? "fault" : "faults"}; ${advice}`);
  return EXIT.failed;
}

async function printHead(context: CommandContext, url: string | undefined): Promise<number> {
  const head =
    url === undefined
      ? await (await loadInspection()).headOfLake(settingsOf(context, QUIET).config)
      : await remoteHead(await clientOf(context, url));
  if (head === null) {
    context.terminal.complain("nothing is signed yet; a server begins when it starts");
    return EXIT.failed;
  }
  context.terminal.print(JSON.stringify(head));
  return EXIT.done;
}

async function changeKey(context: CommandContext, url: string | undefined): Promise<number> {
  if (url !== undefined) throw new UsageFault("new-key is for the data directory, not for a server");
  const { config, clock } = settingsOf(context, QUIET);
  const key = await (await loadInspection()).newSigningKey(config, clock.now());
  context.terminal.print(
    `the history is signed with the key ${key} from now on; signing.key is the only copy of it`,
  );
  return EXIT.done;
}
