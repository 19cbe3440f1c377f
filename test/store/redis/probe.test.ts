/** What doctor says of one server, its version, whether it evicts, and why it cannot be used; and a database that it does not have. */

import { expect, test } from "bun:test";
import { connectRedis, probeRedis } from "#store/redis/connection/connection.ts";
import { onBreakableRedis } from "#test/support/redis-server.ts";
import { until } from "#test/support/until.ts";

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

  test("a database that it does not have is a fault, and never another one", async () => {
    const redis = connectRedis(`${server.url}/99`, "test");
    const faults: string[] = [];
    redis.on("error", ({ message }) => faults.push(message));
    await until("it was tried again", async () => {
      await redis.set("a", "1").catch(() => {});
      return faults.length > 2;
    });
    redis.disconnect();
    expect(new Set(faults)).toEqual(new Set(["ERR DB index is out of range"]));
    expect(await server.ask("DBSIZE")).toBe(0);
  });
});
