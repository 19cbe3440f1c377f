/** A lost ledger is never replaced silently: refused with the file and the remedy, until the operator requests a new one. */

import { describe, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { LedgerLost } from "#domain/account/ledger.ts";
import type { Ledger } from "#ports/ledger.ts";
import { type LedgerOptions, type LedgerPlace, openLedger } from "#store/ledger/ledger.ts";
import { account, optionsOf, postgresPrograms, statement } from "#test/store/ledger/ledgers.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { emptyDatabase } from "./shared-postgres.ts";

const PARTS = ["", "-wal", "-shm"];

async function withLedger<T>(
  place: LedgerPlace,
  work: (ledger: Ledger) => Promise<T>,
  more: Partial<LedgerOptions> = {},
): Promise<T> {
  const ledger = await openLedger(place, { ...optionsOf(), ...more });
  try {
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}

const opens = (place: LedgerPlace, more: Partial<LedgerOptions> = {}) =>
  withLedger(place, async () => {}, more);
const hasAccount = (place: LedgerPlace, more: Partial<LedgerOptions> = {}) =>
  withLedger(place, async (ledger) => (await ledger.keys.find("hmac-a")) !== null, more);

async function refusal(place: LedgerPlace): Promise<string> {
  const fault = await opens(place).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(LedgerLost);
  return (fault as Error).message;
}

/** A data directory with a ledger that has the account `a`. */
async function used(): Promise<{ directory: string; path: string; mark: string }> {
  const directory = temporaryDirectory();
  await withLedger({ directory }, async (ledger) => void (await account(ledger, "a")));
  return { directory, path: join(directory, "ledger.sqlite"), mark: join(directory, "installation.json") };
}

const removeLedger = (path: string) => {
  for (const part of PARTS) rmSync(`${path}${part}`, { force: true });
};

const emptyLedger = (path: string) => {
  removeLedger(path);
  writeFileSync(path, "");
};
const emptyWithLog = (path: string) => {
  emptyLedger(path);
  writeFileSync(`${path}-wal`, "log");
};

describe("the mark", () => {
  test("names the ledger that was made, is for its owner alone, and stays as it is", async () => {
    const { directory, mark } = await used();
    const text = readFileSync(mark, "utf8");
    expect(JSON.parse(text)).toMatchObject({ ledger: "sqlite", since: "2026-11-20T12:00:00.000Z" });
    expect(statSync(mark).mode & 0o777).toBe(0o600);
    const [row] = await statement(
      { directory },
      "SELECT value FROM installation WHERE name = 'installation_id'",
    );
    expect(row?.["value"]).toBe(JSON.parse(text).installation);
    await opens({ directory }, { clock: { now: () => 0 } });
    expect(readFileSync(mark, "utf8")).toBe(text);
  });

  test("is given to a directory of an earlier release, whose ledger has no name yet", async () => {
    const { directory, mark } = await used();
    await statement({ directory }, "DELETE FROM installation WHERE name = 'installation_id'");
    rmSync(mark);
    expect(await hasAccount({ directory })).toBe(true);
    expect(existsSync(mark)).toBe(true);
  });

  test("that is damaged is rewritten beside an existing ledger, and reported", async () => {
    const { directory, mark } = await used();
    const text = readFileSync(mark, "utf8");
    for (const damaged of [
      "",
      text.slice(0, 40),
      text.replace("sqlite", "postgres"),
      text.replace("ins_", "inz_"),
    ]) {
      writeFileSync(mark, damaged);
      const emitted: string[] = [];
      expect(
        await hasAccount(
          { directory },
          optionsOf((line) => emitted.push(line)),
        ),
      ).toBe(true);
      expect(readFileSync(mark, "utf8")).toBe(text);
      expect(emitted.join()).toMatch(/installation_file_rewritten.*installation\.json/);
    }
  });
});

describe("a ledger that is gone is refused, with the file, what was in it and what to do; nothing is made", () => {
  const losses: readonly (readonly [string, (path: string) => void])[] = [
    ["missing", removeLedger],
    ["empty", emptyLedger],
    ["empty", (path) => truncateSync(path, 0)],
  ];
  test.each(losses)("%s", async (how, lose) => {
    const { directory, path } = await used();
    lose(path);
    const before = readdirSync(directory);
    const message = await refusal({ directory });
    expect(message).toStartWith(
      `${path}: the ledger is ${how}, and this data directory has had one since 2026-11-20`,
    );
    expect(message).toContain(
      "accounts, API keys, usage, official publications and webhook deliveries were in it",
    );
    expect(message).toContain(
      "bring it back from a backup (docs/ledger.md), or start once with --new-ledger",
    );
    expect(message).not.toContain("\n");
    expect(readdirSync(directory)).toEqual(before);
  });

  test("one without tables", async () => {
    const { directory, path } = await used();
    removeLedger(path);
    const empty = new Bun.SQL({ adapter: "sqlite", filename: path });
    await empty.unsafe("PRAGMA journal_mode = WAL");
    await empty.close();
    expect(await refusal({ directory })).toContain("the ledger is empty");
  });

  test("also where the mark is damaged", async () => {
    const { directory, path, mark } = await used();
    removeLedger(path);
    writeFileSync(mark, "{");
    expect(await refusal({ directory })).toContain(
      "installation.json, itself damaged, says that there was one",
    );
  });

  test.each([
    ["an empty file", "it was cut off", (path: string) => writeFileSync(path, "")],
    [
      "a log without its file",
      "ledger.sqlite-wal is still there",
      (path: string) => writeFileSync(`${path}-wal`, "x"),
    ],
  ])("without a mark, %s is evidence of a lost ledger", async (_, expected, leave) => {
    const directory = temporaryDirectory();
    leave(join(directory, "ledger.sqlite"));
    expect(await refusal({ directory })).toContain(expected);
  });

  test("without a mark, a key file that was made for a ledger is evidence of a lost one", async () => {
    const directory = temporaryDirectory();
    const keyFile = join(directory, "secrets", "master.key");
    expect(await refusal({ directory, keyFile })).toContain(
      `${keyFile} was made with one that was there before`,
    );
  });
});

describe("--new-ledger", () => {
  test.each([
    ["missing", removeLedger],
    ["empty", (path: string) => truncateSync(path, 0)],
    ["empty, with its log", emptyWithLog],
  ])("creates an empty one where it is %s, reports it, and is needed once", async (_, lose) => {
    const { directory, path } = await used();
    lose(path);
    const emitted: string[] = [];
    const more = { ...optionsOf((line) => emitted.push(line)), newLedger: true };
    expect(await hasAccount({ directory }, more)).toBe(false);
    expect(emitted).toEqual([JSON.stringify({ kind: "ledger_begun", ledger: path, asked: true })]);
    expect(await hasAccount({ directory })).toBe(false);
    const aside = readdirSync(directory).filter((name) => name.includes(".aside"));
    for (const name of aside.filter((one) => one.endsWith("-wal")))
      expect(readFileSync(join(directory, name), "utf8")).toBe("log");
  });

  test("leaves an existing ledger unchanged, and reports that it was not needed", async () => {
    const { directory } = await used();
    const emitted: string[] = [];
    expect(
      await hasAccount({ directory }, { ...optionsOf((line) => emitted.push(line)), newLedger: true }),
    ).toBe(true);
    expect(emitted.join()).toContain("new_ledger_ignored");
  });

  test("opens the ledger of another installation, which is refused without", async () => {
    const [one, other] = [await used(), await used()];
    removeLedger(one.path);
    copyFileSync(other.path, one.path);
    const id = JSON.parse(readFileSync(one.mark, "utf8")).installation as string;
    const message = await refusal(one);
    expect(message).toStartWith(`${one.path}: the ledger is not the one of this data directory`);
    expect(message).toContain(id);
    expect(await hasAccount(one, { newLedger: true })).toBe(true);
    expect(await hasAccount(one)).toBe(true);
  });
});

describe("a first start", () => {
  test("makes a ledger, whole before it has its name, also when eight processes start at once", async () => {
    const directory = temporaryDirectory();
    const ledgers = await Promise.all(
      Array.from({ length: 8 }, () => openLedger({ directory }, optionsOf())),
    );
    await Promise.all(ledgers.map((ledger) => ledger.close()));
    expect(readdirSync(directory).sort()).toEqual(["installation.json", "ledger.sqlite"]);
  });

  test("beside rates that a backfill left is allowed, and reported", async () => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, "lake", "daily", "year=2026"), { recursive: true });
    const emitted: string[] = [];
    const emit = optionsOf((line) => emitted.push(line));
    writeFileSync(join(directory, "lake", "daily", "year=2026", "rates.parquet"), "");
    await opens({ directory }, emit);
    expect(emitted).toEqual([expect.stringContaining("ledger_begun")]);
    await opens({ directory }, emit);
    expect(emitted).toHaveLength(1);
  });

  test("opens a restored backup", async () => {
    const { directory, path } = await used();
    const backup = join(directory, "backup");
    await statement({ directory }, `VACUUM INTO '${backup}'`);
    removeLedger(path);
    copyFileSync(backup, path);
    expect(await hasAccount({ directory })).toBe(true);
  });
});

describe.skipIf(postgresPrograms === null)("on Postgres", () => {
  const fresh = async () => await emptyDatabase(postgresPrograms ?? "");

  test("replicas with empty directories begin and join; an emptied database is refused to those that knew it", async () => {
    const [one, two] = [temporaryDirectory(), temporaryDirectory()];
    const url = await fresh();
    await withLedger({ url, markedIn: one }, async (ledger) => void (await account(ledger, "a")));
    expect(await hasAccount({ url, markedIn: two })).toBe(true);
    expect(readFileSync(join(two, "installation.json"), "utf8")).toBe(
      readFileSync(join(one, "installation.json"), "utf8"),
    );
    const emptied = await fresh();
    const message = await refusal({ url: emptied, markedIn: one });
    expect(message).toStartWith(
      "the database of DATABASE_URL: the ledger is empty, and this data directory has had one",
    );
    expect(message).not.toContain(emptied);
    expect(
      await statement({ url: emptied }, "SELECT 1 AS n FROM pg_tables WHERE schemaname = 'public'"),
    ).toEqual([]);
    await opens({ url: emptied, markedIn: one }, { newLedger: true });
    await opens({ url: emptied, markedIn: one });
    expect(await refusal({ url: emptied, markedIn: two })).toContain("is not the one of this data directory");
  });

  test("a directory whose ledger is in a file does not go over to an empty database in silence, nor back", async () => {
    const { directory, path } = await used();
    const url = await fresh();
    expect(await refusal({ url, markedIn: directory })).toContain("take DATABASE_URL away");
    await opens({ url, markedIn: directory }, { newLedger: true });
    expect(await refusal({ directory })).toContain("is not the one of this data directory");
    removeLedger(path);
    expect(await refusal({ directory })).toContain("set DATABASE_URL");
  });
});
