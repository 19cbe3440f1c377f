/** A browser that signed in before has a count of its own: guesses from elsewhere do not lock its owner out, and a stolen cookie is worth few guesses. */

import { beforeEach, expect, test } from "bun:test";
import { from, post, statusOf } from "./client.ts";
import { dataDirectory } from "./history.ts";
import { fixedClock, openReplica, type Replica, type TestClock } from "./replica.ts";

const SITE = "https://rates.example.com";
const RIGHT = "seven kites above Delft";
/** After it nothing of before counts. */
const WINDOW = 31 * 60_000;
const dataDir = await dataDirectory();
let replica: Replica;
let clock: TestClock;
beforeEach(async () => {
  clock = fixedClock();
  replica = await openReplica({ dataDir, clock, settings: { PUBLIC_URL: SITE } });
});

interface Sent {
  readonly password?: string;
  readonly cookie?: string;
  readonly address?: string;
  readonly path?: string;
}
let people = 0;
let email = "";

function ask(path: string, body: object, { cookie = "", address = "203.0.113.7" }: Sent = {}) {
  return fetch(replica.url + path, post(body, { ...from(address), Origin: SITE, Cookie: cookie }));
}
const signIn = (sent: Sent = {}) =>
  ask(sent.path ?? "/v1/auth/sign-in", { email, password: sent.password ?? RIGHT }, sent);
const status = async (sent: Sent) => (await signIn(sent)).status;
const lineOf = (answer: Response, name: string) =>
  answer.headers.getSetCookie().find((line) => line.startsWith(`__Host-crossrate_${name}=`)) ?? "";
const pairOf = (line: string) => line.split(";")[0] ?? "";
const deviceOf = (answer: Response) => pairOf(lineOf(answer, "device"));

async function owner(): Promise<string> {
  people += 1;
  email = `owner-${people}@example.com`;
  const answer = await ask("/v1/auth/sign-up", { email, password: RIGHT });
  expect(answer.status).toBe(201);
  return deviceOf(answer);
}

/** Guesses from as many addresses, until the account is closed to them. */
async function attack(): Promise<void> {
  for (let nth = 0; nth < 10; nth++)
    expect(await status({ password: "wrong password", address: `198.51.${nth}.7` })).toBe(401);
  expect(await status({ password: "wrong password", address: "198.51.99.7" })).toBe(429);
}

test("guesses from anywhere do not lock out a browser that signed in before, however often they are made", async () => {
  let cookie = await owner();
  for (let round = 0; round < 3; round++) {
    await attack();
    const answer = await signIn({ cookie });
    expect(answer.status).toBe(200);
    // Success there opens the account to no other caller, and a browser without the cookie waits.
    expect(await status({ address: "192.0.2.44" })).toBe(429);
    cookie = deviceOf(answer);
    expect(lineOf(answer, "device")).toContain(`Max-Age=${400 * 86_400};`);
    clock.at += WINDOW;
  }
  // A caller that stores the token itself gets no such cookie.
  const answer = await signIn({ path: "/v1/auth/sign-in?cookie=0" });
  expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []]);
});

test("a stolen cookie is worth five guesses in 15 minutes, which the account's count does not have", async () => {
  const cookie = await owner();
  const guess = () => status({ cookie, password: "wrong password", address: "198.51.100.7" });
  const guesses = async () => {
    const seen: number[] = [];
    for (let nth = 0; nth < 6; nth++) seen.push(await guess());
    return seen;
  };
  expect(await guesses()).toEqual([401, 401, 401, 401, 401, 429]);
  // It is of no use for the owner's other browsers, and takes nothing from callers without one.
  expect(await status({})).toBe(200);
  clock.at += WINDOW;
  expect((await guesses()).at(-1)).toBe(429);
});

test("a right password clears the count of the browser", async () => {
  const cookie = await owner();
  for (let round = 0; round < 3; round++) {
    for (let nth = 0; nth < 4; nth++) expect(await status({ cookie, password: "wrong password" })).toBe(401);
    expect(await status({ cookie })).toBe(200);
  }
});

test("a cookie of another person, a changed one and none at all count as the account's", async () => {
  const other = await owner();
  const own = await owner();
  await attack();
  const [name = "", value = ""] = own.split("=");
  const flip = (text: string, at: number) =>
    text.slice(0, at) + (text[at] === "a" ? "b" : "a") + text.slice(at + 1);
  const worthless = [
    other,
    "",
    `${name}=`,
    `${name}=${flip(value, value.length - 1)}`,
    `${name}=${flip(value, 6)}`,
    `${name}=${value.slice(0, -1)}`,
    `${own}; ${other}`,
    `crossrate_device=${value}`,
  ];
  for (const cookie of worthless)
    expect({ cookie, status: await status({ cookie }) }).toEqual({ cookie, status: 429 });
  expect(await status({ cookie: own })).toBe(200);
});

test("a new password ends the cookies of all browsers but the one that set it", async () => {
  const old = await owner();
  const here = await signIn();
  const session = pairOf(lineOf(here, "session"));
  const changed = await ask(
    "/v1/auth/password",
    { current: RIGHT, new: "eight kites above Delft" },
    { cookie: `${session}; ${deviceOf(here)}` },
  );
  expect(changed.status).toBe(200);
  await attack();
  const password = "eight kites above Delft";
  for (const cookie of [old, deviceOf(here)]) expect(await status({ cookie, password })).toBe(429);
  expect(await status({ cookie: deviceOf(changed), password })).toBe(200);
});

test("signing out leaves it; the dashboard's pages give it and take it as the API does", async () => {
  await owner();
  const form = async (cookie: string) =>
    await fetch(`${replica.url}/dashboard/sign-in`, {
      method: "POST",
      redirect: "manual",
      headers: { ...from("203.0.113.7"), Origin: SITE, Cookie: cookie },
      body: new URLSearchParams({ email, password: RIGHT }),
    });
  const first = await form("");
  expect(first.status).toBe(303);
  const session = pairOf(lineOf(first, "session"));
  const out = await ask("/v1/auth/sign-out", {}, { cookie: session });
  expect(deviceOf(out)).toBe("");
  await attack();
  expect((await form("")).status).toBe(429);
  expect((await form(deviceOf(first))).status).toBe(303);
});

// The address to which a call without a key counts: the connection's, or the one that a trusted proxy names, never one that the caller claims.
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
