/** A master with its replica and three sentinels; a cluster of three masters and three replicas. Both ask for passwords. */

import { atEnd } from "#test/support/at-end.ts";
import { type RedisServer, type RedisServerOptions, redisServer } from "#test/support/redis-server.ts";
import { until } from "#test/support/until.ts";

export interface Deployment {
  readonly url: string;
  readonly nodes: readonly RedisServer[];
  /** The node that has the keys of this product now, as the others see it. */
  master(): Promise<RedisServer>;
}

// As in an address, where they are escaped.
export const PASSWORD = "open:sesame/1";
export const SENTINEL_PASSWORD = "watch&ward";

export async function startSentinels(program: string) {
  const first = await startMember(program, []);
  const second = await startMember(program, [`replicaof 127.0.0.1 ${first.port}`]);
  const nodes = [first, second];
  await untilFollowing(second);
  const sentinels = await Promise.all([1, 2, 3].map(() => startSentinel(program, first)));
  await until("each sentinel knows the others and the replica", async () => {
    const reports = await Promise.all(
      sentinels.map((sentinel) => sentinel.ask("SENTINEL", "MASTER", "rates")),
    );
    return reports.every((report) => {
      const words = (report as string[]).join(" ");
      return words.includes("num-slaves 1") && words.includes("num-other-sentinels 2");
    });
  });
  const urlOf = (some: readonly RedisServer[]) => {
    const hosts = some.map(({ port }) => `127.0.0.1:${port}`).join(",");
    const parameter = `sentinel_password=${encodeURIComponent(SENTINEL_PASSWORD)}`;
    return `redis+sentinel://:${encodeURIComponent(PASSWORD)}@${hosts}/rates/1?${parameter}`;
  };
  const all = [...nodes, ...sentinels];
  return {
    url: urlOf(sentinels),
    /** An address in which this sentinel comes first. */
    urlWith: (sentinel: RedisServer) => urlOf([sentinel, ...sentinels]),
    replica: second,
    nodes: all,
    master: async () => {
      const address = await sentinels[0]?.ask("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "rates");
      return byPort(nodes, Number((address as string[])[1]));
    },
  };
}

/** One that takes this node for the master. */
export function startSentinel(program: string, master: RedisServer): Promise<RedisServer> {
  const lines = [
    `sentinel monitor rates 127.0.0.1 ${master.port} 2`,
    `sentinel auth-pass rates ${PASSWORD}`,
    "sentinel down-after-milliseconds rates 300",
    "sentinel failover-timeout rates 2000",
    `sentinel sentinel-pass ${SENTINEL_PASSWORD}`,
  ];
  return startServer(program, { password: SENTINEL_PASSWORD, lines, isSentinel: true });
}

/** Of either, with the password of all. */
function startMember(program: string, lines: readonly string[], options: RedisServerOptions = {}) {
  const ofAll = [`masterauth ${PASSWORD}`, "repl-diskless-sync-delay 0"];
  return startServer(program, { password: PASSWORD, lines: [...ofAll, ...lines], ...options });
}

/** A test that fails on its way does not leave it behind. */
export async function startServer(program: string, options: RedisServerOptions): Promise<RedisServer> {
  const server = redisServer(program, options);
  atEnd(server.end);
  await server.start();
  return server;
}

export type ClusterDeployment = Awaited<ReturnType<typeof startCluster>>;

export async function startCluster(program: string) {
  const nodes = await Promise.all(
    Array.from({ length: 6 }, () =>
      startMember(program, ["cluster-node-timeout 700"], { isOfCluster: true }),
    ),
  );
  const [first, ...rest] = nodes as [RedisServer, ...RedisServer[]];
  const idOf = async (node: RedisServer) => String(await node.ask("CLUSTER", "MYID"));
  await Promise.all(nodes.map((node, nth) => node.ask("CLUSTER", "SET-CONFIG-EPOCH", nth + 1)));
  for (const node of rest) {
    const busPort = ((await node.ask("CONFIG", "GET", "cluster-port")) as string[])[1] ?? "";
    await first.ask("CLUSTER", "MEET", "127.0.0.1", node.port, busPort);
  }
  const ranges = [[0, 5460] as const, [5461, 10_922] as const, [10_923, 16_383] as const];
  for (const [nth, [from, to]] of ranges.entries())
    await nodes[nth]?.ask("CLUSTER", "ADDSLOTSRANGE", from, to);
  const info = async (node: RedisServer) => String(await node.ask("CLUSTER", "INFO"));
  await until("every node knows every other", async () =>
    (await Promise.all(nodes.map(info))).every((text) => text.includes("cluster_known_nodes:6")),
  );
  for (const [nth, node] of nodes.slice(3).entries()) {
    const id = await idOf(nodes[nth] as RedisServer);
    await until(
      "it knows its master",
      async () => (await node.ask("CLUSTER", "REPLICATE", id).catch(() => "")) === "OK",
    );
  }
  await until("the cluster is complete", async () => {
    const states = await Promise.all(nodes.map(info));
    const following = await Promise.all(nodes.slice(3).map(isFollowing));
    return states.every((text) => text.includes("cluster_state:ok")) && following.every((one) => one);
  });
  const slot = Number(await first.ask("CLUSTER", "KEYSLOT", "{crossrate}"));
  const masters = async () => {
    const alive = await firstAnswer(nodes, (node) => node.ask("CLUSTER", "SLOTS"));
    return (alive as [number, number, [string, number]][]).map(([from, to, [, port]]) => ({
      isOurs: slot >= from && slot <= to,
      node: byPort(nodes, port),
    }));
  };
  const hosts = nodes.map(({ port }) => `127.0.0.1:${port}`).join(",");
  return {
    url: `redis+cluster://:${encodeURIComponent(PASSWORD)}@${hosts}`,
    nodes,
    slot,
    idOf,
    master: async () => (await masters()).find(({ isOurs }) => isOurs)?.node as RedisServer,
    /** The masters that have other slots. */
    others: async () => (await masters()).filter(({ isOurs }) => !isOurs).map(({ node }) => node),
  };
}

export function untilFollowing(node: RedisServer): Promise<void> {
  return until("a replica follows", () => isFollowing(node));
}

async function isFollowing(node: RedisServer): Promise<boolean> {
  return String(await node.ask("INFO", "replication").catch(() => "")).includes("master_link_status:up");
}

/** Of the first node that is alive. */
async function firstAnswer(nodes: readonly RedisServer[], question: (node: RedisServer) => Promise<unknown>) {
  const answers = await Promise.allSettled(nodes.filter((node) => node.state() === "running").map(question));
  return answers.find((answer) => answer.status === "fulfilled")?.value;
}

function byPort(nodes: readonly RedisServer[], port: number): RedisServer {
  const node = nodes.find((one) => one.port === port);
  if (node === undefined) throw new Error(`no node has port ${port}`);
  return node;
}
