/** `crossrate demo`: the whole product on a made-up world, without network, keys or services. */

import { readConfig } from "#config.ts";
import { startSimulator } from "#demo/simulator.ts";
import { formatInstant, type Instant } from "#domain/day.ts";
import { marketSession } from "#domain/session.ts";
import { startClock } from "#wiring.ts";
import type { Command } from "./command.ts";
import { startRunning } from "./running.ts";

export const demoCommand: Command = {
  name: "demo",
  summary: "try everything on simulated rates: no network, no keys, no services",
  usage: "",
  help: `Starts a simulator that speaks the wire formats of every upstream over HTTP on this machine, and the product in
front of it. Every number is made up: the notice says SIMULATED, and every answer carries X-Data-Mode: simulated.
The data lies in data/demo (DATA_DIR), and \`serve\` refuses to use it.`,
  async run({ environment, version, terminal }) {
    const demo = readConfig(environment, DEFAULTS);
    const startAt = demo.startAt ?? openMarket(Date.now());
    const clock = startClock(startAt);
    const tell = terminal.tell(demo.logLevel, clock.now);
    const simulator = await startSimulator({ now: clock.now });
    const config = { ...demo, upstreamBase: simulator.base };
    const running = await startRunning({ config, clock, tell, version, simulated: true, terminal });
    await running.current;
    terminal.print(greeting(running.url, version, demo.startAt === null ? startAt : null));
    await running.ended;
    await simulator.stop();
    return 0;
  },
};

/** Live quotes every few seconds from two feeds, so that there is something to see. */
const DEFAULTS = {
  DATA_DIR: "data/demo",
  LOG_LEVEL: "warn",
  LIVE_FALLBACK: "oxr",
  LIVE_POLL_SECONDS: "5",
  OXR_APP_ID: "00000000000000000000000000000000",
  OXR_REQUESTS_PER_MONTH: "10000000",
} as const;

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

function greeting(url: string, version: string, movedTo: Instant | null): string {
  const moved =
    movedTo === null
      ? ""
      : `\n  The market is closed now, so the demo's clock began at ${formatInstant(movedTo)}; NOW=… sets it.\n`;
  return `
  crossrate ${version} answers on ${url}   — SIMULATED rates, nothing here is real
${moved}
    curl '${url}/v1/latest?symbols=EUR,JPY'
    curl '${url}/v1/2015-01-15?base=EUR&symbols=CHF'
    curl '${url}/v1/convert/USD/EUR/100'
    curl -N '${url}/v1/stream?symbols=EUR,JPY'
    curl '${url}/v1/range?symbols=EUR&start_date=2024-01-01&end_date=2024-12-31&format=csv'

    ${url}/docs     every endpoint, with a try-it page
    ${url}/status   how old the data is, and why

  Ctrl-C stops it.
`;
}
