/** A whole installation on this machine: simulated upstreams with a running clock, one data directory, one Redis, replicas. */

import { recentDirectory } from "#test/commands/lakes.ts";
import { listen } from "#test/support/listen.ts";
import { startFullSimulator } from "#test/support/official/simulator.ts";
import { redisServer } from "#test/support/redis-server.ts";
import { type ReplicaProcess, startReplica } from "./replica-process.ts";

/** A Tuesday on which the market is open. */
const BEGINS = Date.parse("2026-04-14T12:00:00Z");

export type Installation = Awaited<ReturnType<typeof openInstallation>>;

/** Daily rates of the day before are in the lake; Redis is not started yet. `program` is the path of redis-server. */
export async function openInstallation(program: string) {
  const dataDir = await recentDirectory();
  const began = performance.now();
  const now = () => BEGINS + Math.floor(performance.now() - began);
  const simulator = await startFullSimulator({ now });
  const redis = redisServer(program);
  const unwanted: string[] = [];
  const refusing = listen((request) => {
    unwanted.push(new URL(request.url).pathname);
    return new Response("no request is allowed here", { status: 500 });
  });
  const started: ReplicaProcess[] = [];
  const start = async (settings: Record<string, string>) => {
    const replica = await startReplica({
      DATA_DIR: dataDir,
      REDIS_URL: redis.url,
      // Each process starts its clock at this very moment, so that all of them agree.
      NOW: new Date(now()).toISOString(),
      LIVE_FEED: "massive",
      MASSIVE_API_KEY: "0".repeat(32),
      MASSIVE_REQUESTS_PER_MINUTE: "60",
      LIVE_POLL_SECONDS: "1",
      ...settings,
    });
    started.push(replica);
    return replica;
  };
  return {
    redis,
    simulator,
    /** The one that collects, from the simulator, every second. */
    collecting: (more: Record<string, string> = {}) => start({ UPSTREAM_BASE: simulator.base, ...more }),
    /** A replica that only answers. Its requests to any upstream are recorded and refused. */
    answering: (more: Record<string, string> = {}) =>
      start({ ROLE: "api", UPSTREAM_BASE: refusing.url, ...more }),
    /** Paths that answering replicas have requested of upstreams. */
    unwanted: () => unwanted,
    end: async () => {
      redis.goOn();
      await Promise.all(started.map((replica) => replica.end("SIGKILL")));
      await redis.end();
      await simulator.stop();
    },
  };
}
