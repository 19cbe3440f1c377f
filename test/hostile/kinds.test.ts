/** Every kind of hostile client on every route and static asset, in small: the whole of it is bench/hostile/run.ts. */

import { expect, setDefaultTimeout, test } from "bun:test";
import { KINDS } from "#bench/hostile/kinds.ts";
import { findTargets } from "#bench/hostile/targets.ts";
import { until } from "#test/support/until.ts";
import { attackedOfEachTest } from "./attacked.ts";
import { crowd } from "./crowd.ts";

setDefaultTimeout(120_000);
const startAttacked = attackedOfEachTest();
/** The bound of bench:hostile. The peak of all kinds one after the other is 450 to 570; a regression takes gigabytes. */
const MOST_MEGABYTES = 700;
const SECONDS = 0.5;

test("no kind of client on any route takes the server down, makes it fail, or leaves connections behind", async () => {
  const server = await startAttacked();
  const targets = await findTargets(async (path) => await (await fetch(server.url + path)).json());
  for (const kind of Object.keys(KINDS)) {
    const { opened, answers } = await crowd(server.url, {
      kind,
      targets,
      connections: targets.length,
      seconds: SECONDS,
    });
    expect(opened).toBeGreaterThan(0);
    // Refusals are answers, 503 among them; 500 is a fault.
    expect(Object.keys(answers).filter((status) => Number(status) >= 500 && status !== "503")).toEqual([]);
    await until(`the clients (${kind}) are gone and /health answers`, async () => {
      const { status } = await fetch(`${server.url}/health`);
      return status === 200 && server.connections() < targets.length / 4;
    });
    expect({
      kind,
      isBounded: server.peak() <= MOST_MEGABYTES,
      peak: Math.round(server.peak()),
    }).toMatchObject({
      kind,
      isBounded: true,
    });
  }
});
