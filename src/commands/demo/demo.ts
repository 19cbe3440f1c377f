/** `crossrate demo`: the whole product on the ECB's own history and simulated rates since, without network, keys or services. */

import type { CommandContext } from "#cli/command.ts";
import { DEMO_DIRECTORY, eventLog, type LedgerOptions, settingsOf } from "#commands/open-product.ts";
import { type Running, type RunOptions, refuseWords, startRunning } from "#commands/run-server.ts";
import { loadDemoHistory, startClock } from "#compose.ts";
import type { Config } from "#config.ts";
import { type Receiver, startReceiver } from "#demo/receiver.ts";
import { startSimulator } from "#demo/simulator.ts";
import { type Day, formatDay, formatInstant, type Instant } from "#domain/time/day.ts";
import type { Clock } from "#ports.ts";
import { beginDemo } from "./begin.ts";
import { nothingYet, statusAt, unread, waitUntilRead } from "./ready.ts";

export interface DemoOptions extends LedgerOptions {
  readonly simulated?: boolean;
}

export async function demo(context: CommandContext, options: DemoOptions, words: readonly string[]) {
  refuseWords(words);
  const { terminal, version } = context;
  const allSimulated = options.simulated === true;
  const directory = allSimulated ? { DATA_DIR: SIMULATED_DIRECTORY } : {};
  const { config: demo } = settingsOf(context, { ...DEFAULTS, ...directory }, options);
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
  const receiver = await receiverFor(demo, clock, ready.promise);
  const webhooks = { ...demo.accounts.webhooks, allowPrivate: receiver !== null };
  const config = {
    ...demo,
    upstreamBase: simulator.base,
    // Whatever the environment says: simulated rates cost nothing.
    accounts: { ...demo.accounts, stripe: null, webhooks },
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
    Promise.race([waitUntilRead({ ...waiting(url), missingIn: nothingYet }), current]),
  ]);
  const realThrough = real?.lastDay ?? null;
  const movedTo = demo.startAt === null && Math.abs(startAt - Date.now()) > 60_000 ? startAt : null;
  terminal.print(opening({ url, version, account, movedTo, realThrough }));
  await current;
  const missing = await waitUntilRead({ ...waiting(url), missingIn: unread });
  if (missing.length > 0) terminal.complain(`not there yet: ${missing.join(", ")}; ${url}/status says why`);
  ready.resolve();
  terminal.print(calls({ url, account, receiver, isComplete: missing.length === 0 }));
  await running.ended;
  await Promise.all([simulator.stop(), receiver?.stop()]);
  return 0;
}

/** Of `--simulated`: the two worlds contradict each other. */
const SIMULATED_DIRECTORY = `${DEMO_DIRECTORY}-simulated`;

/** The simulated sources are all read within seconds. */
const PATIENCE_MILLISECONDS = 30_000;

function waiting(url: string) {
  return { status: () => statusAt(url), sleep: Bun.sleep, patience: PATIENCE_MILLISECONDS };
}

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

/** Null without endpoints, and when NODE_ENV=production keeps events from this machine. */
async function receiverFor(
  { access, production }: Config,
  { now }: Clock,
  ready: Promise<void>,
): Promise<Receiver | null> {
  return access === "open" || production ? null : await startReceiver({ now, ready });
}

/** Null when access is open. */
type DemoAccount = Awaited<ReturnType<Running["demoAccount"]>>;

interface Opening {
  readonly url: string;
  readonly version: string;
  readonly account: DemoAccount;
  /** The demo's first instant, unless that is now. */
  readonly movedTo: Instant | null;
  /** Last day of the ECB's own history; null where every figure is simulated. */
  readonly realThrough: Day | null;
}

function opening({ url, version, account, movedTo, realThrough }: Opening): string {
  const marked =
    realThrough === null
      ? "SIMULATED rates, nothing here is real"
      : `the ECB's own history to ${formatDay(realThrough)}; live rates, TWD and Mexican tables are SIMULATED`;
  const moved =
    movedTo === null
      ? ""
      : `
  The demo's clock began at ${formatInstant(movedTo)}; NOW=… sets it.
`;
  const key =
    account === null
      ? ""
      : `
    KEY=${account.key}     # on the plan pro; without a key 12 calls a minute and the last 30 days
`;
  return `
  crossrate ${version} answers on ${url}   — ${marked}
${moved}${key}
    curl '${url}/v1/latest?symbols=EUR,JPY'

  The other sources and the history since 1999 are being read, for some seconds.`;
}

interface Calls {
  readonly url: string;
  readonly account: DemoAccount;
  readonly receiver: Pick<Receiver, "url"> | null;
  /** Whether every source was read. */
  readonly isComplete: boolean;
}

function calls({ url, account, receiver, isComplete }: Calls): string {
  const key = account === null ? "" : ` -H "Authorization: Bearer $KEY"`;
  const signIn =
    account === null
      ? ""
      : `
  Sign in at ${url}/dashboard as ${account.email} with the password ${account.password}
`;
  const deliveries =
    receiver === null
      ? ""
      : `    curl '${receiver.url}'     # signed webhooks about official publications, as they arrive
`;
  return `${isComplete ? "\n  Every source is read.\n" : ""}
    curl '${url}/v1/2015-01-15?base=EUR&symbols=CHF'${key}
    curl '${url}/v1/convert/USD/EUR/100'
    curl -N '${url}/v1/stream?symbols=EUR,JPY'
    curl '${url}/v1/range?symbols=EUR&start_date=2024-01-01&end_date=2024-12-31&format=csv'${key}
    curl '${url}/v1/official/mex/fix/publications/latest'
${deliveries}${signIn}
    ${url}/         all rates as they move, and where each comes from
    ${url}/docs     the guides and the reference
    ${url}/status   how old the data is, and why

  Ctrl-C stops it.
`;
}
