/** Every kind of hostile client on every route and static asset, in small: the whole of it is bench/hostile/run.ts. */

import { expect, setDefaultTimeout, test } from "bun:test";
import { openRoutes } from "#api/plugins/wire.ts";
import { KINDS } from "#bench/hostile/kinds.ts";
import { findTargets, type Target } from "#bench/hostile/targets.ts";
import { openTestApp } from "#test/api/harness.ts";
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
  expect(missedBy(targets)).toEqual([]);
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

function missedBy(targets: readonly Pick<Target, "path">[]): readonly string[] {
  const { routes } = openTestApp();
  const table = openRoutes(() => routes);
  const parameters = (pattern: string) => pattern.split(":").length;
  /** The pattern that takes a target: of several the one with the fewest parameters. */
  const takenBy = ({ path }: Pick<Target, "path">) =>
    table
      .at(path.split("?", 1)[0] as string)
      .filter(({ method }) => method === "GET")
      .map(({ path }) => path)
      .sort((a, b) => parameters(a) - parameters(b))[0];
  const reached = new Set(targets.map(takenBy));
  // Of the lake there are routes to tables that a server has no files of.
  const wanted = routes.filter(({ method, path }) => method === "GET" && !path.startsWith("/v1/lake/"));
  return wanted.map(({ path }) => path).filter((path) => !reached.has(path));
}
