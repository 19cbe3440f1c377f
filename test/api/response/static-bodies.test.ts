/** Bodies that never change: made when they are asked for, let go by the budget of caches, and made again the same. */

import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createStaticBody, madeOnce } from "#api/response/static-body.ts";
import { openAnswersUnderWay } from "#api/response/under-way.ts";
import { CacheBudget } from "#domain/cache/budget.ts";

const underWay = openAnswersUnderWay({ most: 100, addressOf: () => "", isDone: () => true });

/** A body of 100 KB, the budget that it counts in, and how often it was read. */
function world(limitBytes: number, bytesOf = (_: number) => new Uint8Array(100_000).fill(65)) {
  const caches = new CacheBudget(limitBytes);
  let loads = 0;
  const body = {
    mime: "text/plain",
    cacheControl: "no-cache",
    load: async () => bytesOf(++loads),
  };
  const send = createStaticBody(body, { simulated: false, underWay, caches });
  const get = (headers: Record<string, string> = {}) =>
    send(new Request("http://localhost/file", { headers }));
  const held = () => caches.uses().find(({ name }) => name === "static_bodies")?.bytes ?? 0;
  /** Others use the whole budget. */
  const crowdOut = () => {
    const others = ["a", "b"].map((name) => caches.cache<number, null>(name));
    for (let nth = 0; nth < 20; nth++) for (const one of others) one.set(nth, null, limitBytes / 5);
  };
  return { get, crowdOut, held, loads: () => loads };
}

test("a body is read once however many ask, counts in the budget in every form, and goes when others need the room", async () => {
  const { get, crowdOut, held, loads } = world(10_000_000);
  const answers = await Promise.all(Array.from({ length: 20 }, () => get()));
  expect(await Promise.all(answers.map(async (answer) => (await answer.bytes()).byteLength))).toEqual(
    Array(20).fill(100_000),
  );
  expect(loads()).toBe(1);
  const plain = held();
  expect(plain).toBeGreaterThanOrEqual(100_000);
  const coded = await get({ "Accept-Encoding": "gzip" });
  expect(coded.headers.get("content-encoding")).toBe("gzip");
  expect(Bun.gunzipSync(await coded.bytes()).byteLength).toBe(100_000);
  expect(held()).toBeGreaterThan(plain);

  crowdOut();
  expect(held()).toBe(0);
  expect((await (await get()).bytes()).byteLength).toBe(100_000);
  expect(loads()).toBe(2);
});

test("its tag stays the same when it is made again, and a client that has it causes nothing to be made", async () => {
  const { get, crowdOut, loads } = world(10_000_000);
  const etag = (await get()).headers.get("etag") ?? "";
  crowdOut();
  expect((await get({ "If-None-Match": etag })).status).toBe(304);
  expect(loads()).toBe(1);
  expect((await get()).headers.get("etag")).toBe(etag);
});

test("one that is too large for the budget is kept, not copied for each answer", async () => {
  const { get, loads } = world(200_000);
  for (let nth = 0; nth < 5; nth++) expect((await get()).status).toBe(200);
  expect(loads()).toBe(1);
});

test("other bytes are never sent under a known tag", async () => {
  const { get, crowdOut } = world(10_000_000, (load) => new Uint8Array(100_000).fill(64 + load));
  await (await get()).bytes();
  crowdOut();
  expect(get()).rejects.toThrow("another one than at its first request");
});

test("bytes that are made once are the same afterwards, and nobody's copy is another's", async () => {
  let made = 0;
  const load = madeOnce(async () => {
    made += 1;
    return new Uint8Array(50_000).map((_, nth) => nth % 251);
  });
  const first = await load();
  const second = await load();
  expect(second).toEqual(first);
  second.fill(0);
  expect(await load()).toEqual(first);
  expect(made).toBe(1);
});

test("a file that could not be read is read again at the next request", async () => {
  const folder = await mkdtemp(join(tmpdir(), "crossrate-static-"));
  try {
    const path = join(folder, "file.js");
    const caches = new CacheBudget(10_000_000);
    const body = { mime: "text/javascript", cacheControl: "no-cache", path };
    const send = createStaticBody(body, { simulated: false, underWay, caches });
    await expect(send(new Request("http://localhost/file"))).rejects.toThrow("ENOENT");
    await Bun.write(path, "let a;");
    expect(await (await send(new Request("http://localhost/file"))).text()).toBe("let a;");
  } finally {
    await rm(folder, { recursive: true });
  }
});
