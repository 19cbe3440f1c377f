/** Runs a server, for `crossrate serve` and `demo`: opens, listens, brings the lake up to date, runs the timetable, shuts down cleanly. */

import { type CommandContext, type Terminal, UsageFault } from "#cli/command.ts";
import { type EndingSignal, EXIT_CODES, endingSignals } from "#cli/terminal.ts";
import { becomeOnlyServer, type CrossrateOptions } from "#compose.ts";
import type { Config } from "#config.ts";
import { withHosts } from "#domain/faults/upstream.ts";
import { formatInstant } from "#domain/time/day.ts";
import {
  inSettings,
  type LedgerOptions,
  listenFault,
  type Opened,
  openNaming,
  settingsOf,
} from "./open-product.ts";

/** Runs the production server: it listens at once, collects missing data, then stays current. */
export async function serve(context: CommandContext, options: LedgerOptions, words: readonly string[]) {
  refuseWords(words);
  const { version, terminal } = context;
  const settings = settingsOf(context, {}, { ...options, serves: true });
  const running = await startRunning({ ...settings, version, simulated: false, terminal });
  const { url } = running;
  terminal.print(
    `crossrate ${version} answers on ${url}; ${url}/docs shows every call, ${url}/status/page how old the data is`,
  );
  const collected = running.current.then(() => {
    for (const fault of running.failedSources()) terminal.complain(`${fault}; see ${url}/status`);
  });
  // A request to stop does not wait for a collection that is still trying.
  await Promise.race([running.ended, collected.then(() => running.ended)]);
}

/** Throws for an argument that was meant as a setting: it must not be ignored. */
export function refuseWords([first]: readonly string[]): void {
  if (first !== undefined)
    throw new UsageFault(`${first} is not understood; settings come from the environment, as in PORT=4000`);
}

export type Running = Awaited<ReturnType<typeof startRunning>>;

export interface RunOptions extends Omit<CrossrateOptions, "serves" | "answers"> {
  readonly terminal: Terminal;
  /** Official tables are not collected before it resolves: it may, for example, add a receiver of their events. */
  readonly prepare?: (server: {
    readonly url: string;
    readonly demoAccount: Opened["demoAccount"];
  }) => Promise<void>;
}

/** Time for running requests, once no new connection is accepted. */
const DRAIN_MILLISECONDS = 15_000;
/** The process ends at the latest this long after the signal. Kubernetes kills after 30 s. */
const DEADLINE_MILLISECONDS = 25_000;
/** From this long after the first signal on, another signal ends the process at once. */
const INSIST_MILLISECONDS = 1_000;

/** Rejects when the port is taken, the lake cannot be used, or another server uses it without Redis. */
export async function startRunning(options: RunOptions) {
  const { config, emit, terminal, simulated, version, prepare = async () => {} } = options;
  const only = await becomeOnlyServer(config, { say: terminal.complain }).catch((fault: unknown) => {
    throw inSettings(fault, config);
  });
  const crossrate = await openNaming({ ...options, serves: true });
  const server = listen(config, crossrate.app);
  crossrate.setPeerAddress((request) => server.requestIP(request)?.address ?? "");
  crossrate.setListener(server);
  const shownHost = ["127.0.0.1", "0.0.0.0", "::"].includes(config.host) ? "localhost" : config.host;
  const url = `http://${shownHost.includes(":") ? `[${shownHost}]` : shownHost}:${server.port}`;
  emit({ kind: "server_started", url, mode: simulated ? "simulated" : "live", version });

  const { demoAccount } = crossrate;
  const collection = crossrate.collect(prepare({ url, demoAccount }), ({ label, done, total }) =>
    terminal.progress(label, done, total),
  );
  /** Resolves after the lake's first update; upstream faults are in /status. */
  const current = collection?.current ?? Promise.resolve();
  let stopping = false;
  let stopWatching = () => {};
  const watching = current.finally(() => {
    if (!stopping) stopWatching = crossrate.startWatch();
    // Frees what only the start needed: code that ran once, and the documents that it read.
    Bun.shrink();
  });
  // No unhandled rejection: callers that wait for `current` get its fault.
  watching.catch(() => {});
  /** Resolves after SIGTERM, SIGHUP or SIGINT, when everything is closed. */
  const ended = new Promise<void>((resolve, reject) => {
    let mayInsist = false;
    const stop = (signal: EndingSignal) => {
      // One Ctrl-C may arrive twice, from the terminal and from the parent program: only a later signal insists.
      if (mayInsist) process.exit(EXIT_CODES[signal]);
      if (stopping) return;
      stopping = true;
      setTimeout(() => {
        mayInsist = true;
        terminal.complain(
          `finishing running requests, at most ${DEADLINE_MILLISECONDS / 1000} s; a second signal ends it at once`,
        );
      }, INSIST_MILLISECONDS).unref();
      // Ends work that would not end, such as a query to a dead database, before the system kills the process.
      setTimeout(() => {
        emit({ kind: "shutdown_cut_off", seconds: DEADLINE_MILLISECONDS / 1000 });
        process.exit(EXIT_CODES[signal]);
      }, DEADLINE_MILLISECONDS).unref();
      emit({ kind: "server_stopping", signal });
      only.leave();
      // /status now answers 503: balancers send their requests elsewhere.
      crossrate.startStopping();
      stopWatching();
      // Stops collecting at once: another collector takes over while this process still answers.
      const released = collection?.stop() ?? Promise.resolve();
      const drained = Bun.sleep(signal === "SIGINT" ? 0 : config.shutdownDelaySeconds * 1000).then(() => {
        crossrate.endStreams();
        // Closes slow connections after this time: a client that does not read would keep the process for a minute.
        const cutOff = setTimeout(() => void server.stop(true), DRAIN_MILLISECONDS);
        return server.stop().finally(() => clearTimeout(cutOff));
      });
      Promise.all([released, drained])
        .then(() => crossrate.close())
        .then(only.release)
        .then(resolve, reject);
    };
    for (const signal of endingSignals()) process.on(signal, () => stop(signal));
  });
  /** One clause for each daily source that failed in its last collection: why, and when it is tried again. */
  const failedSources = (): readonly string[] => {
    const failed = crossrate.collector.states().filter(({ outcome }) => outcome === "failed");
    return failed.map(({ source, detail }) => {
      const next = crossrate.nextCollection(source);
      const again = next === null ? "" : `; tried again at ${formatInstant(next).slice(11, 16)} UTC`;
      return `${source} could not be collected: ${withHosts(detail)}${again}`;
    });
  };
  return { url, current, failedSources, demoAccount, ended };
}

function listen({ port, host, answerIdleSeconds }: Config, app: Opened["app"]) {
  try {
    return Bun.serve({
      port,
      hostname: host,
      fetch: app.inTurns(app.answer),
      maxRequestBodySize: app.largestBody,
      // A second instance on the same port must fail loudly, not share its traffic.
      reusePort: false,
      development: false,
      idleTimeout: answerIdleSeconds,
    });
  } catch (fault) {
    throw listenFault(fault, "", { port, host });
  }
}
