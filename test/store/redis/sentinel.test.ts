/** Every use of Redis on a master that sentinels watch: by its name, through a failover, and while all of them are away. */

import { describe, test } from "bun:test";
import { ofAllTests } from "#test/support/of-all-tests.ts";
import type { RedisServer } from "#test/support/redis-server.ts";
import { optionalTool } from "#test/support/require-tool.ts";
import { until } from "#test/support/until.ts";
import { testAway } from "./away.ts";
import { PASSWORD, SENTINEL_PASSWORD, startSentinel, startSentinels } from "./deployment.ts";
import { testFailover } from "./failover.ts";
import { pairOn } from "./processes.ts";
import { testUses } from "./uses.ts";

const program = optionalTool("redis-server", "Redis with sentinels");

describe.skipIf(program === null)("a master with sentinels", () => {
  const deployment = ofAllTests(() => startSentinels(program ?? ""));
  const pair = pairOn(() => deployment);

  testUses(() => deployment, pair);
  test("a sentinel that names a replica for the master is not believed", async () => {
    const wrong = await startSentinel(program ?? "", deployment.replica);
    const [first] = await pair.at(deployment.urlWith(wrong)).books();
    const master = await deployment.master();
    const isAt = async (node: RedisServer) =>
      String(await node.ask("CLIENT", "LIST")).includes("name=crossrate-book ");
    await until(
      "it has left for the master",
      async () => !(await isAt(deployment.replica)) && (await isAt(master)),
    );
    await until("the book is shared", () => first.state().status === "ok");
    await wrong.end();
  });
  // One that hangs: test/store/redis/cluster.test.ts.
  testFailover("killed", () => deployment, pair);
  testAway([PASSWORD, SENTINEL_PASSWORD], () => deployment, pair);
});
