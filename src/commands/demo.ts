/** `crossrate demo`: the whole product on a made-up world, without network, keys or services. */

import { readConfig } from "#config.ts";
import { startSimulator } from "#demo/simulator.ts";
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
    const demo = readConfig(environment, { DATA_DIR: "data/demo", LOG_LEVEL: "warn" });
    const clock = startClock(demo.startAt);
    const tell = terminal.tell(demo.logLevel, clock.now);
    const simulator = await startSimulator({ now: clock.now });
    const config = { ...demo, upstreamBase: simulator.base };
    const running = await startRunning({ config, clock, tell, version, simulated: true, terminal });
    await running.current;
    terminal.print(greeting(running.url, version));
    await running.ended;
    await simulator.stop();
    return 0;
  },
};

function greeting(url: string, version: string): string {
  return `
  crossrate ${version} answers on ${url}   — SIMULATED rates, nothing here is real

    curl '${url}/v1/latest?symbols=EUR,JPY'
    curl '${url}/v1/2015-01-15?base=EUR&symbols=CHF'
    curl '${url}/v1/convert/USD/EUR/100'
    curl '${url}/v1/range?symbols=EUR&start_date=2024-01-01&end_date=2024-12-31&format=csv'

    ${url}/docs     every endpoint, with a try-it page
    ${url}/status   how old the data is, and why

  Ctrl-C stops it.
`;
}
