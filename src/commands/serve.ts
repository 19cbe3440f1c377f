/** `crossrate serve`: the production server. It listens at once, collects what is missing, then stays current. */

import { readConfig } from "#config.ts";
import { startClock } from "#wiring.ts";
import { type Command, takesNothing } from "./command.ts";
import { NEW_LEDGER, NEW_LEDGER_FLAG, NEW_LEDGER_HELP, withNewLedger, withoutNewLedger } from "./flags.ts";
import { startRunning } from "./run-server.ts";

export const serveCommand: Command = {
  name: "serve",
  group: "Run a server",
  summary: "serve real rates; a new lake begins with the packaged history of the ECB",
  usage: `[${NEW_LEDGER}]`,
  help: `Listens on HOST:PORT and answers from the lake under DATA_DIR. An empty lake begins with the packaged
history of the ECB; then the days since and the H.10 series are collected, and /status says what is missing.
Then the sources are polled around their publication times, and the last 90 days are re-read daily for
corrections. Callers need no key up to the anonymous limits; ACCESS=open switches keys and limits off. Settings come
from the environment; see docs/configuration.md. Ctrl-C, SIGTERM or a closed terminal stops it: it
answers on for SHUTDOWN_DELAY_SECONDS with 503 at /status, and requests under way get up to 15 seconds; a second one ends it at once.

${NEW_LEDGER_HELP}

  crossrate serve
  PORT=4000 ACCESS=open crossrate serve`,
  words: { flags: [NEW_LEDGER_FLAG] },
  async run({ environment, version, terminal, words }) {
    takesNothing(withoutNewLedger(words));
    const config = withNewLedger(readConfig(environment), words);
    const clock = startClock(config.startAt);
    const emit = terminal.emit(config.logLevel, clock.now);
    const running = await startRunning({ config, clock, emit, version, simulated: false, terminal });
    const { url } = running;
    terminal.print(
      `crossrate ${version} answers on ${url}; ${url}/docs shows every call, ${url}/status how old the data is`,
    );
    const collected = running.current.then(() => {
      const failed = running.failedSources();
      if (failed.length > 0)
        terminal.complain(
          `${failed.join(" and ")} could not be collected; it tries again by itself, see ${url}/status`,
        );
    });
    // Asked to stop, it does not wait for a collection that is still trying.
    await Promise.race([running.ended, collected.then(() => running.ended)]);
    return 0;
  },
};
