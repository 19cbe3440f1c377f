/** Ledger and keys belong together: neither is recreated beside the other, and each kind of loss has its message. */

import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compareClocks, openAccountLedger } from "#assembly/ledger.ts";
import { ConfigFault, readConfig } from "#config.ts";
import { RIGHT_CLOCK } from "#domain/intake/reading.ts";
import { KeyFileFault } from "#gateways/vault/keyring.ts";
import type { Vault } from "#ports/identity.ts";
import { countingKey } from "#test/gateways/vault/keyrings.ts";
import { statement } from "#test/store/ledger/ledgers.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

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
    expect(message).toContain("KEY_PEPPER");
  });
});

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
  const postgres = { DATABASE_URL: "postgres://user@127.0.0.1:9/rates" };
  await compare({}, async () => 1);
  await compare(postgres, () => Promise.reject(new Error("away")));
  await compare(postgres, async () => 2);
  expect(compared).toEqual([["the database", 2]]);
});
