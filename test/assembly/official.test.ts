/** Official publications as a server has them: the tables of the simulated authorities, one process of two, a stop that does not wait. */

import { Database } from "bun:sqlite";
import { expect, spyOn, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openOwnLedger } from "#assembly/ledger.ts";
import { type OpenPublications, openPublications } from "#assembly/official.ts";
import { newHolder } from "#assembly/process.ts";
import { readConfig } from "#config.ts";
import { LedgerUnavailable } from "#domain/account/ledger.ts";
import { once } from "#domain/queues/once.ts";
import { parseDay } from "#domain/time/day.ts";
import { openOfficialLake } from "#store/official-lake/official-lake.ts";
import type { TelemetryEvent } from "#telemetry.ts";
import { versionOf } from "#test/official/version.ts";
import { by } from "#test/store/ledger/ledgers.ts";
import { wanted } from "#test/store/ledger/publications/publishing.ts";
import { expected, stored } from "#test/store/official-lake/copies.ts";
import { endsWithFile } from "#test/support/at-end.ts";
import { listen } from "#test/support/listen.ts";
import { SIMULATED_TABLES, startFullSimulator } from "#test/support/official/simulator.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { until } from "#test/support/until.ts";
import { personWith } from "#test/webhooks/fixture.ts";

const NOW = Date.parse("2026-11-20T19:30:00Z");
const TOKEN = "0123456789abcdef".repeat(4);

interface Process extends OpenPublications {
  readonly emitted: TelemetryEvent[];
}

async function open(
  directory: string,
  base: string,
  more: Record<string, string> = {},
  clock = { now: () => NOW },
  lake = join(directory, "lake"),
): Promise<Process> {
  const emitted: TelemetryEvent[] = [];
  const config = readConfig({ DATA_DIR: directory, ACCESS: "open", BANXICO_TOKEN: TOKEN, ...more });
  const emit = (event: TelemetryEvent) => void emitted.push(event);
  const ledger = once(() => openOwnLedger(config, clock, emit));
  const opened = await openPublications({
    ...{ config, clock, emit },
    upstream: { clock, base, userAgent: "test", attempts: 1 },
    openLedger: ledger.get,
    holder: newHolder(),
    copy: openOfficialLake({ directory: lake, simulated: true, now: clock.now }),
    followMilliseconds: 50,
  });
  const close = endsWithFile(async () => {
    await opened.close();
    await (await ledger.get()).close();
  });
  return { ...opened, close, emitted };
}

const authorities = async () => (await startFullSimulator({ now: () => NOW })).base;

/** Resolves once every table has been collected once, and at the first start those whose whole history is one document. */
async function allCollected({ collected, tableStatus, collector, hasHistory }: Process): Promise<void> {
  for (const { id } of collected.filter(({ historyAtStart }) => historyAtStart === true)) {
    while (!(await hasHistory(id))) await Bun.sleep(10);
  }
  // A collection that is requested while the first one runs waits for it.
  for (const { id } of collected) await collector.collect(id, "latest");
  expect(await tableStatus()).toHaveLength(collected.length);
}

test("every table is there after a start, with its newest publication, and nothing is doubted", async () => {
  const base = await authorities();
  const server = await open(temporaryDirectory(), base, { OFFICIAL_TABLES: SIMULATED_TABLES.join() });
  server.startJobs();
  await allCollected(server);
  const tableStatus = await server.tableStatus();
  for (const { table, newest, outcome, detail } of tableStatus) {
    expect({ table, outcome, detail }).toEqual({ table, outcome: "publications", detail: null });
    expect(newest, table).not.toBeNull();
  }
  expect(tableStatus).toHaveLength(SIMULATED_TABLES.length);
  // The customs rates of all months come with one document, so that a first start has them.
  const { publications } = server.ledger;
  const may = await publications.find("eue_customs", "2016-05", null);
  expect(may?.validFrom).toBe(parseDay("2016-05-01") as number);
  const lev = (month: string) =>
    publications
      .find("eue_customs", month, null)
      .then((found) => found?.rows.find(({ quote }) => quote === "BGN")?.rate);
  expect([await lev("2026-01"), await lev("2026-02")]).toEqual(["1.9558", undefined]);
  const loud = server.emitted.filter(({ kind }) => /failed|held|doubted/.test(kind));
  expect(loud).toEqual([]);
});

test("a history that was never read is read at the next start, however recently the table itself was", async () => {
  const early = { now: () => Date.parse("2016-06-15T19:30:00Z") };
  const { base } = await startFullSimulator(early);
  const server = await open(temporaryDirectory(), base, { OFFICIAL_TABLES: "eue_customs" }, early);
  await server.collector.collect("eue_customs", "recent");
  expect(await server.hasHistory("eue_customs")).toBe(false);
  server.startJobs();
  await until("its history was read", () => server.hasHistory("eue_customs"));
});

test("a ledger that is away for one table at the start is noted, and the other tables are collected", async () => {
  const server = await open(temporaryDirectory(), await authorities(), {
    OFFICIAL_TABLES: "mex_fix,rou_reference",
  });
  const { installation } = server.ledger;
  const { read } = installation;
  const [away, other = ""] = server.collected.map(({ id }) => id);
  const reading = spyOn(installation, "read").mockImplementation(async (name) => {
    if (name === `official:${away}`) throw new LedgerUnavailable("no answer");
    return await read(name);
  });
  server.startJobs();
  await until("it is noted", () => JSON.stringify(server.emitted).includes("official-start"));
  reading.mockRestore();
  const query = { table: other, from: null, to: null, after: null, limit: 1 };
  await until("the other is there", async () => (await server.ledger.publications.list(query)).length > 0);
});

test("of two servers on one ledger one alone asks the authorities, and each with a lake copies what is published", async () => {
  const base = await authorities();
  const [directory, lake] = [temporaryDirectory(), temporaryDirectory()];
  const only = { OFFICIAL_TABLES: "rou_reference" };
  const first = await open(directory, base, only);
  first.startJobs();
  await allCollected(first);
  const second = await open(directory, base, only, undefined, lake);
  const stopSecond = second.startJobs();
  const path = join(lake, "current/official/table_id=rou_reference/publications.parquet");
  await until("the first copy is there", () => existsSync(path));
  const collected = ({ kind }: TelemetryEvent) => /^official_(collected|nothing_new)$/.test(kind);
  expect([first.emitted.some(collected), second.emitted.some(collected)]).toEqual([true, false]);
  expect((await second.tableStatus())[0]).toMatchObject({ table: "rou_reference", outcome: "publications" });
  const before = readFileSync(path);
  const rows = [{ base: "EUR", quote: "RON", rate: "5.09", unit: 1, kind: "mid" }] as const;
  const version = versionOf({ table: "rou_reference", validFrom: parseDay("2026-11-23") as number, rows });
  await first.ledger.outbox.publish([{ version, event: null }], NOW);
  await until("the newer one is there", () => !readFileSync(path).equals(before));
  stopSecond();
});

test("a collector with open access queues events for the endpoints that other processes on its ledger send to", async () => {
  const base = await authorities();
  const server = await open(temporaryDirectory(), base, { OFFICIAL_TABLES: "mex_fix" });
  const { organizationId } = await personWith(server.ledger, "ada", "plus");
  await server.ledger.endpoints.add("whe_1", organizationId, wanted(), 5, by());
  await server.collector.collect("mex_fix", "recent");
  const queued = await server.ledger.outbox.deliveries("whe_1", organizationId, 10);
  const changes = await server.ledger.outbox.changes({ after: null, since: null, tables: null, limit: 100 });
  expect(queued.map(({ eventId, state }) => [eventId, state])).toContainEqual([
    changes.at(-1)?.id ?? "",
    "pending",
  ]);
});

test("of a ledger that was restored under a server, unchanged documents are read again, and the lake becomes its copy", async () => {
  const directory = temporaryDirectory();
  const server = await open(directory, await authorities(), { OFFICIAL_TABLES: "rou_reference" });
  const publish = async (year: number) => {
    const validFrom = parseDay(`${year}-02-01`) as number;
    const rows = [{ base: "EUR", quote: "RON", rate: "5.09", unit: 1, kind: "mid" }] as const;
    const version = versionOf({ table: "rou_reference", publication: `${year}`, validFrom, rows });
    await server.ledger.outbox.publish([{ version, event: null }], NOW);
  };
  const inLedger = () =>
    expected(
      server.ledger,
      server.offered.map(({ table }) => table),
    );
  await server.collector.collect("rou_reference", "recent");
  await publish(2001);
  await server.copyToLake();
  const before = await inLedger();
  const restored = new Database(join(directory, "ledger.sqlite"));
  restored.run("DELETE FROM installation WHERE name = 'official:rou_reference'");
  for (const table of ["official_versions", "official_publications", "webhook_events"])
    restored.run(`DELETE FROM ${table} WHERE table_id = 'rou_reference'`);
  restored.close();
  await publish(2002);
  await server.collector.collect("rou_reference", "recent");
  const after = await inLedger();
  expect([after.length, after]).toEqual([before.length, expect.not.arrayContaining([...before])]);
  await server.copyToLake();
  expect(await stored(join(directory, "lake"))).toEqual([...after]);
});

test("a whole history that was read long ago is read again by the next start, and what it lacks is a new version once it is read again", async () => {
  const base = await authorities();
  let now = NOW;
  const clock = { now: () => now };
  const server = await open(temporaryDirectory(), base, { OFFICIAL_TABLES: "eue_customs" }, clock);
  const { publications, outbox, installation } = server.ledger;
  const version = versionOf({
    ...{ table: "eue_customs", publication: "2025-12", retrievedAt: NOW - 9e9 },
    validFrom: parseDay("2025-12-01") as number,
    validTo: parseDay("2025-12-31") as number,
    rows: [{ base: "EUR", quote: "USD", rate: "1.1583", unit: 1, kind: "mid" }],
  });
  await outbox.publish([{ version, event: null }], NOW - 9e9);
  const note = { outcome: "publications", historyAt: NOW - 9e9, rereadAt: NOW - 9e9 };
  await installation.write("official:eue_customs", JSON.stringify(note));
  const stop = server.startJobs();
  const newest = () => publications.find("eue_customs", "2025-12", null);
  while ((await server.held.list()).length === 0) await Bun.sleep(10);
  expect((await newest())?.version).toBe(1);
  now += 3_600_000;
  await server.collector.collect("eue_customs", "recent");
  expect((await newest())?.rows.find(({ quote }) => quote === "BGN")?.rate).toBe("1.9558");
  stop();
});

test.each(["before it notices", "when it has noticed"])(
  "a collector whose lease another process has taken publishes nothing, %s",
  async (when) => {
    const base = await authorities();
    const [requested, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = listen(async ({ url }) => {
      requested.resolve();
      await answered.promise;
      return new Response((await fetch(url.replace(new URL(url).origin, base))).body);
    }, 0);
    const only = { OFFICIAL_TABLES: "rou_reference" };
    const { startJobs, collector, ledger, emitted } = await open(temporaryDirectory(), slow.url, only);
    const has = (wanted: string) => () => emitted.some(({ kind }) => kind === wanted);
    startJobs();
    await until("it leads", has("leadership_gained"));
    const run = collector.collect("rou_reference", "recent");
    await requested.promise;
    const lease = { name: "official-collection", holder: "", epoch: 1, expiresAt: 0 };
    await ledger.leases.surpass(lease, 8);
    expect(await ledger.leases.acquire(lease.name, "another", 60_000)).not.toBeNull();
    if (when !== "before it notices") await until("it has noticed", has("leadership_lost"));
    answered.resolve();
    expect(await run).toMatchObject({ outcome: "never", detail: null });
    expect(emitted.filter(({ kind }) => kind.startsWith("official_"))).toEqual([]);
    const all = { table: "rou_reference", from: null, to: null, after: null, limit: 1 };
    expect(await ledger.publications.list(all)).toEqual([]);
  },
);

test("closing does not wait for an authority that does not answer", async () => {
  const requested = Promise.withResolvers<void>();
  const silent = listen(() => {
    requested.resolve();
    return new Promise<Response>(() => {});
  }, 0);
  const server = await open(temporaryDirectory(), silent.url, { OFFICIAL_TABLES: "pol_a" });
  server.startJobs();
  await requested.promise;
  await server.close();
  expect(server.emitted.map(({ kind }) => kind)).toEqual(["leadership_gained"]);
});

test("what is not collected is listed with what to do about it", async () => {
  const server = await open(temporaryDirectory(), "http://127.0.0.1:1", {
    OFFICIAL_TABLES: "pol_a",
    BANXICO_TOKEN: "",
  });
  const missing = new Map(server.offered.map(({ table, missing: why }) => [table.id, why]));
  expect(missing.get("pol_a")).toBeNull();
  expect(missing.get("mex_fix")).toBe("set BANXICO_TOKEN");
  expect(missing.get("cze_fixing")).toBe("add cze_fixing to OFFICIAL_TABLES");
});
