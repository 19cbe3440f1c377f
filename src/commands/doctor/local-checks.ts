/** The checks of `crossrate doctor` on this machine: settings, clock, disk, lake, ledger, Redis, and sources. */

import { existsSync } from "node:fs";
import { access, constants, statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { reasonOf } from "#cli/ask/faults.ts";
import type { Finding } from "#cli/doctor/finding.ts";
import { printedBytes, printedCount } from "#cli/show/amounts.ts";
import type { CommandContext } from "#commands/command.ts";
import { type Config, ConfigFault, readConfig } from "#config.ts";
import { loadInspection, loadMaintenance, startClock } from "#wiring.ts";

/** Sources are asked for the beginning of an answer, all at once. */
const PATIENCE_MILLISECONDS = 10_000;
/** More than the way of an answer explains. */
const MOST_SKEW_SECONDS = 30;
/** The lake, exports and the journal of a year have room in it. */
const LEAST_DISK_BYTES = 2_000_000_000;

/** Each as soon as it is known. */
export async function* localFindings(context: CommandContext): AsyncGenerator<Finding> {
  let config: Config;
  try {
    config = readConfig(context.environment);
  } catch (fault) {
    if (!(fault instanceof ConfigFault)) throw fault;
    for (const found of fault.faults)
      yield { what: "settings", state: "broken", found, advice: "docs/configuration.md lists every setting" };
    return;
  }
  yield { what: "settings", state: "ok", found: `access ${config.access}, data in ${config.dataDir}` };
  if (config.production && config.access === "metered" && config.accounts.masterKeys === null)
    yield {
      what: "settings",
      state: "broken",
      found: "in production MASTER_KEYS is needed",
      advice: "see docs/security.md",
    };
  yield await diskFinding(config);
  yield await lakeFinding(context, config);
  if (config.access === "metered") yield await ledgerFinding(config);
  if (config.redisUrl !== null) yield await redisFinding(config.redisUrl);
  yield* sourceFindings(config, context.signal);
}

async function diskFinding({ dataDir }: Config): Promise<Finding> {
  let folder = resolve(dataDir);
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch {
    return {
      what: "disk",
      state: "broken",
      found: `${folder} cannot be written`,
      advice: "give this user the folder, or set DATA_DIR",
    };
  }
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= LEAST_DISK_BYTES) return { what: "disk", state: "ok", found: `${printedBytes(free)} free` };
  return {
    what: "disk",
    state: "note",
    found: `only ${printedBytes(free)} free`,
    advice: "INTRADAY_DAYS and EXPORT_CACHE_MB bound what is kept",
  };
}

async function lakeFinding({ terminal }: CommandContext, config: Config): Promise<Finding> {
  const what = "lake";
  const reports = await (await loadMaintenance())
    .verifyLake(config, (table) => terminal.note(`reading ${table}`))
    .catch((fault: unknown) => fault as Error);
  terminal.note("");
  if (reports instanceof Error)
    return { what, state: "broken", found: reports.message, advice: "crossrate repair says how to go on" };
  if (reports.length === 0)
    return {
      what,
      state: "note",
      found: "nothing was collected here yet",
      advice: "crossrate serve collects by itself; crossrate demo needs no network",
    };
  const faults = reports.flatMap((report) => report.faults);
  const [first] = faults;
  if (first !== undefined)
    return {
      what,
      state: "broken",
      found: `${printedCount(faults.length)} damaged: ${first}`,
      advice: "crossrate repair says how to go on",
    };
  const rows = reports.reduce((sum, report) => sum + report.rows, 0);
  return { what, state: "ok", found: `${reports.length} tables intact, ${printedCount(rows)} rows` };
}

async function ledgerFinding(config: Config): Promise<Finding> {
  const what = "ledger";
  const { probeLedger } = await loadInspection();
  const kind = config.accounts.databaseUrl === null ? "SQLite" : "Postgres";
  try {
    const isThere = await probeLedger(config, startClock(null));
    if (!isThere)
      return {
        what,
        state: "note",
        found: "there are no accounts yet",
        advice: "crossrate serve makes the ledger",
      };
    return { what, state: "ok", found: `${kind}, can be read` };
  } catch (fault) {
    return {
      what,
      state: "broken",
      found: `${kind}: ${messageOf(fault)}`,
      advice: "docs/ledger.md: start the database, or restore the ledger from its backup",
    };
  }
}

async function redisFinding(url: string): Promise<Finding> {
  const { probeRedis } = await loadInspection();
  try {
    const { version, evicts } = await probeRedis(url);
    if (!evicts) return { what: "Redis", state: "ok", found: `answers, ${version}` };
    return {
      what: "Redis",
      state: "broken",
      found: `${version} evicts keys`,
      advice: "set maxmemory-policy noeviction: counts of limits must not vanish",
    };
  } catch (fault) {
    return {
      what: "Redis",
      state: "broken",
      found: messageOf(fault),
      advice: "check REDIS_URL, and that Redis runs and admits this machine",
    };
  }
}

/** All at once. Where none can be reached it is this machine, and said once. */
async function* sourceFindings(config: Config, signal: AbortSignal): AsyncGenerator<Finding> {
  const { sourceAddresses } = await loadInspection();
  const addresses = sourceAddresses(config, startClock(config.startAt));
  const answers = await Promise.all(addresses.map((source) => askSource(source, signal)));
  const tried = answers.map(({ finding }) => finding);
  const cut = tried.filter(({ state }) => state === "broken");
  const [first] = cut;
  if (first === undefined || cut.length < tried.length || tried.length === 1) yield* tried;
  else {
    const found = `none of ${tried.length} hosts can be reached; ${first.found}`;
    yield { ...first, what: "sources", found };
  }
  const skews = answers.flatMap(({ skewSeconds }) => (skewSeconds === null ? [] : [skewSeconds]));
  if (skews.length > 0) yield clockFinding(skews);
}

/** Most of the sources are right: the middle one decides. */
function clockFinding(skews: readonly number[]): Finding {
  const what = "clock";
  const middle = skews.toSorted((a, b) => a - b)[Math.floor(skews.length / 2)] as number;
  const size = Math.abs(middle);
  if (size <= MOST_SKEW_SECONDS)
    return { what, state: "ok", found: "this machine's clock is that of the sources" };
  return {
    what,
    state: "broken",
    found: `this machine's clock is ${size} s ${middle > 0 ? "behind" : "ahead of"} that of the sources`,
    advice: "set it by NTP: publication times, staleness and signatures depend on it",
  };
}

interface SourceAnswer {
  readonly finding: Finding;
  /** By how much the host's clock is ahead of this machine's; null where it does not say its time. */
  readonly skewSeconds: number | null;
}

/** A host that answers anything but a 5xx can be reached. */
async function askSource(
  { host, address, sources }: SourceAddress,
  signal: AbortSignal,
): Promise<SourceAnswer> {
  const what = "source";
  const who = `${host} (${sources.join(", ")})`;
  try {
    const response = await fetch(address, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MILLISECONDS)]),
    });
    await response.body?.cancel();
    const skew = (Date.parse(response.headers.get("date") ?? "") - Date.now()) / 1000;
    const isUp = response.status < 500;
    const found = isUp ? `${who} can be reached` : `${who} answers ${response.status}`;
    return {
      finding: { what, state: isUp ? "ok" : "note", found },
      skewSeconds: Number.isNaN(skew) ? null : Math.round(skew),
    };
  } catch (fault) {
    signal.throwIfAborted();
    const advice =
      "check the network, the proxy and the firewall of this machine; a server tries again by itself";
    return {
      finding: { what, state: "broken", found: `${who}: ${reasonOf(fault)}`, advice },
      skewSeconds: null,
    };
  }
}

type SourceAddress = ReturnType<Awaited<ReturnType<typeof loadInspection>>["sourceAddresses"]>[number];

function messageOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}
