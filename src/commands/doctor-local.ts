/** The checks of `crossrate doctor` on this machine: settings, clock, disk, lake, ledger, prices at Stripe, Redis, and sources. */

import { existsSync } from "node:fs";
import { access, constants, statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { reasonOf } from "#cli/client.ts";
import type { CommandContext } from "#cli/command.ts";
import { printedBytes, printedCount } from "#cli/show.ts";
import { loadInspection, serverFaults, startClock } from "#compose.ts";
import { type Config, ConfigFault, misspeltSettings, readConfig } from "#config.ts";
import { broken, type Finding, note, ok } from "./finding.ts";
import { inSettings } from "./open-product.ts";

/** Until a source begins to answer; all sources are asked at once. */
const PATIENCE_MILLISECONDS = 10_000;
/** Enough for the lake, exports and a year's journal. */
const LEAST_DISK_BYTES = 2_000_000_000;

const REPAIR = "crossrate repair says how to go on";

export async function* localFindings(context: CommandContext): AsyncGenerator<Finding> {
  const remedy = "docs/configuration.md lists every setting";
  for (const line of misspeltSettings(context.environment)) yield note("settings", line, remedy);
  let config: Config;
  try {
    config = readConfig(context.environment, {}, serverFaults);
  } catch (fault) {
    if (!(fault instanceof ConfigFault)) throw fault;
    for (const line of fault.faults) yield broken("settings", line, remedy);
    return;
  }
  yield ok("settings", `access ${config.access}, data in ${config.dataDir}`);
  yield await diskFinding(config);
  yield await lakeFinding(context, config);
  if (config.access === "metered") {
    yield await ledgerFinding(config);
    yield* billingFindings(config);
  }
  if (config.redisUrl !== null) yield await redisFinding(config.redisUrl);
  yield* sourceFindings(config, context.signal);
}

async function diskFinding({ dataDir }: Config): Promise<Finding> {
  let folder = resolve(dataDir);
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch {
    return broken("disk", `${folder} cannot be written`, "give this user the folder, or set DATA_DIR");
  }
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  return free >= LEAST_DISK_BYTES
    ? ok("disk", `${printedBytes(free)} free`)
    : note("disk", `only ${printedBytes(free)} free`, "INTRADAY_DAYS and EXPORT_CACHE_MB bound what is kept");
}

async function lakeFinding({ terminal }: CommandContext, config: Config): Promise<Finding> {
  const reports = await (await loadInspection())
    .verifyLake(config, (table) => terminal.note(`reading ${table}`))
    .catch((fault: unknown) => fault as Error);
  terminal.note("");
  const named = inSettings(reports, config);
  // No damage: the bucket is away, or closed to this key.
  if (config.storage !== null && named !== reports)
    return broken("lake", messageOf(named), "docs/lake.md, A lake in a bucket");
  if (reports instanceof Error) return broken("lake", reports.message, REPAIR);
  if (reports.length === 0)
    return note(
      "lake",
      "nothing was collected here yet",
      "crossrate serve collects by itself; crossrate demo needs no network",
    );
  const faults = reports.flatMap((report) => report.faults);
  if (faults.length > 0)
    return broken("lake", `${printedCount(faults.length)} damaged: ${faults[0]}`, REPAIR);
  const rows = reports.reduce((sum, report) => sum + report.rows, 0);
  return ok("lake", `${reports.length} tables intact, ${printedCount(rows)} rows`);
}

async function ledgerFinding(config: Config): Promise<Finding> {
  const { probeLedger, OTHER_PLANS } = await loadInspection();
  const kind = config.accounts.databaseUrl === null ? "SQLite" : "Postgres";
  try {
    const state = await probeLedger(config, startClock(null));
    if (state === "missing")
      return note("ledger", "there are no accounts yet", "crossrate serve makes the ledger");
    return state === "ok"
      ? ok("ledger", `${kind}, can be read`)
      : broken("plans", OTHER_PLANS, "set PLANS_FILE here as for the servers, or restart them with it");
  } catch (fault) {
    const advice = "docs/ledger.md: start the database, or restore the ledger from its backup";
    return broken("ledger", `${kind}: ${messageOf(fault)}`, advice);
  }
}

async function* billingFindings(config: Config): AsyncGenerator<Finding> {
  const advice = "change plans.json, or list another price in STRIPE_PRICES: docs/billing.md";
  try {
    const faults = await (await loadInspection()).priceFaultsOf(config);
    for (const fault of faults ?? []) yield broken("billing", fault, advice);
    if (faults?.length === 0) yield ok("billing", "Stripe charges the prices of the table of plans");
  } catch (fault) {
    yield broken(
      "billing",
      messageOf(fault),
      "check STRIPE_SECRET_KEY, PLANS_FILE, and that Stripe can be reached",
    );
  }
}

async function redisFinding(url: string): Promise<Finding> {
  const { probeRedis } = await loadInspection();
  const advice = "set maxmemory-policy noeviction: counts of limits must not vanish";
  try {
    const { version, evicts } = await probeRedis(url);
    return evicts ? broken("Redis", `${version} evicts keys`, advice) : ok("Redis", `answers, ${version}`);
  } catch (fault) {
    if (/^NOPERM .*'info'/.test(messageOf(fault)))
      return note("Redis", "answers; its user may not ask whether it evicts", `give it +info, or ${advice}`);
    return broken("Redis", messageOf(fault), "check REDIS_URL, and that Redis runs and admits this machine");
  }
}

/** Asks all at once. When every host is out of reach, one finding blames this machine. The clock is judged as a server judges it. */
async function* sourceFindings(config: Config, signal: AbortSignal): AsyncGenerator<Finding> {
  const { sourceAddresses, openClockWatch } = await loadInspection();
  const addresses = sourceAddresses(config, startClock(config.startAt));
  const watch = openClockWatch(startClock(null));
  const findings = await Promise.all(addresses.map((source) => askSource(source, signal, watch.note)));
  const [first] = findings;
  if (first !== undefined && findings.length > 1 && findings.every(({ state }) => state === "broken"))
    yield {
      ...first,
      what: "sources",
      found: `none of ${findings.length} hosts can be reached; ${first.found}`,
    };
  else yield* findings;
  const { detail } = watch.verdict();
  if (detail !== null)
    yield broken("clock", detail, "publication times, staleness and signatures depend on it");
  else if (watch.isProven()) yield ok("clock", "this machine's clock is that of the sources");
}

type SourceAddress = ReturnType<Awaited<ReturnType<typeof loadInspection>>["sourceAddresses"]>[number];

/** A host is reachable when it answers, except with 5xx. `noteClock` gets the headers of its answer. */
async function askSource(
  { host, address, sources }: SourceAddress,
  signal: AbortSignal,
  noteClock: (url: string, headers: Headers) => void,
): Promise<Finding> {
  const who = `${host} (${sources.join(", ")})`;
  try {
    const response = await fetch(address, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MILLISECONDS)]),
    });
    await response.body?.cancel();
    noteClock(`https://${host}`, response.headers);
    return response.status < 500
      ? ok("source", `${who} can be reached`)
      : note("source", `${who} answers ${response.status}`);
  } catch (fault) {
    signal.throwIfAborted();
    const advice =
      "check the network, the proxy and the firewall of this machine; a server tries again by itself";
    return broken("source", `${who}: ${reasonOf(fault)}`, advice);
  }
}

function messageOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}
