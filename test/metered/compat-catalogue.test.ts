/** Lists of currencies and the description of the compatible routes cost nothing: clients request them beside every call. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { bearer, from, join, json, limitsIn, type Member } from "./client.ts";
import { dataDirectory } from "./history.ts";
import { fixedClock, openReplica, type Replica } from "./replica.ts";

setDefaultTimeout(30_000);
let replica: Replica;
let member: Member;
beforeAll(async () => {
  const clock = fixedClock();
  replica = await openReplica({ dataDir: await dataDirectory("history"), clock });
  // A source that this history has not is waited for no longer.
  clock.at += 61_000;
  member = await join(replica.url);
});
afterAll(() => replica.close());

const CATALOGUE = [
  "/compat/frankfurter/v1/currencies",
  "/compat/frankfurter/v2/currencies",
  "/compat/frankfurter/v2/currency/USD",
  "/compat/frankfurter/v2/providers",
  "/compat/frankfurter/v2/openapi.json",
  "/v2/currencies",
  "/v2/currency/USD",
  "/v2/providers",
  "/v2/openapi.json",
  "/compat/oxr/currencies.json",
  "/compat/oxr/api/currencies.json",
];

test.each(CATALOGUE)(
  "%s is answered 30 times in a minute, without limit headers, and takes nothing from rates",
  async (path) => {
    const headers = from(`203.0.113.${100 + CATALOGUE.indexOf(path)}`);
    for (let nth = 0; nth < 30; nth++) {
      const answer = await fetch(`${replica.url}${path}`, { headers });
      await answer.arrayBuffer();
      expect([answer.status, limitsIn(answer)]).toEqual([200, null]);
    }
    const rates = await fetch(`${replica.url}/compat/oxr/latest.json`, { headers });
    await rates.arrayBuffer();
    expect(limitsIn(rates)?.remaining).toBe(11);
  },
);

test("they are still there when the minute is used up, with a key and with one that opens nothing", async () => {
  const headers = from("203.0.113.90");
  for (let nth = 0; nth < 13; nth++)
    await (await fetch(`${replica.url}/v2/rates?quotes=USD`, { headers })).arrayBuffer();
  expect((await fetch(`${replica.url}/v2/rates`, { headers })).status).toBe(429);
  for (const who of [headers, bearer(member.key), bearer("fxk_none")])
    expect(
      Object.keys(await json(await fetch(`${replica.url}/compat/oxr/currencies.json`, { headers: who }))),
    ).toHaveLength(31);
  const app = await fetch(`${replica.url}/compat/oxr/currencies.json?app_id=fxk_none`);
  expect(app.status).toBe(200);
});

test("refusals have the other service's messages, and cost nothing either", async () => {
  const headers = from("203.0.113.91");
  for (let nth = 0; nth < 20; nth++) {
    const answer = await fetch(`${replica.url}/v2/currency/XXX`, { headers });
    expect(await json(answer, 404)).toEqual({ status: 404, message: "not found" });
    expect(limitsIn(answer)).toBeNull();
  }
});
