/** One redis-server of several in the test's hands: a master, a replica, a sentinel or a node of a cluster. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { atEnd } from "#test/support/at-end.ts";
import { freePort } from "#test/support/free-port.ts";
import { until } from "#test/support/until.ts";

export interface Node {
  readonly port: number;
  /** One command on a connection that is this test's alone. */
  ask(command: string, ...args: (string | number)[]): Promise<unknown>;
  /** On the same port, with the directory of before. */
  start(): Promise<void>;
  isRunning(): boolean;
  isStopped(): boolean;
  /** kill -9; resolves when the process is gone. */
  kill(): Promise<void>;
  pause(): void;
  goOn(): void;
  /** Ends it and removes its directory. */
  end(): Promise<void>;
}

export interface NodeOptions {
  /** Watches masters instead of being one. */
  readonly isSentinel?: boolean;
  readonly isOfCluster?: boolean;
  /** What its certificate is checked with: it takes encrypted connections alone then, by the name localhost. */
  readonly ca?: string;
}

/** Started with these lines of configuration. `password` is what it asks for. */
export async function startNode(...settings: Parameters<typeof nodeOn>): Promise<Node> {
  for (let attempt = 1; ; attempt++) {
    const node = nodeOn(...settings);
    // A test that fails on its way does not leave it behind.
    atEnd(node.end);
    try {
      await node.start();
      return node;
    } catch (fault) {
      // Another program may have taken a port that was free.
      await node.end();
      if (attempt === MOST_ATTEMPTS) throw fault;
    }
  }
}

const MOST_ATTEMPTS = 5;

function nodeOn(
  program: string,
  password: string,
  lines: readonly string[],
  { isSentinel = false, isOfCluster = false, ca }: NodeOptions = {},
): Node {
  const directory = mkdtempSync(join(tmpdir(), "crossrate-redis-"));
  const settings = join(directory, "redis.conf");
  const port = freePort();
  const ports = ca === undefined ? [`port ${port}`] : ["port 0", `tls-port ${port}`];
  if (isOfCluster) ports.push("cluster-enabled yes", `cluster-port ${freePort()}`);
  const all = ["bind 127.0.0.1", ...ports, `dir ${directory}`, `requirepass ${password}`, ...lines];
  writeFileSync(settings, all.join("\n"));
  let running: Bun.Subprocess | null = null;
  let isStopped = false;
  const redis = new Redis({
    port,
    password,
    retryStrategy: () => 20,
    maxRetriesPerRequest: 0,
    ...(ca === undefined ? { host: "127.0.0.1" } : { host: "localhost", tls: { ca } }),
  });
  redis.on("error", () => {});
  const node: Node = {
    port,
    ask: (command, ...args) => redis.call(command, ...args),
    start: async () => {
      const started = Bun.spawn([program, settings, ...(isSentinel ? ["--sentinel"] : [])], {
        stdout: "ignore",
        stderr: "ignore",
      });
      running = started;
      await until("a node answers", async () => {
        if (started.exitCode !== null) throw new Error(`redis-server ended with ${started.exitCode}`);
        return (await node.ask("PING").catch(() => "")) === "PONG";
      });
    },
    kill: async () => {
      running?.kill("SIGKILL");
      await running?.exited;
      running = null;
    },
    isRunning: () => running !== null,
    isStopped: () => isStopped,
    pause: () => {
      isStopped = true;
      running?.kill("SIGSTOP");
    },
    goOn: () => {
      isStopped = false;
      running?.kill("SIGCONT");
    },
    end: async () => {
      redis.disconnect();
      await node.kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
  return node;
}
