/** Ledger and keys belong together: neither is recreated beside the other, and each kind of loss has its message. */

import { describe, expect, spyOn, test } from "bun:test";
import { Resolver } from "node:dns/promises";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import * as machine from "node:os";
import { join } from "node:path";
import {
  compareClocks,
  countersOf,
  OTHER_PLANS,
  openAccountLedger,
  watchPlans,
  webhookPostOf,
} from "#assembly/ledger.ts";
import { ConfigFault, readConfig } from "#config.ts";
import { RIGHT_CLOCK } from "#domain/intake/reading.ts";
import { KeyFileFault } from "#gateways/vault/keyring.ts";
import type { Vault } from "#ports/identity.ts";
import type { CountersState } from "#ports/ledger.ts";
import { openLedger } from "#store/ledger/ledger.ts";
import { runInProcess } from "#test/commands/process.ts";
import { countingKey } from "#test/gateways/vault/keyrings.ts";
import { FREE, grant } from "#test/store/counters/fixtures.ts";
import { optionsOf, statement } from "#test/store/ledger/ledgers.ts";
import { openProduct } from "#test/support/product.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { until } from "#test/support/until.ts";

type Settings = Readonly<Record<string, string>>;
const clock = { now: () => Date.UTC(2026, 10, 20, 12) };
const SEALED_FOR = { org: "org_a", id: "key_a", purpose: "api_key" };

async function opened<T>(
  directory: string,
  work: (vault: Vault) => Promise<T>,
  settings: Settings = {},
): Promise<T> {
  const config = readConfig({ DATA_DIR: directory, ...settings });
  const { ledger, vault } = await openAccountLedger(config, clock, () => {});
  try {
    return await work(vault);
  } finally {
    await ledger.close();
  }
}

async function refusal(directory: string, kind: new (...parts: never[]) => Error, settings: Settings = {}) {
  const fault = await opened(directory, async () => {}, settings).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(kind);
  return (fault as Error).message;
}

async function used(settings: Settings = {}) {
  const directory = temporaryDirectory();
  const envelope = await opened(directory, (vault) => vault.seal("hush", SEALED_FOR), settings);
  return {
    directory,
    keyFile: join(directory, "secrets", "master.key"),
    ledgerFile: join(directory, "ledger.sqlite"),
    reads: (more: Settings = settings) =>
      opened(directory, (vault) => vault.open(envelope, SEALED_FOR), more),
  };
}

describe("the generated key file", () => {
  test("is made once there is a ledger, also by many processes at once, and read ever after", async () => {
    const directory = temporaryDirectory();
    const marks = await Promise.all(
      Array.from({ length: 6 }, () => opened(directory, async (vault) => vault.pepperMark)),
    );
    expect(new Set(marks).size).toBe(1);
    expect(await (await used()).reads()).toBe("hush");
  });

  test("that is missing beside a ledger that was made with it is not recreated", async () => {
    const { directory, keyFile, reads } = await used();
    const text = readFileSync(keyFile, "utf8");
    rmSync(keyFile);
    const message = await refusal(directory, KeyFileFault);
    expect(message).toStartWith(`${keyFile}: it is missing, and this ledger was made with it: bring it back`);
    expect(existsSync(keyFile)).toBe(false);
    writeFileSync(keyFile, text, { mode: 0o600 });
    expect(await reads()).toBe("hush");
  });

  test("is made where the ledger had no keys before: it held publications alone", async () => {
    const { directory, keyFile } = await used();
    await statement({ directory }, "DELETE FROM installation WHERE name <> 'installation_id'");
    rmSync(keyFile);
    await opened(directory, async () => {});
    expect(existsSync(keyFile)).toBe(true);
  });

  test("of another ledger is refused by name", async () => {
    const [one, other] = [await used(), await used()];
    writeFileSync(one.keyFile, readFileSync(other.keyFile));
    const message = await refusal(one.directory, KeyFileFault);
    expect(message).toStartWith(`${one.keyFile}: it is not the one that this ledger was made with`);
  });

  test("with a different master key is refused, although its pepper is right and nothing else differs", async () => {
    const { directory, keyFile } = await used();
    const text = readFileSync(keyFile, "utf8");
    writeFileSync(keyFile, text.replace(/embedded-1:.*/, `embedded-1:${countingKey(5)}`));
    expect(await refusal(directory, KeyFileFault)).toContain("it is not the one");
  });

  test("that is damaged is refused before a ledger is looked for", async () => {
    const { directory, keyFile, ledgerFile } = await used();
    writeFileSync(keyFile, readFileSync(keyFile, "utf8").slice(0, -5));
    rmSync(ledgerFile);
    expect(await refusal(directory, KeyFileFault)).toContain("it is damaged (KEY_PEPPER");
    expect(existsSync(ledgerFile)).toBe(false);
  });
});

describe("MASTER_KEYS", () => {
  const first = { MASTER_KEYS: `1:${countingKey(1)}`, KEY_PEPPER: countingKey(9) };

  test("with another key of a known id are refused; a new id in front is taken, and the old one may go", async () => {
    const { directory, reads } = await used(first);
    const other = { ...first, MASTER_KEYS: `1:${countingKey(2)}` };
    expect(await refusal(directory, ConfigFault, other)).toContain(
      "MASTER_KEYS 1: this ledger's secrets were sealed",
    );
    const both = { ...first, MASTER_KEYS: `2:${countingKey(2)},${first.MASTER_KEYS}` };
    expect(await reads(both)).toBe("hush");
    await opened(directory, async () => {}, { ...first, MASTER_KEYS: `2:${countingKey(2)}` });
  });

  test("with another pepper are refused", async () => {
    const { directory } = await used(first);
    const message = await refusal(directory, ConfigFault, { ...first, KEY_PEPPER: countingKey(40) });
    expect(message).toMatch(/^.*KEY_PEPPER.*secrets\/master.key/s);
  });
});

const postgres = { DATABASE_URL: "postgres://user@127.0.0.1:9/rates" };

test("this machine's clock is compared with the database's; the embedded ledger has none, and an outage says nothing", async () => {
  const compared: unknown[] = [];
  const watch = {
    note: () => {},
    verdict: () => RIGHT_CLOCK,
    isProven: () => true,
    compare: (...answer: unknown[]) => void compared.push(answer),
  };
  const compare = (settings: Settings, now: () => Promise<number>) =>
    compareClocks(readConfig(settings), { leases: { now } } as never, watch);
  await compare({}, async () => 1);
  await compare(postgres, () => Promise.reject(new Error("away")));
  await compare(postgres, async () => 2);
  expect(compared).toEqual([["the database", 2]]);
});

test.each([
  ["this machine's interfaces", "93.184.215.14", "address"],
  ["WEBHOOK_OWN_ADDRESSES", "93.184.215.15", "address"],
  ["another machine", "93.184.215.16", "connect"],
])("an event for an address of %s, which is public (%s), ends with %s", async (_, address, fault) => {
  const interfaces = { eth0: [{ address: "93.184.215.14" }] };
  const replaced = [
    spyOn(machine, "networkInterfaces").mockReturnValue(interfaces as never),
    spyOn(Resolver.prototype, "resolve4").mockResolvedValue([address]),
    spyOn(Resolver.prototype, "resolve6").mockResolvedValue([]),
  ];
  // Nobody runs this proxy: nothing is sent anywhere.
  const settings = { WEBHOOK_EGRESS_PROXY: "http://127.0.0.1:1", WEBHOOK_OWN_ADDRESSES: "93.184.215.15" };
  const post = webhookPostOf(readConfig(settings));
  expect(await post("https://hook.example.com/", {}, "{}")).toMatchObject({ fault });
  for (const one of replaced) one.mockRestore();
});

test.each([
  ["an embedded ledger is this server's own: its month is read once", {}, 1],
  ["a Postgres may be shared without Redis: its month is read again each second", postgres, 2],
])("%s", async (_, settings, reads) => {
  const at = { now: clock.now() };
  let asked = 0;
  const monthUsed = async () => ++asked;
  const counters = await countersOf(readConfig(settings), {
    clock: { now: () => at.now },
    emit: () => {},
    monthUsed,
  });
  await grant(counters, FREE);
  at.now += 1000;
  await grant(counters, FREE);
  expect(asked).toBe(reads);
});

test("each hour a server forgets what is older than its documents say, and nothing while its clock is not proven", async () => {
  const settings = {
    DATA_DIR: temporaryDirectory(),
    ACCESS: "metered",
    LIVE_FEED: "off",
    OFFICIAL_TABLES: "off",
  };
  const { accounts } = await openProduct(settings, { now: clock.now });
  if (accounts === null) throw new Error("the server has no accounts");
  const { sessions, tokens, usage, outbox } = accounts.ledger;
  const pruned = {
    sessions: spyOn(sessions, "prune"),
    links: spyOn(tokens, "prune"),
    batches: spyOn(usage, "pruneBatches"),
    deliveries: spyOn(outbox, "prune"),
    months: spyOn(usage, "pruneMonths"),
  };
  let isProven = false;
  const timer = spyOn(globalThis, "setInterval").mockReturnValue(0 as never);
  accounts.startUpkeep(() => isProven);
  const [hourly = () => {}, milliseconds] = timer.mock.calls[0] ?? [];
  timer.mockRestore();
  expect(milliseconds).toBe(3_600_000);
  hourly();
  isProven = true;
  hourly();
  await until("the last is pruned", () => pruned.deliveries.mock.calls.length > 0);
  const daysAgo = (days: number) => [[clock.now() - days * 86_400_000]];
  const asked: Record<string, unknown> = {};
  for (const [name, { mock }] of Object.entries(pruned)) asked[name] = mock.calls;
  expect(asked).toEqual({
    ...{ sessions: daysAgo(90), links: daysAgo(30), deliveries: daysAgo(30), batches: daysAgo(1) },
    months: [["2026-11"]],
  });
});

const DATA_DIR = temporaryDirectory();
const PLANS_FILE = join(DATA_DIR, "plans.json");
writeFileSync(PLANS_FILE, JSON.stringify({ free: { webhooks: 2 } }));
const LIMITS: CountersState = { kind: "redis", status: "ok", detail: null, callers: 0, crowded: 0 };

test("the process that has another table than the server that started last says so until that ends", async () => {
  const ledger = await openLedger({ directory: DATA_DIR }, optionsOf());
  const emitted: string[] = [];
  const start = (settings: Record<string, string>, hasAccounts = true) =>
    watchPlans(readConfig({ DATA_DIR, ...settings }), ledger, ({ kind }) => emitted.push(kind), hasAccounts);
  const doctor = async () => (await runInProcess(["doctor", "--local"], { DATA_DIR, ACCESS: "metered" })).out;

  const first = await start({});
  expect(first.shown(LIMITS)).toBe(LIMITS);
  const second = await start({ PLANS_FILE, LIVE_DELAY_MINUTES: "10" });
  expect(second.shown(LIMITS)).toBe(LIMITS);
  await Promise.all([first.look(), second.look()]);
  await first.look();
  expect(emitted).toEqual(["plans_differ"]);
  expect(first.shown(LIMITS)).toEqual({ ...LIMITS, status: "degraded", detail: OTHER_PLANS });
  expect(second.shown(LIMITS)).toBe(LIMITS);
  expect(await doctor()).toContain(OTHER_PLANS.slice(0, 40));

  // A collector without accounts queues by its table, and says at its start that it is another one.
  await start({ ACCESS: "open" }, false);
  expect(emitted).toEqual(["plans_differ", "plans_differ"]);
  await second.look();
  expect(second.shown(LIMITS)).toBe(LIMITS);

  await start({});
  await first.look();
  expect(first.shown(LIMITS)).toBe(LIMITS);
  expect(await doctor()).not.toContain("another table of plans");
  await ledger.close();
});
