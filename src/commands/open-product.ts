/** Opens the product for commands: on the configured lake, or on the packaged history alone; faults name the setting to change. */

import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { CommandContext, Packaged, Terminal } from "#cli/command.ts";
import {
  type CrossrateOptions,
  openAccountTools,
  openCrossrate,
  serverFaults,
  startClock,
} from "#compose.ts";
import { type Config, misspeltSettings, readConfig } from "#config.ts";
import { LedgerUnavailable } from "#domain/account/ledger.ts";
import { type Coded, DiskFull, diskFullIn } from "#domain/faults/errors.ts";
import { parseAddress } from "#domain/net/address.ts";
import type { Clock } from "#ports.ts";
import { type Emit, logLines } from "#telemetry.ts";

/** The demo's data directory, unless DATA_DIR is set. */
export const DEMO_DIRECTORY = "data/demo";

export interface LedgerOptions {
  readonly newLedger?: boolean;
}

/** Reads the settings of a command; with `serves` all that a server needs is checked. Throws ConfigFault. */
export function settingsOf(
  { environment, terminal }: Pick<CommandContext, "environment" | "terminal">,
  defaults: Readonly<Record<string, string>> = {},
  { newLedger = false, serves = false }: LedgerOptions & { readonly serves?: boolean } = {},
): { readonly config: Config; readonly clock: Clock; readonly emit: Emit } {
  if (serves) for (const line of misspeltSettings(environment)) terminal.complain(line);
  const read = readConfig(environment, defaults, serves ? serverFaults : undefined);
  const config = newLedger ? { ...read, accounts: { ...read.accounts, newLedger } } : read;
  const clock = startClock(config.startAt);
  return { config, clock, emit: eventLog(terminal, config.logLevel, clock.now) };
}

export function eventLog(terminal: Terminal, level: Config["logLevel"], now: () => number): Emit {
  return level === "silent" ? () => {} : logLines({ level, now, write: terminal.complain });
}

/** A command prints its own result: only warnings are logged in between, unless LOG_LEVEL says otherwise. */
export const QUIET = { LOG_LEVEL: "warn" } as const;

export type Opened = Awaited<ReturnType<typeof openCrossrate>>;

/** Opens the product. Rejects with the setting that is to be changed, if one is. */
export const openNaming = (options: CrossrateOptions): Promise<Opened> =>
  openCrossrate(options).catch((fault: unknown) => {
    throw inSettings(fault, options.config);
  });

/** Runs work with the product on the lake, and closes it in any case. Rejects with ConfigFault, or when the lake cannot be used. */
export async function withProduct<T>(
  context: CommandContext,
  work: (crossrate: Opened) => Promise<T>,
  { simulated = false, ...ledger }: LedgerOptions & { readonly simulated?: boolean } = {},
): Promise<T> {
  const settings = settingsOf(context, simulated ? { ...QUIET, DATA_DIR: DEMO_DIRECTORY } : QUIET, ledger);
  // Requests in this process name no host of the server.
  const config = { ...settings.config, allowedHosts: [] };
  const crossrate = await openNaming({ ...settings, config, version: context.version, simulated });
  try {
    return await work(crossrate);
  } finally {
    await crossrate.close();
  }
}

/** Opens the accounts of the configured ledger. Rejects with ConfigFault, or when the ledger cannot be used. */
export async function openAccounts(context: CommandContext, options: LedgerOptions) {
  const { config, clock, emit } = settingsOf(context, QUIET, options);
  return await openAccountTools(config, clock, emit).catch((fault: unknown) => {
    throw inSettings(fault, config);
  });
}

/** Settings of a product that collects nothing and asks for no key. */
const ALONE = { ACCESS: "open", LIVE_FEED: "off", OFFICIAL_TABLES: "off" };

/** Opens the packaged history in a temporary directory and says so. Null when DATA_DIR has a lake: that lake must answer. */
export async function openPackaged(context: Pick<CommandContext, "environment" | "terminal" | "version">) {
  if (existsSync(join(settingsOf(context, QUIET).config.dataDir, "lake"))) return null;
  const directory = await mkdtemp(join(tmpdir(), "crossrate-packaged-")).catch((cause: Error) => {
    throw new Error(
      `TMPDIR=${tmpdir()}: takes no folder (${cause.message}); name one that this user may write to`,
      { cause },
    );
  });
  const remove = () => rm(directory, { recursive: true, force: true });
  try {
    const environment = { ...ALONE, DATA_DIR: directory };
    const settings = settingsOf({ ...context, environment }, QUIET);
    const config = { ...settings.config, allowedHosts: [] };
    const { version } = context;
    const crossrate = await openCrossrate({ ...settings, config, version, simulated: false, answers: true });
    crossrate.setPeerAddress(() => "127.0.0.1");
    const newest = await crossrate.beginWithSnapshot();
    context.terminal.complain(
      `no server and no lake here: the packaged history of the ECB is asked, to ${newest}`,
    );
    const close = () => crossrate.close().finally(remove);
    return { crossrate, answer: answering(crossrate), close };
  } catch (fault) {
    await remove();
    throw fault;
  }
}

export function answering({ app }: Opened): Packaged["answer"] {
  return async (request) => {
    // A request in this process has no Host header, and the app refuses requests without one.
    request.headers.set("host", "localhost");
    return await app.answer(request);
  };
}

/** Names the setting behind a fault, if any: a folder, a file, or a listener. */
export function inSettings(fault: unknown, config: Config): unknown {
  if (!(fault instanceof Error)) return fault;
  const full = diskFullIn(fault);
  if (full !== null) {
    const place = full.path ?? config.dataDir;
    const onDisk = new DiskFull(place, fault);
    const isOurs = isOnTheWay(resolve(place), resolve(config.dataDir));
    return isOurs ? onlyNaming("DATA_DIR", config.dataDir, onDisk.message, fault) : onDisk;
  }
  const { path, syscall, code } = fault as Coded;
  if (syscall === "listen" || syscall === "getaddrinfo") {
    const { metrics, accounts } = config;
    const asked = Number(/\bport (\d+)/.exec(fault.message)?.[1] ?? Number.NaN);
    const isAdmin = accounts.admin !== null && accounts.admin.port === asked && metrics?.port !== asked;
    if (isAdmin || metrics === null)
      return listenFault(fault, "ADMIN", accounts.admin ?? { port: asked, host: "" });
    return listenFault(fault, "METRICS", metrics);
  }
  if (config.storage !== null && fault.name === "StorageAway") {
    const { bucket, prefix } = config.storage;
    const advice =
      "see whether the bucket exists, AWS_ENDPOINT_URL leads to its storage, and AWS_ACCESS_KEY_ID may list, read, write and delete there";
    return onlyNaming("LAKE_URL", `s3://${bucket}/${prefix}`, `${fault.message}; ${advice}`, fault);
  }
  const { plansFile, databaseUrl } = config.accounts;
  // The address may contain a password.
  const isOfDatabase = fault instanceof LedgerUnavailable || code === "ERR_POSTGRES_SERVER_ERROR";
  if (databaseUrl !== null && isOfDatabase)
    return new Error(
      `DATABASE_URL=…: ${fault.message}; see whether it names the database and its user, whether that runs, and what a pooler before it needs (docs/ledger.md)`,
      { cause: fault },
    );
  if (plansFile !== null && (path === plansFile || code === "EISDIR"))
    return naming("PLANS_FILE", plansFile, "cannot be read", fault);
  const isInside = typeof path === "string" && isOnTheWay(resolve(path), resolve(config.dataDir));
  // SQLite names no path. Its files are all in DATA_DIR.
  if (isInside || /^SQLITE_(CANTOPEN|READONLY|PERM)/.test(String(code))) {
    const advice =
      syscall === "link"
        ? "its file system has no hard links, like exFAT and many network shares: set DATA_DIR to a folder on another"
        : "give this user the folder and all that is in it, or set DATA_DIR to another";
    return onlyNaming("DATA_DIR", config.dataDir, `cannot be used (${fault.message}): ${advice}`, fault);
  }
  return fault;
}

/** Explains a fault of listening: `prefix` is "" for PORT and HOST, else METRICS or ADMIN. */
export function listenFault(
  fault: unknown,
  prefix: "" | "METRICS" | "ADMIN",
  { port, host }: { readonly port: number; readonly host: string },
): unknown {
  if (!(fault instanceof Error)) return fault;
  const [hostName, portName] = prefix === "" ? ["HOST", "PORT"] : [`${prefix}_HOST`, `${prefix}_PORT`];
  const { code } = fault as Coded;
  // For an invalid host name the runtime reports different faults.
  if (parseAddress(host) === null && host !== "localhost") return naming(hostName, host, NO_ADDRESS, fault);
  if (code === "EADDRINUSE")
    return onlyNaming(
      portName,
      port,
      `something listens there already; set ${portName} to a free one`,
      fault,
    );
  if (code === "EACCES")
    return onlyNaming(portName, port, "this user may not listen there; take one above 1023", fault);
  return naming(hostName, host, NO_ADDRESS, fault);
}

const NO_ADDRESS =
  "cannot be listened on; write an address of this machine, such as 127.0.0.1 or ::1, or 0.0.0.0 for every interface";

function isOnTheWay(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`) || folder.startsWith(`${path}/`);
}

function naming(name: string, value: string, what: string, cause: Error): Error {
  return onlyNaming(name, value, `${what} (${cause.message})`, cause);
}

function onlyNaming(name: string, value: string | number, what: string, cause: Error): Error {
  return new Error(`${name}=${value}: ${what}`, { cause });
}
