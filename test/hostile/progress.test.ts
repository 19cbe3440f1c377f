/**
 * Many callers that request the longest answers and never read them: memory has a bound, others are answered, and after
 * ANSWER_IDLE_SECONDS they are ended; an answer that is read slowly is not.
 */

import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { RawSocket } from "#bench/hostile/sockets.ts";
import { json } from "#test/metered/client.ts";
import { until } from "#test/support/until.ts";
import { type Attacked, attackedOfEachTest, LARGE } from "./attacked.ts";

setDefaultTimeout(120_000);
const startAttacked = attackedOfEachTest();
const CLIENTS = 64;
/** For all of them together: 96 MB of answers, those that are made, and what is not collected yet. A copy for each would be 800 MB of the series. */
const MOST_MEGABYTES = 200;
/** The least that the setting may be: real time passes here, as the server's own does. */
const IDLE_SECONDS = 20;
const EXPORT = "/v1/range?symbols=EUR,GBP,JPY&start_date=1999-01-04&end_date=2026-04-13&format=ndjson";
const WAYS: readonly string[] = [LARGE.asset, LARGE.series, EXPORT];
/** The most that the system takes off the server of an answer that is not read: a shorter one is sent, for the server. */
const SYSTEM_TAKES = Number(readFileSync("/proc/sys/net/ipv4/tcp_wmem", "utf8").trim().split(/\s+/)[2]);

test(`${CLIENTS} answers that are not read take a bounded share of memory and are ended; one that is read in pieces for longer than that arrives whole`, async () => {
  const server = await startAttacked({ ANSWER_IDLE_SECONDS: String(IDLE_SECONDS) });
  const lengths = await Promise.all(WAYS.map((path) => lengthOf(server.url + path)));
  const ways = WAYS.filter((_, nth) => (lengths[nth] ?? 0) > SYSTEM_TAKES);
  expect(ways.length).toBeGreaterThan(0);
  const before = server.connections();
  const resident = server.resident();
  const began = performance.now();
  const length = lengths[WAYS.indexOf(LARGE.series)] ?? 0;
  // First: those that are not read fill the room of large answers.
  const reading = readSlowly(server, LARGE.series, length);
  await until("the one that is read has come in", () => server.connections() > before);
  for (let nth = 0; nth < CLIENTS; nth++)
    server.unread(ways[nth % ways.length] ?? LARGE.series, `127.${nth + 1}.0.1`);
  // Those beyond the room are refused.
  await until("many have come in", () => server.connections() > before + CLIENTS / 8);
  expect((await peakOnceSteady(server)) - resident).toBeLessThan(MOST_MEGABYTES);

  const bytes = await reading;
  expect(performance.now() - began).toBeGreaterThan(IDLE_SECONDS * 1000);
  expect(bytes).toBeGreaterThan(length);

  await until("the server has ended those that were not read", () => server.connections() <= before);
});

/** The most memory until it has not grown for twenty answers of /health, each of which has to come. */
async function peakOnceSteady(server: Attacked): Promise<number> {
  let peak = server.resident();
  for (let steady = 0; steady < 20; steady++) {
    const answer = await fetch(`${server.url}/health`);
    expect(answer.status).toBe(200);
    await answer.text();
    await Bun.sleep(20);
    if (server.resident() > peak + 1) steady = 0;
    peak = Math.max(peak, server.resident());
  }
  return peak;
}

async function lengthOf(url: string): Promise<number> {
  const answer = await fetch(url, { headers: { "accept-encoding": "identity" }, keepalive: false });
  return (await answer.arrayBuffer()).byteLength;
}

/**
 * In pieces of a megabyte and more: the server notices that a client reads when a third of the system's buffer, some 1.3 MB, has
 * room again, and this has to happen within the bound.
 */
const PIECES = 10;
/** The last piece may come with the one before it: the pauses alone are longer than the bound. */
const BETWEEN_PIECES_MILLISECONDS = (IDLE_SECONDS * 1100) / (PIECES - 1);
const into = new Uint8Array(256 * 1024);

/** All bytes that come, head and framing included, a piece at a time. */
async function readSlowly(server: Attacked, path: string, length: number): Promise<number> {
  const client = server.reader(path);
  let bytes = 0;
  for (;;) {
    const taken = await readPiece(client, length / PIECES);
    bytes += taken.bytes;
    if (taken.isOver) return bytes;
    await Bun.sleep(BETWEEN_PIECES_MILLISECONDS);
  }
}

/** Ends with the piece, or with the connection. */
async function readPiece(client: RawSocket, most: number) {
  let bytes = 0;
  while (bytes < most) {
    const count = client.receive(into);
    if (count === "ended") return { bytes, isOver: true };
    bytes += count;
    if (count === 0) await Bun.sleep(2);
  }
  return { bytes, isOver: false };
}

// ANSWERS_PER_ADDRESS bounds the long answers of one address; other addresses are not affected.
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
