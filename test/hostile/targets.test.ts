/** What the hostile clients ask for leaves out no route that a browser or a program can read. */

import { expect, setDefaultTimeout, test } from "bun:test";
import { methodsOf } from "#api/plugins/envelope.ts";
import { findTargets } from "#bench/hostile/targets.ts";
import { dataDirectory } from "#test/metered/history.ts";
import { openReplica, runningClock } from "#test/metered/replica.ts";

setDefaultTimeout(60_000);

test("every GET route of a metered server has a target, and every target of a page an answer that is no fault", async () => {
  const server = await openReplica({ dataDir: await dataDirectory(), clock: runningClock() });
  try {
    const targets = await findTargets(async (path) => await (await fetch(server.url + path)).json());
    const { routes } = server.crossrate.app;
    const table = methodsOf(() => routes);
    const parameters = ({ path }: { readonly path: string }) => path.split(":").length;
    /** The pattern that takes a target: of several the one with the fewest parameters. */
    const takenBy = ({ path }: (typeof targets)[number]) =>
      table
        .of(path.split("?", 1)[0] as string)
        .filter(({ method }) => method === "GET")
        .sort((a, b) => parameters(a) - parameters(b))[0]?.path;
    const reached = new Set(targets.map(takenBy));
    const missed = routes.filter(
      (route) =>
        route.method === "GET" &&
        !reached.has(route.path) &&
        // Tables that this server's lake has no files of.
        !route.path.startsWith("/v1/lake/"),
    );
    expect(missed.map(({ path }) => path)).toEqual([]);
    const pages = targets.filter(({ name, path }) => name === `GET ${path}` && !path.includes("/stream"));
    expect(pages.length).toBeGreaterThan(40);
    for (const { path } of pages) {
      const answer = await fetch(server.url + path, { headers: { accept: "text/html" }, redirect: "manual" });
      await answer.arrayBuffer();
      expect([path, answer.status === 503 || answer.status < 500]).toEqual([path, true]);
    }
  } finally {
    await server.close();
  }
});
