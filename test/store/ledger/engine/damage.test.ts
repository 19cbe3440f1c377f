/** A damaged ledger file is found: at the start with file and remedy, left as it is; a large one at night, while it is served. */

import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { LedgerDamaged, LedgerUnavailable } from "#domain/account/ledger.ts";
import type { Ledger } from "#ports/ledger.ts";
import { openLedger } from "#store/ledger/ledger.ts";
import { codeBlocks, readDocument } from "#test/docs/document.ts";
import { account, by, madeKey, onSqlite, optionsOf, statement } from "#test/store/ledger/ledgers.ts";
import { closedAfterEach } from "#test/support/closed-after-each.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const PAGE_BYTES = 4096;
const opened = closedAfterEach();

async function open(directory: string, emitted: string[] = []): Promise<Ledger> {
  const options = optionsOf((line) => emitted.push(line));
  return opened(await openLedger({ directory }, options));
}

/** A ledger with so many entries in its audit log, closed. */
async function filled(entries: number): Promise<{ directory: string; path: string }> {
  const directory = temporaryDirectory();
  const ledger = await openLedger({ directory }, optionsOf());
  await account(ledger, "a");
  await ledger.close();
  await statement(
    { directory },
    `INSERT INTO audit_log (id, at, actor, action, subject, detail)
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${entries})
     SELECT printf('aud_x%08d', i), i, 'system', 'key.created', 'organization:org_' || i, '{"n":"' || hex(randomblob(40)) || '"}' FROM n`,
  );
  return { directory, path: join(directory, "ledger.sqlite") };
}

async function damageOf(directory: string): Promise<string> {
  const fault = await openLedger({ directory }, optionsOf()).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(LedgerDamaged);
  const { message } = fault as Error;
  expect(message).toStartWith(`${directory}/ledger.sqlite: the ledger is damaged (`);
  expect(message).not.toContain("\n");
  return message;
}

function overwrite(path: string, at: number, bytes: Uint8Array): void {
  const file = openSync(path, "r+");
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}

/** The page of the file in which an index of the audit log begins: every lookup by subject reads it. */
async function rootPageOf(directory: string, name: string): Promise<number> {
  const [row] = await statement({ directory }, `SELECT rootpage FROM sqlite_schema WHERE name = '${name}'`);
  return Number(row?.["rootpage"]);
}

describe("at the start", () => {
  const kinds: readonly (readonly [string, (path: string, bytes: number) => void])[] = [
    ["a file that is no database", (path) => writeFileSync(path, "no database ".repeat(1000))],
    ["a header of noise", (path) => overwrite(path, 0, new Uint8Array(100).fill(7))],
    ["a file that was cut in the middle", (path, bytes) => truncateSync(path, bytes / 2)],
    ["a file that was cut within a page", (path, bytes) => truncateSync(path, bytes - 100)],
    ["a file of one page", (path) => truncateSync(path, PAGE_BYTES)],
    ["pages of zeros", (path, bytes) => overwrite(path, PAGE_BYTES, new Uint8Array(bytes - PAGE_BYTES))],
  ];
  test.each(kinds)("%s is refused with file and remedy, and left as it is", async (_, damage) => {
    const { directory, path } = await filled(500);
    damage(path, statSync(path).size);
    const before = readFileSync(path);
    const message = await damageOf(directory);
    expect(message).toContain("restore a backup (docs/ledger.md)");
    expect(message).toContain(".recover");
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test("noise in the head of any page of tables and indexes is found", async () => {
    const { path } = await filled(500);
    const random = seededRandom(7);
    const pages = statSync(path).size / PAGE_BYTES;
    for (let round = 0; round < 25; round++) {
      const other = temporaryDirectory();
      copyFileSync(path, join(other, "ledger.sqlite"));
      const page = 1 + Math.floor(random() * (pages - 1));
      // Type of the page, first free block, number of cells, start of their content: nothing of it is a free choice.
      overwrite(join(other, "ledger.sqlite"), page * PAGE_BYTES, new Uint8Array(8).fill(0xa5));
      await damageOf(other);
    }
  });

  test("a log of another database is named, not taken into the file, and without it the file opens", async () => {
    const { directory, path } = await filled(500);
    const other = await filled(3000);
    const writing = await open(other.directory);
    for (let nth = 0; nth < 50; nth++) await account(writing, `o${nth}`);
    copyFileSync(`${other.path}-wal`, `${path}-wal`);
    const before = readFileSync(path);
    const message = await damageOf(directory);
    expect(message).toContain(
      `start again, once the disk is well: one that fails looks the same. Where this comes back and there is a log, move ${path}-wal and ${path}-shm away`,
    );
    expect(readFileSync(path).equals(before)).toBe(true);
    rmSync(`${path}-wal`);
    rmSync(`${path}-shm`, { force: true });
    const ledger = await open(directory);
    expect((await ledger.keys.find("hmac-a"))?.key.id).toBe("key_a");
  });

  test("--new-ledger does not put another in the place of a damaged one", async () => {
    const { directory, path } = await filled(10);
    writeFileSync(path, "no database ".repeat(1000));
    const opening = openLedger({ directory }, { ...optionsOf(), newLedger: true });
    await expect(opening).rejects.toThrow(LedgerDamaged);
    expect(readFileSync(path, "utf8")).toStartWith("no database");
  });

  test("what a process that was killed left in the log is no damage", async () => {
    const { directory, path } = await filled(10);
    const ledger = await open(directory);
    await account(ledger, "b");
    const copy = temporaryDirectory();
    for (const part of ["", "-wal"]) copyFileSync(`${path}${part}`, join(copy, `ledger.sqlite${part}`));
    const again = await open(copy);
    expect((await again.keys.find("hmac-b"))?.key.id).toBe("key_b");
    expect(existsSync(join(copy, "installation.id"))).toBe(true);
  });
});

describe("what a crash cuts off before a file has its write-ahead log is undone by the next start", () => {
  test("in a restored ledger", async () => {
    const { directory } = await filled(3000);
    const backup = join(temporaryDirectory(), "ledger.sqlite");
    await statement({ directory }, `VACUUM INTO '${backup}'`);
    const database = new Database(backup);
    // The cache is too small for the change: the file has a part of it, and the journal what was there before.
    database.run("PRAGMA cache_size = 5");
    database.run("BEGIN");
    database.run("UPDATE audit_log SET detail = upper(detail), actor = 'nobody'");
    const copy = temporaryDirectory();
    for (const part of ["", "-journal"]) copyFileSync(`${backup}${part}`, join(copy, `ledger.sqlite${part}`));
    database.close();
    expect(readFileSync(join(copy, "ledger.sqlite")).includes("nobody")).toBe(true);
    const ledger = await open(copy);
    expect((await ledger.keys.find("hmac-a"))?.key.id).toBe("key_a");
    await ledger.close();
    const rows = await statement(
      { directory: copy },
      "SELECT count(*) AS n FROM audit_log WHERE actor = 'nobody'",
    );
    expect(Number(rows[0]?.["n"])).toBe(0);
  });

  test("in a new one", async () => {
    const directory = temporaryDirectory();
    const path = join(directory, "ledger.sqlite");
    const database = new Database(path);
    database.run("PRAGMA cache_size = 1");
    database.run("BEGIN");
    for (let nth = 0; nth < 50; nth++)
      database.run(`CREATE TABLE t${nth} (text TEXT DEFAULT '${"x".repeat(900)}')`);
    const copy = temporaryDirectory();
    for (const part of ["", "-journal"]) copyFileSync(`${path}${part}`, join(copy, `ledger.sqlite${part}`));
    database.close();
    expect(statSync(join(copy, "ledger.sqlite")).size).toBeGreaterThan(0);
    const ledger = await open(copy);
    await account(ledger, "a");
    expect((await ledger.keys.find("hmac-a"))?.key.id).toBe("key_a");
  });
});

describe("while it is served", () => {
  test("the check at night finds the damage of a ledger too large for a start; it is reported once, and the probe fails from then on", async () => {
    // Above what a start reads, as entries of some 300 bytes with their indexes.
    const { directory, path } = await filled(40_000);
    expect(statSync(path).size).toBeGreaterThan(8 * 1024 * 1024);
    const emitted: string[] = [];
    const ledger = await open(directory, emitted);
    await ledger.check();
    await ledger.probe();
    expect(emitted).toEqual([]);
    await ledger.close();
    const middle = PAGE_BYTES * Math.floor(statSync(path).size / PAGE_BYTES / 2);
    overwrite(path, middle, new Uint8Array(20_000).fill(0xa5));
    const again = await open(directory, emitted);
    for (let nth = 0; nth < 2; nth++)
      await expect(again.check()).rejects.toThrow(`${path}: the ledger is damaged`);
    await expect(again.probe()).rejects.toThrow(LedgerUnavailable);
    expect(emitted.filter((line) => line.includes("ledger_damaged"))).toHaveLength(1);
    // What still reads is still served.
    expect((await again.keys.find("hmac-a"))?.key.id).toBe("key_a");
  });

  test("damage that a statement meets is refused by name and reported once, however often it is met", async () => {
    const { directory, path } = await filled(500);
    const root = await rootPageOf(directory, "audit_log_subject");
    const emitted: string[] = [];
    const ledger = await open(directory, emitted);
    overwrite(path, (root - 1) * PAGE_BYTES, new Uint8Array(PAGE_BYTES).fill(0xa5));
    for (let nth = 0; nth < 3; nth++) {
      const listing = ledger.audit.list({ subject: `organization:org_${nth + 1}` }, 10);
      await expect(listing).rejects.toThrow(LedgerDamaged);
    }
    await expect(ledger.probe()).rejects.toThrow("SQLITE_CORRUPT");
    expect(emitted).toHaveLength(1);
    expect(emitted[0]).toContain("ledger_damaged");
  });
});

// The commands of docs/ledger.md back an embedded ledger up while it is in use, and restore it. Those for Postgres: test/deploy/restore.test.ts.
const blocks = codeBlocks(await readDocument("docs/ledger.md"))
  .filter(({ language }) => language === "sh")
  .map(({ content }) => content.trim().split(/(?<!&&)\n/));

onSqlite("backup and restore", (bench) => {
  test("four commands bring back what was there, and only that", async () => {
    const { place } = bench;
    if (!("directory" in place)) throw new Error("the ledger is not embedded");
    const [first = "", second = "", ...restore] =
      blocks.find((lines) => lines.join().includes("VACUUM")) ?? [];
    expect(restore).toHaveLength(2);
    const folder = temporaryDirectory();
    const run = async (command: string) => {
      const shell = Bun.spawn(["sh", "-c", command], {
        cwd: folder,
        env: {
          ...process.env,
          PATH: [dirname(process.execPath), process.env["PATH"]].join(":"),
          DATA_DIR: place.directory,
        },
        stdout: "pipe",
        stderr: "pipe",
      });
      expect(`${await new Response(shell.stderr).text()}${await shell.exited}`).toBe("0");
    };
    const { organizationId } = await account(bench.ledger(), "a");
    // The second time over the backup of the day before.
    for (const _ of [1, 2]) await run(`${first}\n${second}`);
    await bench.ledger().keys.rotate(organizationId, madeKey("b"), by());
    await bench.ledger().close();
    for (const command of restore) await run(command);
    const ledger = await openLedger(place, optionsOf());
    expect((await ledger.keys.list(organizationId)).map(({ id }) => id)).toEqual(["key_a"]);
    expect((await ledger.keys.find("hmac-a"))?.organization.id).toBe(organizationId);
    await account(ledger, "c");
    await ledger.close();
  });
});
