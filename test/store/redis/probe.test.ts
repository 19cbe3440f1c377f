/** What doctor says of one server: its version, whether it evicts, and why it cannot be used. */

import { expect, test } from "bun:test";
import { probeRedis } from "#store/redis/connection/connection.ts";
import { onBreakableRedis } from "#test/support/redis-server.ts";

onBreakableRedis("doctor's look at Redis", (server) => {
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
