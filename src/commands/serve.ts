/** `crossrate serve`: production. Listens at once, backfills what is missing, then keeps current. */

import { readConfig } from "#config.ts";
import { startClock } from "#wiring.ts";
import type { Command } from "./command.ts";
import { startRunning } from "./running.ts";

export const serveCommand: Command = {
  name: "serve",
  summary: "serve real rates; the first start collects the whole history",
  usage: "",
  help: `Listens on HOST:PORT and answers from the lake under DATA_DIR. The first start collects the ECB's whole
history and the H.10 series; until the first documents are in, rate endpoints answer 503 and /status says why.
Afterwards the sources are polled around their publication times, and the last 90 days are re-read daily for
corrections. Callers need no key up to the anonymous limits; ACCESS=open switches keys and limits off. Settings come
from the environment; see the table in README.md.`,
  async run({ environment, version, terminal }) {
    const config = readConfig(environment);
    const clock = startClock(config.startAt);
    const tell = terminal.tell(config.logLevel, clock.now);
    const running = await startRunning({ config, clock, tell, version, simulated: false, terminal });
    terminal.print(`crossrate ${version} answers on ${running.url}`);
    // Asked to stop, it does not wait for a collection that is still trying.
    await Promise.race([running.ended, running.current.then(() => running.ended)]);
    return 0;
  },
};
