/** Refusals that only a compatible service has count like every other 4xx: for an address, and not for a key. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { bearer, from, join, limitsIn, type Member } from "./client.ts";
import { dataDirectory } from "./history.ts";
import { fixedClock, openReplica, type Replica } from "./replica.ts";

setDefaultTimeout(30_000);
let replica: Replica;
let member: Member;
beforeAll(async () => {
  replica = await openReplica({ dataDir: await dataDirectory("history"), clock: fixedClock() });
  member = await join(replica.url);
});
afterAll(() => replica.close());

const REFUSED = [
  ["/v2/rates?quotes=USD&providers=FRED", 422],
  ["/compat/frankfurter/v1/latest?amount=x", 422],
  ["/compat/oxr/convert/x/EUR/USD", 400],
] as const;

async function remaining(path: string, status: number, headers: Record<string, string>) {
  const answer = await fetch(`${replica.url}${path}`, { headers });
  const text = await answer.text();
  expect([answer.status, text]).toEqual([status, text]);
  return limitsIn(answer)?.remaining;
}

test.each(REFUSED)("%s counts for an address, and is given back to a key", async (path, status) => {
  const address = from(`203.0.113.${10 + REFUSED.findIndex(([refused]) => refused === path)}`);
  expect(await remaining(path, status, address)).toBe(11);
  expect(await remaining("/v1/latest?symbols=USD", 200, address)).toBe(10);
  expect(await remaining(path, status, bearer(member.key))).toBe(12);
});
