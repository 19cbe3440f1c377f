/** The lake's table of publications: written by a demo's first collection and at a command's end, not by a process that collects nothing. */

import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { OpenPublications } from "#assembly/official.ts";
import { expected, stored } from "#test/store/official-lake/copies.ts";
import { SIMULATED_TABLES, startFullSimulator } from "#test/support/official/simulator.ts";
import { openProduct } from "#test/support/product.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { until } from "#test/support/until.ts";

/** Of the fourth year of rates: nothing here depends on how long a history is. */
const NOW = Date.parse("2002-11-20T19:30:00Z");
const TOKEN = "0".repeat(64);

async function open(dataDir: string, base: string, serves: boolean, more: Record<string, string> = {}) {
  const settings = { DATA_DIR: dataDir, ACCESS: "open", BANXICO_TOKEN: TOKEN, UPSTREAM_BASE: base, ...more };
  return await openProduct(settings, { now: () => NOW, serves });
}

const simulated = async () => (await startFullSimulator({ now: () => NOW })).base;

const lakeOf = (dataDir: string) => join(dataDir, "lake");

const inLedger = ({ ledger, offered }: OpenPublications) =>
  expected(
    ledger,
    offered.map(({ table }) => table),
  );

test("a new demo's lake has every publication some seconds after its first collection, by itself", async () => {
  const dataDir = temporaryDirectory();
  const tables = { OFFICIAL_TABLES: SIMULATED_TABLES.join() };
  const crossrate = await open(dataDir, await simulated(), true, tables);
  const collection = crossrate.collect(Promise.resolve(), () => {});
  const official = await crossrate.openOfficial();
  if (official === null) throw new Error("official tables are off");
  await until("the table is there", () => existsSync(join(lakeOf(dataDir), "official/_delta_log")));
  // A collection that is requested while the first one runs waits for it.
  for (const { id } of official.collected) await official.collector.collect(id, "latest");
  const wanted = await inLedger(official);
  expect(wanted.length).toBeGreaterThan(400);
  await until(
    "most is copied",
    async () => (await stored(lakeOf(dataDir)).catch(() => [])).length >= wanted.length,
  );
  // The start reads more of some tables meanwhile: what is copied is held against the ledger of the same moment.
  await until("all is copied", async () => {
    const copied = await stored(lakeOf(dataDir)).catch(() => []);
    return Bun.deepEquals(copied, [...(await inLedger(official))]);
  });
  const { files, mode } = await crossrate.json("/v1/lake/official/manifest.json");
  expect(mode).toBe("simulated");
  expect(files.length).toBeGreaterThan(3);
  await collection?.stop();
  await crossrate.close();
  expect(crossrate.emitted.filter(({ kind }) => /^(job_failed|lake_damaged)$/.test(kind))).toEqual([]);
});

test("a command that collected leaves the table complete when it ends, and the next start makes no other version", async () => {
  const dataDir = temporaryDirectory();
  const crossrate = await open(dataDir, await simulated(), false, { OFFICIAL_TABLES: "eue_reference" });
  const official = await crossrate.openOfficial();
  await official?.collector.collect("eue_reference", "recent");
  await crossrate.close();
  const lines = await stored(lakeOf(dataDir));
  expect(lines.length).toBeGreaterThan(100);

  const next = await open(dataDir, "http://127.0.0.1:1", false);
  const again = await next.openOfficial();
  if (again === null) throw new Error("official tables are off");
  expect(await stored(lakeOf(dataDir))).toEqual([...(await inLedger(again))]);
  const commits = () =>
    Array.from(new Bun.Glob("official/_delta_log/*.json").scanSync(lakeOf(dataDir))).length;
  const before = commits();
  await again.copyToLake();
  await next.close();
  expect(commits()).toBe(before);
});

test("nothing is made where no tables are collected, by a process that only answers, or by one that only reads", async () => {
  for (const [serves, more] of [
    [true, { OFFICIAL_TABLES: "off" }],
    [true, { ROLE: "api", REDIS_URL: "redis://127.0.0.1:1" }],
    [false, {}],
  ] as const) {
    const dataDir = temporaryDirectory();
    const opened = await open(dataDir, "http://127.0.0.1:1", serves, more);
    if (serves) await opened.collect(Promise.resolve(), () => {})?.stop();
    await opened.close();
    expect(existsSync(join(lakeOf(dataDir), "official"))).toBe(false);
  }
});
