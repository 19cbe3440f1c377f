/** A real redis-server in the test's hands: killed, paused, emptied, started again on the same port. */

import { afterEach, beforeEach } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { freePort } from "#test/support/free-port.ts";
import { until } from "#test/support/until.ts";

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** One command on a connection of its own. */
  ask(command: string, ...args: string[]): Promise<unknown>;
  start(): Promise<void>;
  /** kill -9; resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGSTOP: the port still takes connections, and nothing answers. */
  pause(): void;
  goOn(): void;
  /** Ends it and removes its directory. */
  end(): Promise<void>;
}

/** Not started yet; nothing is persisted. `path` is that of the program, with what comes before it where something does. */
export function redisServer(...path: string[]): RedisServer {
  const directory = mkdtempSync(join(tmpdir(), "crossrate-redis-"));
  const port = freePort();
  const url = `redis://127.0.0.1:${port}`;
  let running: Bun.Subprocess | null = null;
  const kill = async () => {
    const process = running;
    running = null;
    process?.kill("SIGKILL");
    await process?.exited;
  };
  const ask = async (command: string, ...args: string[]): Promise<unknown> => {
    const redis = new Redis(url, { retryStrategy: null, maxRetriesPerRequest: 0, lazyConnect: true });
    redis.on("error", () => {});
    try {
      await redis.connect();
      return await redis.call(command, ...args);
    } finally {
      redis.disconnect();
    }
  };
  return {
    url,
    port,
    ask,
    kill,
    start: async () => {
      const options = ["--bind", "127.0.0.1", "--port", String(port), "--dir", directory];
      running = Bun.spawn([...path, ...options, "--save", "", "--appendonly", "no", "--daemonize", "no"], {
        stdout: "ignore",
        stderr: "ignore",
      });
      await until("redis-server answers", () =>
        ask("PING").then(
          () => true,
          () => false,
        ),
      );
    },
    pause: () => running?.kill("SIGSTOP"),
    goOn: () => running?.kill("SIGCONT"),
    end: async () => {
      await kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** A new server for each test of the block, started unless said otherwise, behind one object that is the same for all. */
export function redisServerPerTest(program: string | null, { isStarted = true } = {}): RedisServer {
  let current: RedisServer;
  beforeEach(async () => {
    current = redisServer(program ?? "");
    if (isStarted) await current.start();
  });
  afterEach(async () => {
    current.goOn();
    await current.end();
  });
  return {
    get url() {
      return current.url;
    },
    get port() {
      return current.port;
    },
    ask: (...args) => current.ask(...args),
    start: () => current.start(),
    kill: () => current.kill(),
    pause: () => current.pause(),
    goOn: () => current.goOn(),
    end: () => current.end(),
  };
}
