/** Every use of Redis on a cluster: through the move of a slot, failovers, and while all nodes are away. */

import { describe, expect, test } from "bun:test";
import { fill, grant, org, take, untilLinked } from "#test/store/counters/fixtures.ts";
import { mids, quote } from "#test/store/hot-book/sample.ts";
import { ofAllTests } from "#test/support/of-all-tests.ts";
import { optionalTool } from "#test/support/require-tool.ts";
import { until } from "#test/support/until.ts";
import { testAway } from "./away.ts";
import { PASSWORD, startCluster, untilFollowing } from "./deployment.ts";
import { testFailover } from "./failover.ts";
import { load, pairOn } from "./processes.ts";
import { moveSlot } from "./slot-moves.ts";
import { testUses } from "./uses.ts";

const program = optionalTool("redis-server", "a cluster of Redis");

describe.skipIf(program === null)("a cluster", () => {
  const deployment = ofAllTests(() => startCluster(program ?? ""));
  const pair = pairOn(() => deployment);

  testUses(() => deployment, pair);

  test("its keys are in one slot", async () => {
    const master = await deployment.master();
    const keys = (await master.ask("KEYS", "*")) as string[];
    expect(keys.length).toBeGreaterThan(100);
    expect(await master.ask("CLUSTER", "COUNTKEYSINSLOT", deployment.slot)).toBe(keys.length);
    for (const other of await deployment.others()) expect(await other.ask("DBSIZE")).toBe(0);
  });

  test("while its slot moves what has moved is asked for at the target, without an outage", async () => {
    const [a, b] = await pair.linkedCounters(false);
    const [first] = await pair.books();
    await first.publish([quote("EUR", "0.95", 2)]);
    const half = org("org_half", 100, 1_000_000);
    for (let call = 0; call < 50; call++) await grant(a, half);
    const move = await moveSlot(deployment);
    await move.moveKeys(/./);
    // Neither process has been told of the target: ASK names it.
    expect((await grant(b, half)).by).toBe("shared");
    expect((await fill(a, half)) + (await fill(b, half))).toBe(49);
    const [later] = await pair.books();
    expect(mids(later.read())).toContain("EUR 0.95");
    await later.publish([quote("EUR", "0.96", 3)]);
    await until("the first has it", () => mids(first.read()).includes("EUR 0.96"));
    await move.finish();
    expect((await take(a, half)).outcome).toBe("refused");
    expect((await grant(a, org("org_new", 10, 100))).by).toBe("shared");
    await first.publish([quote("EUR", "0.97", 4)]);
    await until("the other has it", () => mids(later.read()).includes("EUR 0.97"));
    expect(pair.emitted).toEqual([]);
  });

  test("moved key by key under load: no call fails, no count is lost, and quotes have no outage", async () => {
    const [a, b] = await pair.linkedCounters();
    const [first, second] = await pair.books();
    const full = org("org_moved", 100, 1_000_000);
    expect(await fill(a, full)).toBe(100);
    const busy = load([a, b], first);
    const move = await moveSlot(deployment);
    await move.moveKeys(/book/);
    await move.moveKeys(/org_beside_.*[02468]$/);
    // The life is on one side, callers are on both: TRYAGAIN.
    await until(
      "shares are granted meanwhile",
      async () => (await grant(a, org(crypto.randomUUID(), 9, 9))).by === "process",
    );
    await move.moveKeys(/./);
    await move.finish();
    await Promise.all([a, b].map(untilLinked));
    // By shares it may have had one more window, and no more than that.
    expect([(await take(a, full)).outcome, (await take(b, full)).outcome]).toEqual(["refused", "refused"]);
    const granted = await busy.end();
    expect(granted + (await fill(a, busy.caller)) + (await fill(b, busy.caller))).toBeLessThanOrEqual(2_000);
    await until("the last quote is at both", () => mids(first.read()) === mids(second.read()));
    expect(pair.emitted.filter((line) => line.includes("hot_book") || line.includes("refused"))).toEqual([]);
  });

  testFailover("stopped", () => deployment, pair);
  test("the one that was stopped follows the new one", async () => {
    const stopped = deployment.nodes.filter((node) => node.state() === "paused");
    for (const node of stopped) {
      node.goOn();
      await untilFollowing(node);
    }
    expect(stopped).toHaveLength(1);
  });
  testAway([PASSWORD], () => deployment, pair);
});
