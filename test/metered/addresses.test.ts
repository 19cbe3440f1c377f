/** The address to which a call without a key counts: the connection's, or the one that a trusted proxy names, never one that the caller claims. */

import { expect, test } from "bun:test";
import { from, post, statusOf } from "./client.ts";
import { dataDirectory } from "./history.ts";
import { fixedClock, openReplica, type Replica } from "./replica.ts";

const dataDir = await dataDirectory();
let replica: Replica;
const open = async (trusted: string) => {
  replica = await openReplica({ dataDir, clock: fixedClock(), settings: { TRUSTED_PROXIES: trusted } });
};

/** How many of so many calls pass, each with headers of its own. */
async function passed(calls: number, headersOf: (nth: number) => Record<string, string>): Promise<number> {
  let count = 0;
  for (let nth = 0; nth < calls; nth++) {
    const headers = headersOf(nth);
    if ((await statusOf(`${replica.url}/v1/latest?symbols=USD`, { headers })) === 200) count += 1;
  }
  return count;
}

const SAID_OF_ONESELF = [
  "X-Forwarded-For",
  "X-Real-IP",
  "Forwarded",
  "X-Client-IP",
  "CF-Connecting-IP",
  "True-Client-IP",
  "X-Cluster-Client-IP",
];

test("without trusted proxies no header changes a caller's address", async () => {
  await open("");
  const spoofed = (nth: number) =>
    Object.fromEntries(
      SAID_OF_ONESELF.map((name) => [name, name === "Forwarded" ? `for=192.0.2.${nth}` : `192.0.2.${nth}`]),
    );
  expect(await passed(30, spoofed)).toBe(12);
  expect(await passed(5, () => ({}))).toBe(0);
});

test("behind a trusted proxy the last entry counts; one of IPv6 with its whole network, which the answer names", async () => {
  await open("127.0.0.0/8");
  expect(await passed(13, (nth) => from(`192.0.2.${nth}, 198.51.100.7`))).toBe(12);
  const ofCustomer = (nth: number) => from(`2001:db8:7:${(0x200 + nth).toString(16)}::1`);
  expect(await passed(60, ofCustomer)).toBe(48);
  const refused = await fetch(`${replica.url}/v1/latest`, { headers: ofCustomer(200) });
  expect([refused.status, refused.headers.get("X-RateLimit-Limit")]).toEqual([429, "48"]);
  expect((await refused.json()).message).toContain("network 2001:db8:7:200::/56");
});

test("sign-in attempts count by the same address: spoofing does not allow more of them", async () => {
  await open("");
  const statuses = [];
  for (let nth = 0; nth < 22; nth++) {
    const body = { email: `p${nth}@example.org`, password: "too short" };
    statuses.push(await statusOf(`${replica.url}/v1/auth/sign-up`, post(body, from(`192.0.2.${nth}`))));
  }
  const sent = [];
  for (let nth = 0; nth < 22; nth++) {
    const body = { email: `p${nth}@example.org` };
    sent.push(await statusOf(`${replica.url}/v1/auth/password-reset`, post(body, from(`192.0.2.${nth}`))));
  }
  expect(new Set(statuses)).toEqual(new Set([422]));
  expect(sent.filter((status) => status === 202).length).toBeLessThanOrEqual(20);
  expect(sent.at(-1)).toBe(429);
});
