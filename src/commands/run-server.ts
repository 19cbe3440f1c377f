/** What serve and demo share: open, listen, bring the lake up to date, run the timetable, and stop in good order. */

import type { Config } from "#config.ts";
import type { Clock } from "#ports.ts";
import type { Emit } from "#telemetry.ts";
import { openCrossrate } from "#wiring.ts";
import type { Terminal } from "./command.ts";
import { inSettings, listenFault } from "./start-fault.ts";

export interface Running {
  readonly url: string;
  /** Resolves when the lake has been brought up to date for the first time; upstream faults are in /status. */
  readonly current: Promise<void>;
  /** Daily sources whose last collection failed. */
  readonly failedSources: () => readonly string[];
  readonly demoAccount: Awaited<ReturnType<typeof openCrossrate>>["demoAccount"];
  /** Resolves after SIGTERM or SIGINT, when everything is closed. */
  readonly ended: Promise<void>;
}

export interface RunOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly version: string;
  readonly simulated: boolean;
  readonly terminal: Terminal;
  /** What is to be there before the first official publication, such as a receiver of its event. */
  readonly prepare?: (server: Pick<Running, "url" | "demoAccount">) => Promise<void>;
}

/** How long requests under way may take after SIGTERM. */
const DRAIN_MILLISECONDS = 20_000;
/** From then on a second signal means it. */
const INSIST_MILLISECONDS = 1_000;
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;

/** Rejects when the port is taken or the lake cannot be used. */
export async function startRunning(options: RunOptions): Promise<Running> {
  const { config, emit, terminal, simulated, version, prepare = async () => {} } = options;
  const crossrate = await openCrossrate({ ...options, serves: true }).catch((fault: unknown) => {
    throw inSettings(fault, config);
  });
  const server = listen(config, crossrate.app.answer);
  crossrate.tellCallersBy((request) => server.requestIP(request)?.address ?? "");
  crossrate.tellListener(server);
  const shownHost = config.host === "0.0.0.0" || config.host === "127.0.0.1" ? "localhost" : config.host;
  const url = `http://${shownHost.includes(":") ? `[${shownHost}]` : shownHost}:${server.port}`;
  emit({ kind: "server_started", url, mode: simulated ? "simulated" : "live", version });

  // Live quotes do not wait for the history: they are held against it once it is there.
  const stopLive = crossrate.startLive();
  const stopWatching = crossrate.watchMemory();
  let stopping = false;
  const stops: (() => void)[] = [];
  const starting = (start: () => () => void) => {
    if (!stopping) stops.push(start());
  };
  const { demoAccount } = crossrate;
  // Authorities' tables do not wait for the histories: both spend most of a start waiting, for other servers and for the disk.
  const official = prepare({ url, demoAccount }).then(() => starting(crossrate.startOfficial));
  const backfilled =
    config.role === "api"
      ? Promise.resolve()
      : crossrate.backfill(({ label, done, total }) => terminal.progress(label, done, total));
  const current = Promise.all([official, backfilled.then(() => starting(crossrate.startJobs))]).then(
    () => {},
  );
  const ended = new Promise<void>((resolve, reject) => {
    let mayInsist = false;
    const stop = (signal: "SIGTERM" | "SIGINT") => {
      // One Ctrl-C may come twice, from the terminal and from the program that started this one: only a later one insists.
      if (mayInsist) process.exit(EXIT_CODES[signal]);
      if (stopping) return;
      stopping = true;
      setTimeout(() => {
        mayInsist = true;
        terminal.complain(
          `finishing what is under way, at most ${DRAIN_MILLISECONDS / 1000} s; a second signal ends it at once`,
        );
      }, INSIST_MILLISECONDS).unref();
      emit({ kind: "server_stopping", signal });
      for (const stop of stops) stop();
      stopLive();
      stopWatching();
      crossrate.endStreams();
      // Whoever has not taken an answer by then is cut off: a reader that does not read would hold the process for a minute.
      const cutOff = setTimeout(() => void server.stop(true), DRAIN_MILLISECONDS);
      server
        .stop()
        .finally(() => clearTimeout(cutOff))
        .then(() => crossrate.close())
        .then(resolve, reject);
    };
    process.on("SIGTERM", () => stop("SIGTERM"));
    process.on("SIGINT", () => stop("SIGINT"));
  });
  const failedSources = () => {
    const failed = crossrate.collector.states().filter(({ outcome }) => outcome === "failed");
    return failed.map(({ source }) => source);
  };
  return { url, current, failedSources, demoAccount, ended };
}

/** Throws when the port is taken, or the address is none of this machine. */
function listen(
  { port, host, answerIdleSeconds }: Config,
  fetch: (request: Request) => Response | Promise<Response>,
) {
  try {
    return Bun.serve({
      port,
      hostname: host,
      fetch,
      // A second instance on the same port must fail loudly, not share its traffic.
      reusePort: false,
      development: false,
      idleTimeout: answerIdleSeconds,
    });
  } catch (fault) {
    throw listenFault(fault, "", { port, host });
  }
}
