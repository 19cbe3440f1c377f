/**
 * A whole installation is backed up while it serves, destroyed, and restored, by the commands of docs/operations.md and docs/ledger.md: the lake
 * is byte for byte the same, the ledger has the same rows, and the same key gets the same answer.
 */

import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { openQuoteArchive } from "#store/archive/archive.ts";
import { noteWholeRead, readWholeReads } from "#store/disk/whole-reads.ts";
import { openLake } from "#store/lake/lake.ts";
import type { LedgerPlace } from "#store/ledger/ledger.ts";
import { codeBlocks, ROOT, readDocument } from "#test/docs/document.ts";
import { MINUTE, quote } from "#test/store/archive/sample.ts";
import { firstChange, RETRIEVED, secondChange } from "#test/store/lake/sample.ts";
import { emptyDatabase, freshDatabase } from "#test/store/ledger/engine/shared-postgres.ts";
import { postgresPrograms, statement } from "#test/store/ledger/ledgers.ts";
import { openProduct } from "#test/support/product.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

setDefaultTimeout(120_000);

/** Commands of the block of a page that has `mark` in it, a line each. */
async function commandsOf(page: string, mark: string): Promise<readonly string[]> {
  const blocks = codeBlocks(await readDocument(page)).filter(({ language }) => language === "sh");
  const found = blocks.find(({ content }) => content.includes(mark));
  if (found === undefined) throw new Error(`${page} has no commands with ${mark}`);
  return found.content.trimEnd().split("\n");
}

const lakeCommands = (await commandsOf("docs/operations.md", "_delta_log")).slice(0, -1);
const restCommands = await commandsOf("docs/operations.md", "./ledger.sqlite*");
const restoreCommands = await commandsOf("docs/operations.md", "cp -pr /backup/.");
const postgresCommands = await commandsOf("docs/ledger.md", "pg_dump");

interface Site {
  /** Where the checkout would be: `data/live` lies below. */
  readonly root: string;
  readonly dataDir: string;
  readonly backup: string;
  readonly ledger: LedgerPlace;
}

/** Runs commands in one shell, with the places of the test, up to the first one that fails. */
function shell(site: Site, commands: readonly string[]): void {
  const { script, exitCode, stderr } = pasted(site, ["set -e -o pipefail", ...commands]);
  // `verify` says how far it is.
  const said = stderr.toString().replace(/^reading \w+: \d+ %\n/gm, "");
  expect({ script, exitCode, stderr: said }).toEqual({ script, exitCode: 0, stderr: "" });
}

/** Runs commands as a person who pastes them: one that fails does not keep the next line from being run. */
function pasted({ root, backup, ledger }: Site, commands: readonly string[]) {
  const script = commands
    .join("\n")
    .replaceAll("/backup-secrets", join(root, "secrets-backup"))
    .replaceAll("/backup", backup)
    .replaceAll("src/main.ts", join(ROOT, "src/main.ts"));
  const { exitCode, stderr } = Bun.spawnSync(["bash", "-c", script], {
    cwd: root,
    env: {
      ...process.env,
      PATH: [dirname(process.execPath), postgresPrograms, process.env["PATH"]].join(":"),
      DATA_DIR: join(root, "data/live"),
      LOG_LEVEL: "error",
      ...("url" in ledger ? { DATABASE_URL: ledger.url } : {}),
    },
  });
  return { script, exitCode, stderr };
}

/** SHA-256 of every file of the lake that is no cache, lock or second name, and that a copy has. */
function lakeFiles(dataDir: string): Readonly<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(join(dataDir, "lake"), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(dataDir.length + 1);
    if (!entry.isFile() || /^lake\/(current\/|whole-reads\.json$)|\.cache$|\.sqlite(-wal|-shm)?$/.test(name))
      continue;
    files[name] = new Bun.CryptoHasher("sha256").update(readFileSync(path)).digest("hex");
  }
  return files;
}

const TABLES = {
  sqlite: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
  postgres: "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename",
};

/** Every row of every table, as sorted JSON. */
async function ledgerRows(ledger: LedgerPlace): Promise<Readonly<Record<string, readonly string[]>>> {
  const tables = await statement(ledger, "url" in ledger ? TABLES.postgres : TABLES.sqlite);
  const rows: Record<string, readonly string[]> = {};
  for (const { name } of tables)
    rows[String(name)] = (await statement(ledger, `SELECT * FROM ${name}`))
      .map((row) => JSON.stringify(row, (_, value) => (typeof value === "number" ? String(value) : value)))
      .sort();
  return rows;
}

/** The installation, open as `serve` opens it, without its timetable: nothing changes but what a request changes. */
async function open({ dataDir, ledger }: Site) {
  const settings = {
    ...{ DATA_DIR: dataDir, LIVE_FEED: "off", OFFICIAL_TABLES: "off", UPSTREAM_BASE: "http://127.0.0.1:9" },
    ...("url" in ledger ? { DATABASE_URL: ledger.url } : {}),
  };
  const crossrate = await openProduct(settings, { now: () => RETRIEVED + 86_400_000 });
  const { url, close } = crossrate.listen();
  return {
    crossrate,
    get: async (path: string, key: string) => {
      const headers = { Authorization: `Bearer ${key}` };
      const answer = await fetch(url + path, { headers });
      return { status: answer.status, text: await answer.text() };
    },
    close,
  };
}

const PATH = "/v1/range?base=EUR&symbols=USD,JPY&start_date=2024-12-01&end_date=2025-01-31";

describe.each(["SQLite", "Postgres"] as const)("with the ledger in %s", (kind) => {
  test.skipIf(kind === "Postgres" && postgresPrograms === null)(
    "what was destroyed comes back as it was",
    async () => {
      const root = temporaryDirectory();
      const dataDir = join(root, "data/live");
      const site: Site = {
        ...{ root, dataDir, backup: join(root, "backup") },
        ledger:
          kind === "SQLite" ? { directory: dataDir } : { url: await freshDatabase(postgresPrograms ?? "") },
      };
      mkdirSync(dataDir, { recursive: true });
      await fill(join(dataDir, "lake"));
      await noteWholeRead(join(dataDir, "lake/whole-reads.json"), "ecb_daily", RETRIEVED);

      const sqlite = "directory" in site.ledger;
      const backUp = () => {
        shell(site, lakeCommands);
        shell(site, sqlite ? restCommands : restCommands.filter((line) => !line.includes("VACUUM INTO")));
        if (!sqlite) shell(site, postgresCommands.slice(0, 1));
      };

      const before = await open(site);
      // The later backup goes into the same folder.
      backUp();
      const { key } = (await before.crossrate.demoAccount()) as { key: string };
      const answered = await before.get(PATH, key);
      expect([answered.status, answered.text.includes("2024-12-30")]).toEqual([200, true]);
      // Usage is written in batches.
      await before.close();
      const running = await open(site);
      const [files, rows] = [lakeFiles(dataDir), await ledgerRows(site.ledger)];
      expect(Object.keys(files).length).toBeGreaterThan(10);
      expect(rows["api_keys"]?.length).toBeGreaterThan(0);
      backUp();
      await running.close();

      rmSync(dataDir, { recursive: true });
      renameSync(join(root, "secrets-backup"), join(root, "elsewhere"));
      pasted(site, restoreCommands);
      // What could not be copied whole does not get the name.
      expect(existsSync(dataDir)).toBe(false);
      renameSync(join(root, "elsewhere"), join(root, "secrets-backup"));
      let restored = site;
      if ("url" in site.ledger) {
        shell(site, postgresCommands.slice(1));
        restored = { ...site, ledger: { url: site.ledger.url.replace(/[^/]*$/, "crossrate_restored") } };
      }
      shell(restored, restoreCommands);
      // A copy of it could say that the histories were read after the copy of the log was made.
      expect(readWholeReads(join(dataDir, "lake/whole-reads.json"))).toEqual({});
      expect(lakeFiles(dataDir)).toEqual(files);
      expect(await ledgerRows(restored.ledger)).toEqual(rows);

      const after = await open(restored);
      expect(await after.get(PATH, key)).toEqual(answered);
      await after.close();
    },
  );
});

test.skipIf(postgresPrograms === null)(
  "a ledger in SQLite goes to Postgres by the documented program, every row as it was",
  async () => {
    const root = temporaryDirectory();
    const dataDir = join(root, "data/live");
    await fill(join(dataDir, "lake"));
    const file: Site = { root, dataDir, backup: join(root, "backup"), ledger: { directory: dataDir } };
    const before = await open(file);
    const { key } = (await before.crossrate.demoAccount()) as { key: string };
    const answered = await before.get(PATH, key);
    await before.close();
    const rows = await ledgerRows(file.ledger);

    const program = codeBlocks(await readDocument("docs/ledger.md")).find(
      ({ language }) => language === "ts",
    );
    await Bun.write(join(root, "move.ts"), program?.content ?? "");
    const moved: Site = { ...file, ledger: { url: await emptyDatabase(postgresPrograms ?? "") } };
    shell(moved, ["bun move.ts"]);
    expect(await ledgerRows(moved.ledger)).toEqual(rows);
    const after = await open(moved);
    expect(await after.get(PATH, key)).toEqual(answered);
    await after.close();
  },
);

/** Figures with a correction and one that is held, quotes in a file and in the journal. */
async function fill(directory: string): Promise<void> {
  const lake = await openLake({ directory, simulated: true, now: () => RETRIEVED });
  await lake.commit(firstChange);
  await lake.commit(secondChange);
  await lake.close();
  const now = () => RETRIEVED + 10 * MINUTE;
  const archive = await openQuoteArchive({ directory, simulated: true, access: "write", now });
  await archive.append([quote("USD/EUR", "0.85", RETRIEVED)]);
  await archive.flush();
  await archive.append([quote("USD/JPY", "159.1", RETRIEVED + MINUTE)]);
  await archive.close();
}
