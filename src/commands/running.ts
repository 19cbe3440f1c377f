/** What serve and demo share: open, listen, bring the lake up to date, run the timetable, and stop in good order. */

import type { Config } from "#config.ts";
import type { Clock } from "#ports.ts";
import type { Tell } from "#telemetry.ts";
import { openCrossrate } from "#wiring.ts";
import type { Terminal } from "./command.ts";

export interface Running {
  readonly url: string;
  /** Resolves when the lake has been brought up to date for the first time; upstream faults are in /status. */
  readonly current: Promise<void>;
  readonly demoAccount: Awaited<ReturnType<typeof openCrossrate>>["demoAccount"];
  /** Resolves after SIGTERM or SIGINT, when everything is closed. */
  readonly ended: Promise<void>;
}

export interface RunOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly tell: Tell;
  readonly version: string;
  readonly simulated: boolean;
  readonly terminal: Terminal;
}

/** How long requests under way may take after SIGTERM. */
const DRAIN_MILLISECONDS = 20_000;

/** Rejects when the port is taken or the lake cannot be used. */
export async function startRunning(options: RunOptions): Promise<Running> {
  const { config, tell, terminal, simulated, version } = options;
  const crossrate = await openCrossrate({ ...options, serves: true });
  const { app } = crossrate;
  const server = Bun.serve({
    port: config.port,
    hostname: config.host,
    fetch: app.answer,
    // A second instance on the same port must fail loudly, not share its traffic.
    reusePort: false,
    development: false,
    idleTimeout: 60,
  });
  crossrate.tellCallersBy((request) => server.requestIP(request)?.address ?? "");
  const shownHost = config.host === "0.0.0.0" || config.host === "127.0.0.1" ? "localhost" : config.host;
  const url = `http://${shownHost.includes(":") ? `[${shownHost}]` : shownHost}:${server.port}`;
  tell({ kind: "server_started", url, mode: simulated ? "simulated" : "live", version });

  // Live quotes do not wait for the history: they are held against it once it is there.
  const stopLive = crossrate.startLive();
  let stopJobs = () => {};
  const backfilled =
    config.role === "api"
      ? Promise.resolve()
      : crossrate.backfill(({ label, done, total }) => terminal.progress(label, done, total));
  const current = backfilled.then(() => {
    stopJobs = crossrate.startJobs();
  });
  const ended = new Promise<void>((resolve, reject) => {
    let stopping = false;
    const stop = (signal: string) => {
      if (stopping) return;
      stopping = true;
      tell({ kind: "server_stopping", signal });
      stopJobs();
      stopLive();
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
  return { url, current, demoAccount: crossrate.demoAccount, ended };
}
