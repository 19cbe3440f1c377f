/** `crossrate verify`: finds damaged files of the lake, and changes made after signing, in this machine's lake or a server's. */

import { readFile } from "node:fs/promises";
import { CHAIN_PATH, WELL_KNOWN_PATH } from "#api/lake/manifests.ts";
import { type Client, clientOf, type Query, Unreachable } from "#cli/client.ts";
import { type CommandContext, EXIT, type Terminal, UsageFault } from "#cli/command.ts";
import { printable, printedCount } from "#cli/show.ts";
import { loadInspection } from "#compose.ts";
import { type Entry, filesText, readEntry, sha256 } from "#domain/chain/entry.ts";
import { againstHead, type ChainState, type Head, newAudit, readHead } from "#domain/chain/state.ts";
import { QUIET, settingsOf } from "./open-product.ts";

type HistoryReport = Awaited<ReturnType<Awaited<ReturnType<typeof loadInspection>>["verifyLakeHistory"]>>;

interface Options {
  readonly against?: string;
  readonly url?: string;
}

export async function verify(context: CommandContext, options: Options, [verb]: readonly string[]) {
  const { url, against } = options;
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
  // Read before the tables: commits made meanwhile are newer than this history.
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

function printHistory(terminal: Terminal, { state, tables, notes, faults }: HistoryReport): void {
  if (state === null && faults.length === 0) {
    terminal.print("history    nothing is signed yet; a server begins when it starts");
    return;
  }
  if (state !== null) {
    const { key } = state.keys.at(-1) as ChainState["keys"][number];
    const facts = `${printedCount(state.sequence + 1)} entries up to ${state.at}, key ${key}`;
    terminal.print(`history    ${printable(facts)}${faults.length === 0 ? ", as it was signed" : ""}`);
  }
  // A server could otherwise conceal the lines that follow.
  for (const line of [...tables, ...notes]) terminal.print(`    ${printable(line)}`);
  for (const fault of faults) terminal.print(`    wrong: ${printable(fault)}`);
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

/** A commit is signed a moment after it is made, so a difference is checked again. */
const TRIES = 3;
const WAIT_MILLISECONDS = 1000;

/** Reads the newest entry of a server's signed history. Throws Refusal or Unreachable. */
export async function remoteHead(client: Client): Promise<Head> {
  const head = readHead(await textOf(client, WELL_KNOWN_PATH));
  if (head === null) throw new Unreachable(client.server.url, `${WELL_KNOWN_PATH} has no head`);
  return head;
}

/** Throws Refusal or Unreachable; faults of the history are in the report. */
export async function verifyRemote(
  client: Client,
  { terminal, clock, signal }: Pick<CommandContext, "terminal" | "clock" | "signal">,
  kept: Head | null,
): Promise<HistoryReport> {
  const promised = await remoteHead(client);
  const audit = newAudit(kept);
  /** Of each table the digests of its versions since the newest one of the first reading. */
  const digests = new Map<string, string[]>();
  let promisedEntry: Entry | null = null;
  let next = 0;
  const readOn = async (): Promise<void> => {
    for (let from: number | null = next; from !== null; ) {
      const page = await pageFrom(client, from);
      for (const entry of page.entries) {
        audit.take(entry);
        if (entry.sequence === promised.sequence) promisedEntry = entry;
        next = entry.sequence + 1;
        if (entry.kind !== "commit") continue;
        digests.set(entry.table, digests.get(entry.table) ?? []);
        digests.get(entry.table)?.push(entry.files);
      }
      terminal.note(`${next} entries`);
      from = page.next_from;
    }
  };
  await readOn();
  // A manifest must not show an older list of files.
  for (const [table, all] of digests) digests.set(table, all.slice(-1));
  let differing = await manifestsBeside(client, digests, readOn);
  for (let tries = 1; differing.length > 0 && tries < TRIES; tries++) {
    await clock.sleep(WAIT_MILLISECONDS, signal);
    differing = await manifestsBeside(client, digests, readOn);
  }
  terminal.note("");
  const { state, tables, notes, faults } = audit.end();
  const broken =
    state === null
      ? `it has entry ${promised.sequence}, and no history begins there`
      : againstHead(promised, state, promisedEntry);
  const lines = [...tables].flatMap(([name, versions]) => {
    const numbers = [...versions.keys()];
    if (numbers.length === 0) return [];
    return `${name.padEnd(10)} versions ${Math.min(...numbers)} to ${Math.max(...numbers)} are signed`;
  });
  const all = [...faults, ...differing];
  if (broken !== null) all.push(`${WELL_KNOWN_PATH} does not fit ${CHAIN_PATH}: ${broken}`);
  return { state, tables: lines, notes: [...notes], faults: [...new Set(all)] };
}

/** Returns one sentence for each table with a manifest that differs from its newest signed entries. */
async function manifestsBeside(
  client: Client,
  digests: ReadonlyMap<string, readonly string[]>,
  readOn: () => Promise<void>,
): Promise<readonly string[]> {
  const first = await manifestAt(client, "/v1/lake/manifest.json");
  const manifests = [{ manifest: first, tables: ["daily", "revisions", "held"] }];
  for (const [table, path] of Object.entries(first.manifests ?? {})) {
    manifests.push({ manifest: await manifestAt(client, `/v1/lake/${path}`), tables: [table] });
  }
  // Read again after the manifests: by then everything that they list is signed.
  await readOn();
  const faults: string[] = [];
  for (const { manifest, tables } of manifests)
    for (const table of tables) {
      const listed = manifest.files
        .filter(({ path }) => path.startsWith(`${table}/`))
        .map(({ path, sha256: digest }) => ({ path: path.slice(table.length + 1), sha256: digest }));
      const signed = digests.get(table);
      if (signed === undefined && listed.length === 0) continue;
      if (signed?.includes(sha256(filesText(listed))) !== true)
        faults.push(`the files of ${table} by its manifest are not those that its newest entry has signed`);
    }
  return faults;
}

interface Manifest {
  readonly files: readonly { readonly path: string; readonly sha256: string }[];
  readonly manifests?: Readonly<Record<string, string>>;
}

async function manifestAt(client: Client, path: string): Promise<Manifest> {
  return await jsonOf<Manifest>(client, path, ({ files }) =>
    files.every((file) => typeof file.path === "string" && typeof file.sha256 === "string"),
  );
}

interface Page {
  readonly entries: readonly Entry[];
  readonly next_from: number | null;
}

/** A server that sends pages without entries would keep the caller's loop running forever. */
async function pageFrom(client: Client, from: number): Promise<Page> {
  const areEntries = ({ entries }: Page) => entries.every((entry) => readEntry(entry) !== null);
  const page = await jsonOf(client, CHAIN_PATH, areEntries, { from: String(from) });
  if (page.next_from !== null && !(page.entries.length > 0 && page.next_from > from))
    throw new Unreachable(client.server.url, `${CHAIN_PATH} does not go on after entry ${from}`);
  return page;
}

/** Throws Unreachable for an answer that is no JSON, and for one that `isForm` refuses or cannot read. */
async function jsonOf<T>(client: Client, path: string, isForm: (value: T) => boolean, query: Query = {}) {
  const text = await textOf(client, path, query);
  try {
    const value = JSON.parse(text) as T;
    if (isForm(value)) return value;
  } catch {
    // The message below is for every answer of another form.
  }
  throw new Unreachable(client.server.url, `${path} is not of the form that this program reads`);
}

/** Does not use `ask`, which keeps numbers exact: signed entries are read with plain numbers. */
async function textOf(client: Client, path: string, query: Query = {}): Promise<string> {
  return (await client.read(path, { query })).text;
}
