/** A real redis-server in the test's hands: killed, paused, emptied, started again on the same port. */

import { afterEach, beforeAll, beforeEach, describe } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { endsWithFile } from "./at-end.ts";
import { freePort } from "./free-port.ts";
import { optionalTool } from "./require-tool.ts";
import { until } from "./until.ts";

export interface RedisServerOptions {
  readonly password?: string;
  readonly lines?: readonly string[];
  readonly isSentinel?: boolean;
  readonly isOfCluster?: boolean;
  /** What its certificate is checked with: it takes encrypted connections alone then, by the name localhost. */
  readonly ca?: string;
}

export type RedisServer = ReturnType<typeof redisServer>;

/** Not started yet; nothing is persisted. `program` is its path, after what comes before it where something does. */
export function redisServer(
  program: string | readonly string[],
  { password, lines = [], isSentinel = false, isOfCluster = false, ca }: RedisServerOptions = {},
) {
  const directory = mkdtempSync(join(tmpdir(), "crossrate-redis-"));
  const settings = join(directory, "redis.conf");
  const port = freePort();
  const all = ["bind 127.0.0.1", `dir ${directory}`];
  if (!isSentinel) all.push('save ""', "appendonly no");
  all.push(...(ca === undefined ? [`port ${port}`] : ["port 0", `tls-port ${port}`]));
  if (isOfCluster) all.push("cluster-enabled yes", `cluster-port ${freePort()}`);
  if (password !== undefined) all.push(`requirepass ${password}`);
  writeFileSync(settings, [...all, ...lines].join("\n"));
  let running: Bun.Subprocess | null = null;
  let isPaused = false;
  const ask = async (command: string, ...args: (string | number)[]): Promise<unknown> => {
    const redis = new Redis({
      port,
      ...(password === undefined ? {} : { password }),
      ...(ca === undefined ? { host: "127.0.0.1" } : { host: "localhost", tls: { ca } }),
      retryStrategy: null,
      maxRetriesPerRequest: 0,
      enableReadyCheck: false,
      lazyConnect: true,
    });
    redis.on("error", () => {});
    try {
      await redis.connect();
      return await redis.call(command, ...args);
    } finally {
      redis.disconnect();
    }
  };
  const kill = async () => {
    const process = running;
    running = null;
    isPaused = false;
    process?.kill("SIGKILL");
    await process?.exited;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    ask,
    kill,
    /** On the same port, with the directory of before. */
    start: async () => {
      const command = [program, settings, isSentinel ? "--sentinel" : []].flat();
      const started = Bun.spawn(command, { stdout: "ignore", stderr: "ignore" });
      running = started;
      await until("redis-server answers", async () => {
        if (started.exitCode !== null) throw new Error(`redis-server ended with ${started.exitCode}`);
        return (await ask("PING").catch(() => "")) === "PONG";
      });
    },
    state: () => (running === null ? "ended" : isPaused ? "paused" : "running"),
    /** SIGSTOP: the port still takes connections, and nothing answers. */
    pause: () => {
      isPaused = true;
      running?.kill("SIGSTOP");
    },
    goOn: () => {
      isPaused = false;
      running?.kill("SIGCONT");
    },
    end: endsWithFile(async () => {
      await kill();
      rmSync(directory, { recursive: true, force: true });
    }),
  };
}

/** Describes `name` on a Redis that is emptied before each test; skipped on a machine without redis-server. */
export function onRedis(name: string, tests: (server: RedisServer) => void): void {
  describeWith(name, tests, (server) => {
    beforeAll(server.start);
    beforeEach(() => server.ask("FLUSHALL"));
  });
}

/** The same on one that the tests break: it is started for each of them. */
export function onBreakableRedis(name: string, tests: (server: RedisServer) => void): void {
  describeWith(name, tests, (server) => {
    beforeEach(server.start);
    afterEach(server.kill);
  });
}

function describeWith(
  name: string,
  tests: (server: RedisServer) => void,
  hooks: (server: RedisServer) => void,
): void {
  const program = optionalTool("redis-server", name);
  describe.skipIf(program === null)(name, () => {
    const server = redisServer(program ?? "");
    hooks(server);
    tests(server);
  });
}
