/** `crossrate verify`: reads the files of the lake for damage, and its signed history for anything that was changed after it was signed. */

import { readFile } from "node:fs/promises";
import { clientOf } from "#cli/ask/client.ts";
import { EXIT, UsageFault } from "#cli/command.ts";
import { printedCount } from "#cli/show/amounts.ts";
import { remoteHead, verifyRemote } from "#cli/verify/remote.ts";
import { helpOf, readWords } from "#cli/words/flags.ts";
import { URL_FLAG } from "#cli/words/rate-words.ts";
import type { Command, CommandContext, Terminal } from "#commands/command.ts";
import { readConfig } from "#config.ts";
import { readHead } from "#domain/chain/audit.ts";
import type { ChainState, Head } from "#domain/chain/state.ts";
import { loadHistory, loadMaintenance, startClock } from "#wiring.ts";

const SUBCOMMANDS = {
  head: "print the newest entry of the signed history, to be kept elsewhere",
  "new-key": "sign the history with a new key from now on",
} as const;

const FLAGS = [
  { name: "--lake", meaning: "the lake, as without it" },
  {
    name: "--against",
    shown: "FILE",
    allowed: "a file with a head that was kept",
    meaning: "find any rewriting since that head, by whomever",
  },
  { ...URL_FLAG, meaning: "a server's signed history, instead of the data directory" },
] as const;

export const verifyCommand: Command = {
  name: "verify",
  group: "Look after data",
  summary: "read every file of the lake and say what is damaged or was changed",
  usage: "[head|new-key] [options]",
  help: `Each data file has its size and SHA-256 in the log of its table, and each entry of a log has its own. All of them are
read and compared. Then the signed history: its hashes and signatures, and whether every commit and every list of files is what
was signed. With LAKE_URL the bucket is read, not the copy of this machine. Nothing is changed, and a running server need not be stopped.

Exit code 1 when something is damaged or was changed: one line each says what. crossrate repair says how to go on.

  head      ${SUBCOMMANDS.head}
  new-key   ${SUBCOMMANDS["new-key"]}; the old one signs the change

${helpOf(FLAGS)}

  crossrate verify
  crossrate verify head > head.json
  crossrate verify --against head.json
  crossrate verify --url https://rates.example.org --against head.json`,
  words: { subcommands: SUBCOMMANDS, flags: FLAGS },
  async run(context) {
    const { operands, flag, has } = readWords(context.words, FLAGS, 1);
    const [verb] = operands;
    const [url, against] = [flag("--url"), flag("--against")];
    if (url !== undefined && has("--lake"))
      throw new UsageFault("--lake is about the data directory, and --url about a server");
    if (verb !== undefined && against !== undefined) throw new UsageFault("--against is for a verification");
    if (verb === "head") return await printHead(context, url);
    if (verb === "new-key") return await changeKey(context, url);
    if (verb !== undefined) throw new UsageFault(`there is no ${verb}: say head or new-key, or nothing`);
    const kept = against === undefined ? null : await keptHead(against);
    return url === undefined ? await verifyHere(context, kept) : await verifyThere(context, url, kept);
  },
};

const configOf = ({ environment }: CommandContext) => readConfig(environment, { LOG_LEVEL: "warn" });

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
  const config = configOf(context);
  // Before the tables: what is committed meanwhile is newer than the history that is read.
  const history = await (await loadHistory()).verifyLakeHistory(config, kept);
  const reports = await (await loadMaintenance()).verifyLake(config, (table, done, total) =>
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
      ? await (await loadHistory()).headOfLake(configOf(context))
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
  const config = configOf(context);
  const key = await (await loadHistory()).newSigningKey(config, startClock(config.startAt).now());
  context.terminal.print(
    `the history is signed with the key ${key} from now on; signing.key is the only copy of it`,
  );
  return EXIT.done;
}
