/** `crossrate demo`: the whole product on simulated data, without network, keys or services. */

import { type Config, readConfig } from "#config.ts";
import { type Receiver, startReceiver } from "#demo/receiver.ts";
import { startSimulator } from "#demo/simulator.ts";
import { CATALOG_SETTING } from "#demo/stripe/catalog.ts";
import { type StripeSimulator, startStripeSimulator } from "#demo/stripe/server.ts";
import { parsePrices } from "#domain/billing/prices.ts";
import { formatInstant, type Instant } from "#domain/time/day.ts";
import { marketSession } from "#domain/time/session.ts";
import type { Clock } from "#ports.ts";
import type { StripeAccess } from "#settings/accounts.ts";
import { startClock } from "#wiring.ts";
import { type Command, takesNothing } from "./command.ts";
import { NEW_LEDGER, NEW_LEDGER_FLAG, NEW_LEDGER_HELP, withNewLedger, withoutNewLedger } from "./flags.ts";
import { DEMO_DIRECTORY } from "./open-product.ts";
import { type Running, type RunOptions, startRunning } from "./run-server.ts";

export const demoCommand: Command = {
  name: "demo",
  group: "Run a server",
  summary: "try everything on simulated rates: no network, no keys, no services",
  usage: `[${NEW_LEDGER}]`,
  help: `Starts a simulator of every upstream, each in its own wire format over HTTP on this machine, and the product in
front of it. Every number is made up: the notice says SIMULATED, and every answer carries X-Data-Mode: simulated.
The data lies in data/demo (DATA_DIR), and \`serve\` refuses to use it. Once everything is in it prints an API key, an
account to sign in with, calls to copy, and the address that receives its webhooks.

${NEW_LEDGER_HELP}

  crossrate demo
  PORT=4000 NOW=2026-04-13T16:30:00Z crossrate demo`,
  words: { flags: [NEW_LEDGER_FLAG] },
  async run({ environment, version, terminal, words }) {
    takesNothing(withoutNewLedger(words));
    const demo = withNewLedger(readConfig(environment, DEFAULTS), words);
    const startAt = demo.startAt ?? openMarket(Date.now());
    const clock = startClock(startAt);
    const emit = terminal.emit(demo.logLevel, clock.now);
    const simulator = await startSimulator({ now: clock.now });
    const stripe = await startStripeSimulator({ now: clock.now, retryMilliseconds: 2000 });
    const ready = Promise.withResolvers<void>();
    const receiver = await receiverFor(demo, clock, ready.promise);
    const webhooks = { ...demo.accounts.webhooks, allowPrivate: receiver !== null };
    const config = {
      ...demo,
      upstreamBase: simulator.base,
      accounts: { ...demo.accounts, stripe: stripeAccess(stripe), webhooks },
    };
    let account: DemoAccount = null;
    const prepare: RunOptions["prepare"] = async ({ url, demoAccount }) => {
      stripe.webhooks.endpoint({ url: `${url}/v1/billing/stripe/events`, secrets: [WEBHOOK_SECRET] });
      account = await demoAccount(receiver ?? undefined);
    };
    const parts = { config, clock, emit, version, terminal };
    const running = await startRunning({ ...parts, simulated: true, prepare });
    await running.current;
    const missing = await whenReady({
      status: () => statusAt(running.url),
      sleep: Bun.sleep,
      patience: PATIENCE_MILLISECONDS,
    });
    if (missing.length > 0)
      terminal.complain(`not there yet: ${missing.join(", ")}; ${running.url}/status says why`);
    ready.resolve();
    const movedTo = demo.startAt === null ? startAt : null;
    terminal.print(greeting({ url: running.url, version, account, receiver, movedTo }));
    await running.ended;
    await Promise.all([simulator.stop(), stripe.stop(), receiver?.stop()]);
    return 0;
  },
};

/** The simulated authorities are all read within seconds. */
const PATIENCE_MILLISECONDS = 30_000;

/** Live quotes every few seconds from two feeds, so that there is something to see. */
const DEFAULTS = {
  DATA_DIR: DEMO_DIRECTORY,
  LOG_LEVEL: "warn",
  LIVE_FALLBACK: "oxr",
  LIVE_POLL_SECONDS: "5",
  OXR_APP_ID: "00000000000000000000000000000000",
  OXR_REQUESTS_PER_MONTH: "10000000",
  BANXICO_TOKEN: "0".repeat(64),
} as const;

/** null where there are no endpoints, and where NODE_ENV=production keeps events from this machine. */
async function receiverFor(
  { access, production }: Config,
  { now }: Clock,
  ready: Promise<void>,
): Promise<Receiver | null> {
  return access === "open" || production ? null : await startReceiver({ now, ready });
}

const HOUR = 3_600_000;
const HOURS_OF_TRADING = 6;

/** null while the market is open: the real time will do. Else an instant some hours before it closed, where live rates move. */
function openMarket(now: Instant): Instant | null {
  if (marketSession(now) === "open") return null;
  let last = now;
  while (marketSession(last) !== "open") last -= HOUR;
  const earlier = last - HOURS_OF_TRADING * HOUR;
  return marketSession(earlier) === "open" ? earlier : last;
}

/** Signs the events of the simulated Stripe. It is public, as everything in the demo is. */
const WEBHOOK_SECRET = "whsec_demo0000000000000000000000";

function stripeAccess({ base, secretKey }: StripeSimulator): StripeAccess {
  const { prices } = parsePrices(CATALOG_SETTING);
  return { secretKey, webhookSecrets: [WEBHOOK_SECRET], prices, apiBase: base };
}

/** null where access is open. */
type DemoAccount = Awaited<ReturnType<Running["demoAccount"]>>;

interface Greeting {
  readonly url: string;
  readonly version: string;
  readonly account: DemoAccount;
  readonly receiver: Pick<Receiver, "url"> | null;
  /** Where the clock began, when that is not now. */
  readonly movedTo: Instant | null;
}

function greeting({ url, version, account, receiver, movedTo }: Greeting): string {
  const moved =
    movedTo === null
      ? ""
      : `
  The market is closed now, so the demo's clock began at ${formatInstant(movedTo)}; NOW=… sets it.
`;
  const key = account === null ? "" : ` -H "Authorization: Bearer $KEY"`;
  const accounts =
    account === null
      ? ""
      : `
    KEY=${account.key}     # on the plan pro; without a key 12 calls a minute and the last 30 days
`;
  const buying =
    account === null
      ? ""
      : `
  Buy a plan from the simulated Stripe: the answer has the page's address. What is bought takes the place of pro.

    curl -X POST '${url}/v1/account/checkout'${key} -H 'Content-Type: application/json' -d '{"plan":"basic"}'

  Sign in at ${url}/dashboard as ${account.email} with the password ${account.password}
`;
  const deliveries =
    receiver === null
      ? ""
      : `    curl '${receiver.url}'     # signed webhooks about official publications, as they arrive
`;
  return `
  crossrate ${version} answers on ${url}   — SIMULATED rates, nothing here is real
${moved}${accounts}
    curl '${url}/v1/latest?symbols=EUR,JPY'
    curl '${url}/v1/2015-01-15?base=EUR&symbols=CHF'${key}
    curl '${url}/v1/convert/USD/EUR/100'
    curl -N '${url}/v1/stream?symbols=EUR,JPY'
    curl '${url}/v1/range?symbols=EUR&start_date=2024-01-01&end_date=2024-12-31&format=csv'${key}
    curl '${url}/v1/official/mex/fix/publications/latest'
${deliveries}${buying}
    ${url}/         all rates as they move, and where each comes from
    ${url}/docs     the guides and the reference
    ${url}/status   how old the data is, and why

  Ctrl-C stops it.
`;
}

export interface DemoStatus {
  readonly status: string;
  readonly checks: {
    readonly live_data: { readonly status: string; readonly live_currencies: number };
    readonly daily: Readonly<Record<string, { readonly status: string }>>;
    readonly official: Readonly<Record<string, { readonly status: string }>>;
  };
}

export interface ReadyParts {
  /** Reads /status; null where the server does not answer it, as to a host that is not allowed or by a server that is stopping. */
  readonly status: () => Promise<DemoStatus | null>;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** How long it is waited for, in milliseconds. */
  readonly patience: number;
}

const PAUSE_MILLISECONDS = 100;

/** Resolves with the names of what is still missing when the patience is over; with none as soon as nothing is. */
export async function whenReady({ status, sleep, patience }: ReadyParts): Promise<readonly string[]> {
  for (let waited = 0; ; waited += PAUSE_MILLISECONDS) {
    const now = await status();
    const missing = now === null ? [] : missingIn(now);
    if (missing.length === 0 || waited >= patience) return missing;
    await sleep(PAUSE_MILLISECONDS);
  }
}

/** Reads /status of a server at an address. */
export async function statusAt(url: string): Promise<DemoStatus | null> {
  const response = await fetch(`${url}/status`).catch(() => null);
  const body = (await response?.json()) as DemoStatus | { readonly checks?: undefined } | undefined;
  return body?.checks === undefined ? null : body;
}

function missingIn({ checks: { live_data, daily, official } }: DemoStatus): readonly string[] {
  // Quotes are refused until there are daily references to hold them against.
  const isLacking = live_data.status === "refused" && live_data.live_currencies === 0;
  const live = { "live rates": isLacking ? { status: "missing" } : live_data };
  const all = Object.entries({ ...live, ...daily, ...official });
  return all.flatMap(([name, { status }]) => (status === "missing" ? [name] : []));
}
