/** `crossrate demo`: the whole product on the ECB's own history and simulated rates since, without network, keys or services. */

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CommandContext, type Terminal, UsageFault } from "#cli/command.ts";
import { startReceiver } from "#cli/receiver.ts";
import { loadDemoHistory, startClock } from "#compose.ts";
import { startSimulator } from "#demo/simulator.ts";
import { type RealHistory, readRealHistory } from "#demo/world.ts";
import { marketSession, nextTurn } from "#domain/time/calendar.ts";
import { formatDay, formatInstant, type Instant } from "#domain/time/day.ts";
import { DEMO_DIRECTORY, eventLog, type LedgerOptions, settingsOf } from "./open-product.ts";
import { type Running, type RunOptions, refuseWords, startRunning } from "./run-server.ts";

export interface DemoOptions extends LedgerOptions {
  readonly simulated?: boolean;
}

export async function demo(context: CommandContext, options: DemoOptions, words: readonly string[]) {
  refuseWords(words);
  const { terminal, version } = context;
  const allSimulated = options.simulated === true;
  const directory = allSimulated ? { DATA_DIR: SIMULATED_DIRECTORY } : {};
  const { config: demo } = settingsOf(context, { ...DEFAULTS, ...directory }, { ...options, serves: true });
  const asked = {
    dataDir: demo.dataDir,
    startAt: demo.startAt,
    allSimulated,
    history: await loadDemoHistory(),
  };
  const { startAt, real } = beginDemo(asked, Date.now());
  const clock = startClock(startAt);
  const emit = eventLog(terminal, demo.logLevel, clock.now);
  const simulator = await startSimulator({ now: clock.now, real });
  const ready = Promise.withResolvers<void>();
  // With NODE_ENV=production no webhook may go to this machine.
  const hasReceiver = demo.access !== "open" && !demo.production;
  // A placeholder: no event verifies until the endpoint's own secret is known.
  const listening = { now: clock.now, secret: crypto.randomUUID(), port: 0, ready: ready.promise };
  const receiver = hasReceiver ? startReceiver(listening) : null;
  const webhooks = { ...demo.accounts.webhooks, allowPrivate: receiver !== null };
  const config = {
    ...demo,
    upstreamBase: simulator.base,
    // The simulated FRED has only what needs no key.
    fredApiKey: null,
    // Overrides the environment: the demo collects, and nothing simulated reaches the stores of real servers.
    redisUrl: null,
    role: "all" as const,
    // Stripe is off, too: simulated rates cost nothing.
    accounts: { ...demo.accounts, databaseUrl: null, stripe: null, webhooks },
  };
  const accountMade = Promise.withResolvers<DemoAccount>();
  const prepare: RunOptions["prepare"] = async ({ demoAccount }) => {
    const made = demoAccount(receiver ?? undefined);
    accountMade.resolve(made);
    await made;
  };
  const parts = { config, clock, emit, version, terminal };
  const running = await startRunning({
    ...parts,
    simulated: true,
    realHistory: real !== null,
    prepare,
  });
  const { url, current } = running;
  const [account] = await Promise.all([
    accountMade.promise,
    // A first collection that fails ends the command with its fault.
    Promise.race([waitUntilRead(url, nothingYet), current]),
  ]);
  const movedTo = demo.startAt === null && Math.abs(startAt - Date.now()) > 60_000 ? startAt : null;
  printOpening(context, url, account, { movedTo, real });
  await current;
  const missing = await waitUntilRead(url, unread);
  if (missing.length > 0) terminal.complain(`not there yet: ${missing.join(", ")}; ${url}/status says why`);
  else terminal.print("\n  Every source is read.");
  ready.resolve();
  printCalls(terminal, url, account, receiver?.url);
  await running.ended;
  await Promise.all([simulator.stop(), receiver?.stop()]);
}

/** The directory for `--simulated`: its figures contradict the real history. */
const SIMULATED_DIRECTORY = `${DEMO_DIRECTORY}-simulated`;

/** The simulated sources are all read within seconds. */
const PATIENCE_MILLISECONDS = 30_000;

/** Live quotes every few seconds from two feeds show changes at once. */
const DEFAULTS = {
  DATA_DIR: DEMO_DIRECTORY,
  LOG_LEVEL: "warn",
  LIVE_FALLBACK: "oxr",
  LIVE_POLL_SECONDS: "5",
  OXR_APP_ID: "00000000000000000000000000000000",
  OXR_REQUESTS_PER_MONTH: "10000000",
  BANXICO_TOKEN: "0".repeat(64),
  // Only Mexico's authorities are simulated.
  OFFICIAL_TABLES: "mex_fix,mex_settlement,mex_dof",
} as const;

/** Null when access is open. */
type DemoAccount = Awaited<ReturnType<Running["demoAccount"]>>;

/** `movedTo` is the demo's first instant; null when that is now, or when NOW sets it. `real` null means that every figure is simulated. */
function printOpening(
  { terminal: { print }, version }: CommandContext,
  url: string,
  account: DemoAccount,
  { movedTo, real }: { readonly movedTo: Instant | null; readonly real: RealHistory | null },
): void {
  const marked =
    real === null
      ? "SIMULATED rates, nothing here is real"
      : `the ECB's own history to ${formatDay(real.lastDay)}; all else is SIMULATED`;
  print(`\n  crossrate ${version} answers on ${url}   — ${marked}`);
  if (movedTo !== null) print(`\n  The demo's clock began at ${formatInstant(movedTo)}; NOW=… sets it.`);
  if (account !== null)
    print(
      `\n    KEY=${account.key}     # on the plan pro; without a key 12 calls a minute and the last 30 days`,
    );
  print(`
    curl '${url}/v1/latest?symbols=EUR,JPY'

  The other sources and the history since 1999 are being read, for some seconds.`);
}

function printCalls(
  { print }: Terminal,
  url: string,
  account: DemoAccount,
  receiverUrl: string | undefined,
): void {
  const key = account === null ? "" : ` -H "Authorization: Bearer $KEY"`;
  print(`
    curl '${url}/v1/2015-01-15?base=EUR&symbols=CHF'${key}
    curl '${url}/v1/convert/USD/EUR/100'
    curl -N '${url}/v1/stream?symbols=EUR,JPY'
    curl '${url}/v1/range?symbols=EUR&start_date=2024-01-01&end_date=2024-12-31&format=csv'${key}
    curl '${url}/v1/official/mex/fix/publications/latest'`);
  if (receiverUrl !== undefined)
    print(`    curl '${receiverUrl}'     # signed webhooks about official publications, as they arrive`);
  if (account !== null)
    print(`\n  Sign in at ${url}/dashboard as ${account.email} with the password ${account.password}`);
  print(`
    ${url}/              all rates as they move, and where each comes from
    ${url}/docs          the guides and the reference
    ${url}/status/page   how old the data is, and why

  Ctrl-C stops it.
`);
}

/** Holds by how much the demo's clock is ahead of the real one. Only directories that began with the ECB's history have it. */
const CLOCK_FILE = "demo-clock.json";

interface Asked {
  readonly dataDir: string;
  /** The setting NOW; null when unset. */
  readonly startAt: Instant | null;
  readonly allSimulated: boolean;
  readonly history: { readonly startsAt: Instant; readonly csv: string };
}

/**
 * Returns the demo's first instant and the ECB's history. `real` is null when everything is simulated: with `--simulated`, with NOW
 * before the history's end, and with a lake that began so. A later start continues the directory's clock, or moves it to the
 * next opening of the market. Throws UsageFault when everything is to be simulated in a directory that began with the ECB's history.
 */
export function beginDemo({ dataDir, startAt, allSimulated, history }: Asked, realNow: Instant) {
  const file = join(dataDir, CLOCK_FILE);
  const hasClock = existsSync(file);
  const isEarly = startAt !== null && startAt < history.startsAt;
  if (allSimulated || isEarly || (!hasClock && existsSync(join(dataDir, "lake")))) {
    if (hasClock)
      throw new UsageFault(
        `${dataDir} began with the history of the ECB${isEarly ? `: NOW must not be before ${formatInstant(history.startsAt)}` : ""}; name another directory with DATA_DIR`,
      );
    return { startAt: startAt ?? nextOpen(realNow), real: null };
  }
  const real = readRealHistory(history.csv);
  const ahead = hasClock ? JSON.parse(readFileSync(file, "utf8")).ahead_ms : history.startsAt - realNow;
  const at = startAt ?? nextOpen(realNow + ahead);
  if (!hasClock || (startAt === null && at !== realNow + ahead)) {
    mkdirSync(dataDir, { recursive: true });
    // After any crash the file is the new one or the old one. Without the file the directory's clock is unknown.
    writeFileSync(`${file}.tmp`, `${JSON.stringify({ ahead_ms: at - realNow })}\n`, { flush: true });
    renameSync(`${file}.tmp`, file);
  }
  return { startAt: at, real };
}

/** The instant itself while the market is open, else its next opening: live rates move then. */
function nextOpen(instant: Instant): Instant {
  let at = instant;
  while (marketSession(at) !== "open") at = nextTurn(at).at;
  return at;
}

export interface DemoStatus {
  readonly status: string;
  readonly checks: {
    readonly live_data: { readonly status: string; readonly live_currencies: number };
    readonly daily: Readonly<Record<string, { readonly status: string }>>;
    readonly official: Readonly<Record<string, { readonly status: string }>>;
  };
}

const PAUSE_MILLISECONDS = 100;

/**
 * Resolves with an empty list as soon as `missingIn` names nothing, or when the server does not answer /status (it may be
 * stopping). Otherwise resolves with what is missing after PATIENCE_MILLISECONDS.
 */
async function waitUntilRead(url: string, missingIn: (status: DemoStatus) => readonly string[]) {
  for (let waited = 0; ; waited += PAUSE_MILLISECONDS) {
    const now = await statusAt(url);
    const missing = now === null ? [] : missingIn(now);
    if (missing.length === 0 || waited >= PATIENCE_MILLISECONDS) return missing;
    await Bun.sleep(PAUSE_MILLISECONDS);
  }
}

async function statusAt(url: string): Promise<DemoStatus | null> {
  const response = await fetch(`${url}/status`).catch(() => null);
  const body = (await response?.json()) as DemoStatus | { readonly checks?: undefined } | undefined;
  return body?.checks === undefined ? null : body;
}

export function nothingYet({ checks: { live_data, daily } }: DemoStatus): readonly string[] {
  const hasDaily = Object.values(daily).some(({ status }) => status !== "missing");
  return hasDaily || live_data.live_currencies > 0 ? [] : ["a first rate"];
}

export function unread({ checks: { live_data, daily, official } }: DemoStatus): readonly string[] {
  // Quotes are refused until daily references can confirm them.
  const isLacking = live_data.status === "refused" && live_data.live_currencies === 0;
  const live = { "live rates": isLacking ? { status: "missing" } : live_data };
  const all = Object.entries({ ...live, ...daily, ...official });
  return all.flatMap(([name, { status }]) => (status === "missing" ? [name] : []));
}
