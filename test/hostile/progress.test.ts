/** ANSWER_IDLE_SECONDS: an answer that the client stops reading for so long is ended; one that is read slowly is not. */

import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { RawSocket } from "#bench/hostile/sockets.ts";
import { until } from "#test/support/until.ts";
import { type Attacked, attackedOfEachTest, LARGE } from "./attacked.ts";

setDefaultTimeout(120_000);
const startAttacked = attackedOfEachTest();
const CLIENTS = 16;
/** The least that the setting may be: real time passes here, as the server's own does. */
const IDLE_SECONDS = 20;
const EXPORT = "/v1/range?symbols=EUR,GBP,JPY&start_date=1999-01-04&end_date=2026-04-13&format=ndjson";
const WAYS: readonly string[] = [LARGE.asset, LARGE.series, EXPORT];
/** The most that the system takes off the server of an answer that is not read: a shorter one is sent, for the server. */
const SYSTEM_TAKES = Number(readFileSync("/proc/sys/net/ipv4/tcp_wmem", "utf8").trim().split(/\s+/)[2]);

test("answers that are not read are ended; one that is read in pieces for longer than the bound arrives whole", async () => {
  const server = await startAttacked({ ANSWER_IDLE_SECONDS: String(IDLE_SECONDS) });
  const lengths = await Promise.all(WAYS.map((path) => lengthOf(server.url + path)));
  const ways = WAYS.filter((_, nth) => (lengths[nth] ?? 0) > SYSTEM_TAKES);
  expect(ways.length).toBeGreaterThan(0);
  const before = server.connections();
  const began = performance.now();
  const length = lengths[WAYS.indexOf(LARGE.series)] ?? 0;
  // First: those that are not read fill the room of large answers.
  const reading = readSlowly(server, LARGE.series, length);
  await until("the one that is read has come in", () => server.connections() > before);
  for (let nth = 0; nth < CLIENTS; nth++)
    server.unread(ways[nth % ways.length] ?? LARGE.series, `127.${nth + 1}.0.1`);
  await until("all have come in", () => server.connections() > before + CLIENTS);

  const bytes = await reading;
  expect(performance.now() - began).toBeGreaterThan(IDLE_SECONDS * 1000);
  expect(bytes).toBeGreaterThan(length);

  await until("the server has ended those that were not read", () => server.connections() <= before);
});

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
