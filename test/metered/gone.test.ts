/** A caller that disconnects before its answer is ready has used its call: otherwise disconnecting would make every call free. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { bearer, join } from "./client.ts";
import { dataDirectory } from "./history.ts";
import { fixedClock, openReplica, type Replica } from "./replica.ts";

setDefaultTimeout(30_000);
let replica: Replica;
beforeAll(async () => {
  replica = await openReplica({ dataDir: await dataDirectory(), clock: fixedClock() });
});
afterAll(() => replica.close());

/** An export that its caller has left when its turn comes. */
async function left(headers: Record<string, string>): Promise<number> {
  const url = `${replica.url}/v1/range?base=EUR&symbols=USD&start_date=2026-04-09&end_date=2026-04-13&format=csv`;
  const request = new Request(url, {
    headers: { host: "localhost", ...headers },
    signal: AbortSignal.abort(),
  });
  return (await replica.crossrate.app.answer(request)).status;
}

test.each(["a key", "an address"])("the calls of %s are used up by leaving", async (kind) => {
  const headers = kind === "a key" ? bearer((await join(replica.url)).key) : {};
  const statuses: number[] = [];
  for (let nth = 0; nth < 14; nth++) statuses.push(await left(headers));
  expect(statuses).toEqual([...Array<number>(12).fill(499), 429, 429]);
});
