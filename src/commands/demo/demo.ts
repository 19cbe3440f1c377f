/** `crossrate demo`: the whole product on simulated data, without network, keys or services. */

import type { CommandContext } from "#cli/command.ts";
import { DEMO_DIRECTORY, eventLog, type LedgerOptions, settingsOf } from "#commands/open-product.ts";
import { type RunOptions, refuseWords, startRunning } from "#commands/run-server.ts";
import type { Config } from "#config.ts";
import { type Receiver, startReceiver } from "#demo/receiver.ts";
import { startSimulator } from "#demo/simulator.ts";
import type { Instant } from "#domain/time/day.ts";
import { marketSession } from "#domain/time/session.ts";
import type { Clock } from "#ports.ts";
import { startClock } from "#wiring.ts";
import { calls, type DemoAccount, opening } from "./greeting.ts";
import { nothingYet, statusAt, unread, waitUntilRead } from "./ready.ts";

export async function demo(context: CommandContext, options: LedgerOptions, words: readonly string[]) {
  refuseWords(words);
  const { terminal, version } = context;
  const { config: demo } = settingsOf(context, DEFAULTS, options);
  const startAt = demo.startAt ?? openMarket(Date.now());
  const clock = startClock(startAt);
  const emit = eventLog(terminal, demo.logLevel, clock.now);
  const simulator = await startSimulator({ now: clock.now });
  const ready = Promise.withResolvers<void>();
  const receiver = await receiverFor(demo, clock, ready.promise);
  const webhooks = { ...demo.accounts.webhooks, allowPrivate: receiver !== null };
  const config = {
    ...demo,
    upstreamBase: simulator.base,
    // Whatever the environment has: nobody pays for simulated rates.
    accounts: { ...demo.accounts, stripe: null, webhooks },
  };
  const accountMade = Promise.withResolvers<DemoAccount>();
  const prepare: RunOptions["prepare"] = async ({ demoAccount }) => {
    const made = demoAccount(receiver ?? undefined);
    accountMade.resolve(made);
    await made;
  };
  const parts = { config, clock, emit, version, terminal };
  const running = await startRunning({ ...parts, simulated: true, prepare });
  const { url, current } = running;
  const [account] = await Promise.all([
    accountMade.promise,
    // A first collection that fails ends the command by what it says.
    Promise.race([waitUntilRead({ ...waiting(url), missingIn: nothingYet }), current]),
  ]);
  const movedTo = demo.startAt === null ? startAt : null;
  terminal.print(opening({ url, version, account, movedTo }));
  await current;
  const missing = await waitUntilRead({ ...waiting(url), missingIn: unread });
  if (missing.length > 0) terminal.complain(`not there yet: ${missing.join(", ")}; ${url}/status says why`);
  ready.resolve();
  terminal.print(calls({ url, account, receiver, isComplete: missing.length === 0 }));
  await running.ended;
  await Promise.all([simulator.stop(), receiver?.stop()]);
  return 0;
}

/** The simulated sources are all read within seconds. */
const PATIENCE_MILLISECONDS = 30_000;

function waiting(url: string) {
  return { status: () => statusAt(url), sleep: Bun.sleep, patience: PATIENCE_MILLISECONDS };
}

/** Live quotes every few seconds from two feeds: there is something to see. */
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
