/** ANSWERS_PER_ADDRESS bounds the long answers of one address; other addresses are not affected. */

import { expect, test } from "bun:test";
import { json } from "#test/metered/client.ts";
import { until } from "#test/support/until.ts";
import { attackedOfEachTest, LARGE } from "./attacked.ts";

const startAttacked = attackedOfEachTest();
const MOST = 4;
const BOUND = { ANSWERS_PER_ADDRESS: String(MOST), TRUSTED_PROXIES: "127.0.0.1/32" };
const GREEDY = "127.7.0.1";

// Of the document the system's buffers take all that is sent.
test(`an address with ${MOST} long answers under way is refused another, until one of them ends`, async () => {
  const server = await startAttacked(BOUND);
  // Compressed, the document would be short.
  const forwarded = (address: string) => ({
    headers: { "x-forwarded-for": address, "accept-encoding": "identity" },
  });
  const under = Array.from({ length: MOST }, () => server.unread(LARGE.series, GREEDY));
  // By way of the proxy it is the same address, and what it is refused can be read.
  const ask = (where: string, address = GREEDY) => fetch(server.url + where, forwarded(address));
  await until("a fifth one is refused", async () => {
    const answer = await ask(LARGE.asset);
    await answer.body?.cancel();
    return answer.status === 429;
  });
  const refused = await ask(LARGE.asset);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await json(refused, 429)).code).toBe("rate_limited");

  const series = await ask(LARGE.series);
  expect(series.status).toBe(429);
  expect(Number(series.headers.get("retry-after"))).toBeGreaterThan(0);

  for (const small of ["/health", "/v1/latest", "/docs"])
    expect({ small, status: (await ask(small)).status }).toEqual({ small, status: 200 });
  const other = await ask(LARGE.asset, "203.0.113.9");
  expect(other.status).toBe(200);
  await other.body?.cancel();

  for (const client of under) client.close(true);
  await until("its answers have ended", async () => {
    const answer = await ask(LARGE.asset);
    await answer.body?.cancel();
    return answer.status === 200;
  });
});
