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

test("behind a trusted proxy the last entry counts; the entries before it were written by the caller", async () => {
  await open("127.0.0.0/8, 10.0.0.0/8");
  expect(await passed(30, (nth) => from(`192.0.2.${nth}, 198.51.100.7`))).toBe(12);
  expect(await passed(30, (nth) => from(`192.0.2.${nth}, 198.51.100.7, 10.0.0.${nth}, 127.0.0.1`))).toBe(0);
  expect(await passed(30, (nth) => from(`127.0.0.1, 10.0.0.1, 192.0.2.${nth}, 198.51.100.8`))).toBe(12);
  // The same address in another notation is the same caller.
  expect(
    await passed(10, (nth) =>
      from(["198.51.100.8", "::ffff:198.51.100.8", "198.51.100.8:4711"][nth % 3] ?? ""),
    ),
  ).toBe(0);
  // Another caller behind the same proxy is not held back by it.
  expect(await passed(13, () => from("198.51.100.9"))).toBe(12);
});

test("a customer with many IPv6 addresses gets four times the limit in a /56, sixteen times in a /48; the answer says of which network", async () => {
  await open("127.0.0.0/8");
  const ofCustomer = (nth: number) => from(`2001:db8:7:${(0x200 + nth).toString(16)}::1`);
  const ofSite = (nth: number) => from(`2001:db8:7:${((nth % 100) * 0x100).toString(16)}::1`);
  expect(await passed(100, ofCustomer)).toBe(48);
  const refused = await fetch(`${replica.url}/v1/latest`, { headers: ofCustomer(200) });
  expect(refused.status).toBe(429);
  expect(refused.headers.get("X-RateLimit-Limit")).toBe("48");
  expect((await refused.json()).message).toContain("network 2001:db8:7:200::/56");
  expect(await passed(300, ofSite)).toBe(192 - 48);
  expect(await passed(20, (nth) => from(`2001:db8:8:${nth}::1`))).toBe(20);
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
