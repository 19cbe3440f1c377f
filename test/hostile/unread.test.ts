/** Many callers that request the longest answers and never read them: memory has a bound, and others are answered. */

import { expect, setDefaultTimeout, test } from "bun:test";
import { type Attacked, attackedOfEachTest, LARGE } from "./attacked.ts";

setDefaultTimeout(60_000);
const startAttacked = attackedOfEachTest();
const CLIENTS = 64;
/** For all of them together: 96 MB of answers, those that are made, and what is not collected yet. A copy for each would be 800 MB of the series. */
const MOST_MEGABYTES = 200;

for (const [what, path] of Object.entries(LARGE))
  test(`${CLIENTS} unread answers (${what}) take a bounded share of memory, and /health answers meanwhile`, async () => {
    const server = await startAttacked();
    // Made and cached before anything is measured.
    await (await fetch(server.url + path)).arrayBuffer();
    const before = server.resident();
    for (let nth = 0; nth < CLIENTS; nth++) server.unread(path, `127.${nth + 1}.0.1`);
    await untilSteady(server);
    expect(server.peak() - before).toBeLessThan(MOST_MEGABYTES);
  });

/** Resolves when the server's memory has not grown for twenty answers of /health, each of which has to come. */
async function untilSteady(server: Attacked): Promise<void> {
  let peak = server.peak();
  for (let steady = 0; steady < 20; steady++) {
    const answer = await fetch(`${server.url}/health`);
    expect(answer.status).toBe(200);
    await answer.text();
    await Bun.sleep(20);
    if (server.peak() > peak + 1) steady = 0;
    peak = server.peak();
  }
}
