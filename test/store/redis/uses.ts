/** What every use of Redis guarantees on every kind of deployment. */

import { expect, test } from "bun:test";
import { probeRedis } from "#store/redis/connection/connection.ts";
import { ADDRESS, fill, grantedOf, org, take } from "#test/store/counters/fixtures.ts";
import { mids, quote } from "#test/store/hot-book/sample.ts";
import { until } from "#test/support/until.ts";
import type { Deployment } from "./deployment.ts";
import type { Pair } from "./processes.ts";

export function testUses(deployment: () => Deployment, pair: Pair): void {
  test("quotes go from one process to the other, and a new process finds them", async () => {
    const [a, b] = await pair.books();
    await a.publish([quote("EUR", "0.9", 1)]);
    await until("b has it", () => mids(b.read()).includes("EUR 0.9"));
    await b.publish([quote("JPY", "150", 1)]);
    await until("a has it", () => mids(a.read()).includes("JPY 150"));
    const [later] = await pair.books();
    expect(mids(later.read())).toContain("EUR 0.9, JPY 150");
    expect(pair.emitted).toEqual([]);
  });

  test.each([true, false])(
    "calls of many callers at once are counted together and to the unit, leases %p",
    async (leases) => {
      const [a, b] = await pair.linkedCounters(leases);
      const callers = Array.from({ length: 100 }, (_, nth) => org(`org_${leases}_${nth}`, 10, 1_000_000));
      const taken = await Promise.all(
        callers.flatMap((caller) =>
          Array.from({ length: 8 }, (_, nth) => take(nth % 2 === 0 ? a : b, caller)),
        ),
      );
      expect(grantedOf(taken)).toBe(800);
      expect(taken.every((one) => one.outcome === "granted" && one.by === "shared")).toBe(true);
      for (const caller of callers.slice(0, 5))
        expect([await fill(a, caller), await fill(b, caller)]).toEqual([2, 0]);
      expect(pair.emitted).toEqual([]);
    },
  );

  test("an address has its minute and its hour shared", async () => {
    const [a, b] = await pair.linkedCounters();
    const { minute } = ADDRESS.allowance;
    expect((await fill(a, ADDRESS)) + (await fill(b, ADDRESS))).toBe(minute);
  });

  test("doctor reads its version, and whether it evicts", async () => {
    expect(await probeRedis(deployment().url)).toMatchObject({ version: expect.any(String), evicts: false });
    const master = await deployment().master();
    await master.ask("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
    expect(await probeRedis(deployment().url)).toMatchObject({ evicts: true });
    await master.ask("CONFIG", "SET", "maxmemory-policy", "noeviction");
  });
}
