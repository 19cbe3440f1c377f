/** A lost ledger is never replaced silently: refused with the file and the remedy, until the operator requests a new one. */

import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { LedgerDamaged, LedgerLost, LedgerUnavailable } from "#domain/account/ledger.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { Row } from "#store/ledger/engine/rows.ts";
import { openSqlite } from "#store/ledger/engine/sqlite.ts";
import { type LedgerOptions, type LedgerPlace, openLedger } from "#store/ledger/ledger.ts";
import { account, by, madeKey, optionsOf, postgresPrograms, statement } from "#test/store/ledger/ledgers.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { until } from "#test/support/until.ts";
import { emptyDatabase } from "./shared-postgres.ts";

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

const hasAccount = (place: LedgerPlace, more: Partial<LedgerOptions> = {}) =>
  withLedger(place, async (ledger) => (await ledger.keys.find("hmac-a")) !== null, more);

async function refusal(place: LedgerPlace): Promise<string> {
  const fault = await hasAccount(place).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(LedgerLost);
  return (fault as Error).message;
}

/** A data directory with a ledger that has the account `a`; `folder` is its name below a temporary one. */
async function used(folder = "") {
  const directory = join(temporaryDirectory(), folder);
  await withLedger({ directory }, async (ledger) => void (await account(ledger, "a")));
  return { directory, path: join(directory, "ledger.sqlite"), idFile: join(directory, "installation.id") };
}

const removeLedger = (path: string) => {
  for (const part of ["", "-wal", "-shm"]) rmSync(`${path}${part}`, { force: true });
};

test("a directory of any name has its ledger and its id; all of it is for its owner alone", async () => {
  const { directory, path, idFile } = await used("what? #1 %41 [*]");
  const file = new Database(path, { readonly: true });
  const [row] = file.query<Row, []>("SELECT value FROM installation WHERE name = 'installation_id'").all();
  file.close();
  expect(readFileSync(idFile, "utf8")).toBe(`${row?.["value"]}\n`);
  await withLedger({ directory }, async () => {
    const files = readdirSync(directory);
    expect(files.length).toBeGreaterThan(2);
    for (const name of files)
      expect([name, statSync(join(directory, name)).mode & 0o777]).toEqual([name, 0o600]);
  });
});

const losses: readonly (readonly [string, (path: string) => void | Promise<void>])[] = [
  ["missing", removeLedger],
  ["empty", (path) => truncateSync(path, 0)],
  [
    "empty",
    async (path) => {
      removeLedger(path);
      const withoutTables = new Bun.SQL({ adapter: "sqlite", filename: path });
      await withoutTables.unsafe("PRAGMA journal_mode = WAL");
      await withoutTables.close();
    },
  ],
];

describe.each(losses)("a ledger that is %s", (how, lose) => {
  test("is refused, with the file, what was in it and what to do; nothing is made", async () => {
    const { directory, path } = await used();
    await lose(path);
    // SQLite may make the log of an empty file that it reads.
    const files = () => readdirSync(directory).filter((name) => !/-(wal|shm)$/.test(name));
    const before = files();
    const message = await refusal({ directory });
    expect(message).toStartWith(
      `${path}: the ledger is ${how}, and this data directory has had one (installation.id): accounts, API keys, usage, official publications and webhook deliveries were in it`,
    );
    expect(message).toContain(
      "bring it back from a backup (docs/ledger.md), or start once with --new-ledger",
    );
    expect(message).not.toContain("\n");
    expect(files()).toEqual(before);
  });

  test("is begun with --new-ledger, which is reported, and needed once", async () => {
    const { directory, path } = await used();
    await lose(path);
    const emitted: string[] = [];
    const more = { ...optionsOf((line) => emitted.push(line)), newLedger: true };
    expect(await hasAccount({ directory }, more)).toBe(false);
    expect(emitted).toEqual([JSON.stringify({ kind: "ledger_begun", ledger: path })]);
    expect(await hasAccount({ directory })).toBe(false);
  });
});

test.each([["missing"], ["empty"]])(
  "a log beside a file that is %s is never taken into a new ledger",
  async (how) => {
    const directory = temporaryDirectory();
    const path = join(directory, "ledger.sqlite");
    if (how === "empty") writeFileSync(path, "");
    writeFileSync(`${path}-wal`, "log");
    for (const newLedger of [false, true]) {
      const fault = await hasAccount({ directory }, { newLedger }).catch((error: unknown) => error);
      expect(fault).toBeInstanceOf(LedgerDamaged);
      expect((fault as Error).message).toContain(`move ${path}-wal and ${path}-shm away`);
    }
    expect(readFileSync(`${path}-wal`, "utf8")).toBe("log");
  },
);

test("--new-ledger leaves an existing ledger unchanged, and reports that it was not needed", async () => {
  const { directory } = await used();
  const emitted: string[] = [];
  const more = { ...optionsOf((line) => emitted.push(line)), newLedger: true };
  expect(await hasAccount({ directory }, more)).toBe(true);
  expect(emitted.join()).toContain("new_ledger_ignored");
});

test.each([["another installation's"], ["cut"]])(
  "with %s id the ledger is refused, and opened with --new-ledger",
  async (how) => {
    const [one, other] = [await used(), await used()];
    if (how === "cut") truncateSync(one.idFile, 7);
    else {
      removeLedger(one.path);
      copyFileSync(other.path, one.path);
    }
    const message = await refusal(one);
    expect(message).toStartWith(`${one.path}: the ledger is not the one of this data directory`);
    expect(message).toContain(readFileSync(one.idFile, "utf8").trim());
    expect(await hasAccount(one, { newLedger: true })).toBe(true);
    expect(await hasAccount(one)).toBe(true);
  },
);

test.each(["installation.id", "ledger.sqlite"])("%s that cannot be read is named", async (name) => {
  const { directory, path } = await used();
  removeLedger(path);
  rmSync(join(directory, name), { force: true });
  // The disk answers with EIO at the beginning of this file.
  if (name === "installation.id") symlinkSync("/proc/self/mem", join(directory, name));
  else mkdirSync(path);
  const fault = await hasAccount({ directory }).catch((error: unknown) => error);
  expect((fault as Error).message).toContain(`${join(directory, name)}: `);
});

describe("a first start", () => {
  test("makes a ledger, also when eight processes start at once", async () => {
    const directory = temporaryDirectory();
    const ledgers = await Promise.all(
      Array.from({ length: 8 }, () => openLedger({ directory }, optionsOf())),
    );
    await Promise.all(ledgers.map((ledger) => ledger.close()));
    expect(readdirSync(directory).sort()).toEqual(["installation.id", "ledger.sqlite"]);
  });

  test("goes on where one was killed after it had made the file", async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, "ledger.sqlite"), "");
    expect(await hasAccount({ directory })).toBe(false);
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

  // As providers do with a disk that is nearly full.
  test("one that takes no writes is opened and read, and written to when it does; one without tables says why", async () => {
    const [url, empty] = [await fresh(), await fresh()];
    const refuseWrites = async (one: string, is: "on" | "off") => {
      const change = `ALTER DATABASE ${new URL(one).pathname.slice(1)} SET default_transaction_read_only = ${is}`;
      await statement({ url: one }, `BEGIN READ WRITE; ${change}; COMMIT`);
    };
    const place = { url, markedIn: temporaryDirectory() };
    await withLedger(place, async (ledger) => void (await account(ledger, "a")));
    for (const one of [url, empty]) await refuseWrites(one, "on");
    expect(await hasAccount(place)).toBe(true);
    await expect(hasAccount({ url: empty })).rejects.toThrow("in a read-only transaction");
    await withLedger(place, async (ledger) => {
      await expect(account(ledger, "b")).rejects.toThrow(LedgerUnavailable);
      await refuseWrites(url, "off");
      await until("it takes writes", () =>
        account(ledger, "b").then(
          () => true,
          () => false,
        ),
      );
    });
  });

  test("replicas with empty directories begin and join; an emptied database is refused to those that knew it", async () => {
    const [one, two] = [temporaryDirectory(), temporaryDirectory()];
    const url = await fresh();
    await withLedger({ url, markedIn: one }, async (ledger) => void (await account(ledger, "a")));
    expect(await hasAccount({ url, markedIn: two })).toBe(true);
    expect(readFileSync(join(two, "installation.id"), "utf8")).toBe(
      readFileSync(join(one, "installation.id"), "utf8"),
    );
    const emptied = await fresh();
    const message = await refusal({ url: emptied, markedIn: one });
    expect(message).toStartWith("the database of DATABASE_URL: the ledger is empty");
    expect(message).not.toContain(emptied);
    expect(
      await statement({ url: emptied }, "SELECT 1 AS n FROM pg_tables WHERE schemaname = 'public'"),
    ).toEqual([]);
    await hasAccount({ url: emptied, markedIn: one }, { newLedger: true });
    await hasAccount({ url: emptied, markedIn: one });
    expect(await refusal({ url: emptied, markedIn: two })).toContain("is not the one of this data directory");
  });

  test("a directory whose ledger is in a file does not change to an empty database silently, nor back", async () => {
    const { directory, path } = await used();
    const url = await fresh();
    expect(await refusal({ url, markedIn: directory })).toContain("correct DATABASE_URL");
    await hasAccount({ url, markedIn: directory }, { newLedger: true });
    expect(await refusal({ directory })).toContain("is not the one of this data directory");
    removeLedger(path);
    expect(await refusal({ directory })).toContain("the ledger is missing");
  });
});

// Another process holds the embedded ledger locked: reads and the event loop continue, writes wait and then are refused by name.
const CHILD = join(import.meta.dir, "lock-child.ts");

test("a lock of another process delays writes, or refuses them by name; it stops neither reads nor the event loop", async () => {
  const directory = temporaryDirectory();
  const ledger = await openLedger({ directory }, optionsOf());
  const { organizationId } = await account(ledger, "a");
  const locker = Bun.spawn([process.execPath, CHILD, join(directory, "ledger.sqlite")], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  for await (const chunk of locker.stdout) {
    if (new TextDecoder().decode(chunk).includes("locked")) break;
  }
  let [turns, settled] = [0, false];
  const write = ledger.keys.rotate(organizationId, madeKey("b"), by()).finally(() => {
    settled = true;
  });
  const outcome = write.catch((fault: unknown) => fault);
  while (!settled) {
    expect((await ledger.keys.find("hmac-a"))?.key.id).toBe("key_a");
    turns += 1;
    await Bun.sleep(1);
  }
  expect(await outcome).toBeInstanceOf(LedgerUnavailable);
  expect(turns).toBeGreaterThan(20);

  const patient = ledger.keys.rotate(organizationId, madeKey("c"), by());
  await locker.stdin.end();
  expect((await patient)?.id).toBe("key_c");
  await locker.exited;
  await ledger.close();
});

test("a ledger is opened when another process has ended its exclusive lock", async () => {
  const path = join(temporaryDirectory(), "ledger.sqlite");
  const other = new Database(path);
  other.run("CREATE TABLE one (column_of_it INTEGER)");
  other.run("BEGIN EXCLUSIVE");
  let isOpen = false;
  const opening = openSqlite(path).finally(() => {
    isOpen = true;
  });
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(isOpen).toBe(false);
  other.run("COMMIT");
  const engine = await opening;
  expect(await engine.read.rows("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  await engine.close();
  other.close();
});
