/** What doctor says of one server: its version, whether it evicts, and why it cannot be used. */

import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { probeRedis } from "#store/redis/connection/connection.ts";
import { redisServerPerTest } from "#test/store/hot-book/redis-server.ts";
import { optionalTool } from "#test/support/require-tool.ts";

setDefaultTimeout(30_000);
const program = optionalTool("redis-server", "doctor's look at Redis");

describe.skipIf(program === null)("doctor's look at Redis", () => {
  const server = redisServerPerTest(program);

  test("says why it cannot be used", async () => {
    await expect(probeRedis(server.url.replace("redis://", "redis://ada:wrong@"))).rejects.toThrow(
      "WRONGPASS",
    );
    await server.kill();
    await expect(probeRedis(server.url)).rejects.toThrow("ECONNREFUSED");
  });

  test("gives up on one that takes connections and does not answer", async () => {
    server.pause();
    await expect(probeRedis(server.url)).rejects.toThrow();
  });
});
