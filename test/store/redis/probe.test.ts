/** What doctor says of one server: its version, whether it evicts, and why it cannot be used. */

import { expect, test } from "bun:test";
import { probeRedis } from "#store/redis/connection/connection.ts";
import { runInProcess } from "#test/commands/process.ts";
import { onBreakableRedis } from "#test/support/redis-server.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

onBreakableRedis("doctor's look at Redis", (server) => {
  test("says why it cannot be used", async () => {
    await expect(probeRedis(server.url.replace("redis://", "redis://ada:wrong@"))).rejects.toThrow(
      "WRONGPASS",
    );
    await server.kill();
    await expect(probeRedis(server.url)).rejects.toThrow("ECONNREFUSED");
  });

  test("that its user may not ask whether it evicts is no fault of it", async () => {
    const rights = "on >word ~{crossrate* +@read +@write +@scripting +@connection +time";
    await server.ask("ACL", "SETUSER", "app", ...rights.split(" "));
    const { out } = await runInProcess(["doctor", "--local", "--json"], {
      ...{ DATA_DIR: temporaryDirectory(), UPSTREAM_BASE: "http://127.0.0.1:9" },
      REDIS_URL: server.url.replace("redis://", "redis://app:word@"),
    });
    expect(JSON.parse(out)).toContainEqual({
      ...{ what: "Redis", state: "note", found: "answers; its user may not ask whether it evicts" },
      advice: expect.stringContaining("+info"),
    });
  });

  test("gives up on one that takes connections and does not answer", async () => {
    server.pause();
    await expect(probeRedis(server.url)).rejects.toThrow();
  });
});
