/** A damaged file of the lake is never sent: refused under every name, by ranges and conditions too, until it is restored. */

import { expect, test } from "bun:test";
import { readFileSync, renameSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { quoteOfPair } from "#test/domain/live/quote.ts";
import { flip } from "#test/store/delta/sample.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { DAILY, FEW_QUOTES, MANY_QUOTES, serveLake } from "./lake-server.ts";

const directory = temporaryDirectory();
const server = await serveLake(directory);
const { ask } = server;

const HOWS = ["missing", "cut", "flipped"] as const;

function damage(path: string, how: (typeof HOWS)[number]): void {
  if (how === "missing") rmSync(path);
  if (how === "cut") truncateSync(path, statSync(path).size - 1);
  if (how === "flipped") flip(path);
}

test.each([...HOWS])("a file that is %s", async (how) => {
  for (const current of [DAILY, MANY_QUOTES]) {
    const part = await server.named(current);
    const intact = readFileSync(join(directory, part));
    const etag = (await ask(part)).headers.get("etag") ?? "";
    const manifest = await (await ask("manifest.json")).text();
    damage(join(directory, part), how);
    for (const path of [part, current]) {
      for (const headers of [
        {},
        { range: "bytes=0-3" },
        { range: "bytes=-8" },
        { "if-none-match": etag },
        { "if-match": etag },
        { "if-range": etag, range: "bytes=4-9" },
      ]) {
        const refused = await ask(path, headers);
        expect(refused.status).toBe(503);
        expect(refused.headers.get("etag")).toBeNull();
        expect(refused.headers.get("cache-control")).toBe("no-store");
        const body = await refused.text();
        expect(JSON.parse(body)).toMatchObject({ code: "data_unavailable" });
        // The fault is stated without a path of this machine.
        expect(body).not.toContain(directory);
      }
      expect((await ask(path, {}, "HEAD")).status).toBe(503);
    }
    // The others are as they were, and so is the manifest's entry of this one.
    expect((await ask(FEW_QUOTES)).status).toBe(200);
    expect(await (await ask("manifest.json")).text()).toBe(manifest);

    writeFileSync(join(directory, `${part}.restored`), intact);
    renameSync(join(directory, `${part}.restored`), join(directory, part));
    for (const path of [part, current]) {
      const again = await ask(path);
      expect(again.headers.get("etag")).toBe(etag);
      expect(Buffer.from(await again.arrayBuffer()).equals(intact)).toBe(true);
    }
  }
});

test("damage to a log while the server runs is refused without naming its path", async () => {
  // A commit of another process that does not end as it must.
  const name = "00000000000000000002.json";
  writeFileSync(join(directory, "intraday/_delta_log", name), '{"add":{"path":"x"}}\n');
  for (const path of ["intraday/manifest.json", FEW_QUOTES, "intraday/date=2026-03-02/part-x.parquet"]) {
    const refused = await fetch(`${server.url}/v1/lake/${path}`);
    const body = await refused.text();
    expect([refused.status, JSON.parse(body).code]).toEqual([503, "data_unavailable"]);
    expect(body).not.toContain(directory);
  }
  expect((await fetch(`${server.url}/v1/lake/${DAILY}`)).status).toBe(200);
  rmSync(join(directory, "intraday/_delta_log", name));
  expect((await fetch(`${server.url}/v1/lake/${FEW_QUOTES}`)).status).toBe(200);
});

test("a replaced file that is damaged is refused, too, and one that is gone is not found", async () => {
  const old = await server.named(FEW_QUOTES);
  await server.archive.append([quoteOfPair("USD/CHF", "0.8", Date.parse("2026-03-02T13:00:00Z"))]);
  await server.archive.flush();
  const statusOf = async () => (await fetch(`${server.url}/v1/lake/${old}`)).status;
  expect(await statusOf()).toBe(200);
  damage(join(directory, old), "flipped");
  expect(await statusOf()).toBe(503);
  damage(join(directory, old), "missing");
  expect(await statusOf()).toBe(404);
  expect((await fetch(`${server.url}/v1/lake/${FEW_QUOTES}`)).status).toBe(200);
});
