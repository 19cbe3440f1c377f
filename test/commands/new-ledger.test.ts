/** With a missing or damaged ledger every command refuses to start, in one line with file and remedy; --new-ledger creates a new one. */

import { describe, expect, test } from "bun:test";
import { rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openLedger } from "#store/ledger/ledger.ts";
import { account, optionsOf } from "#test/store/ledger/ledgers.ts";
import { listen } from "#test/support/listen.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { expectRefusedInOneLine, runInProcess, startCommand } from "./process.ts";

const silent = listen(() => new Response("", { status: 404 }));

async function used(): Promise<{ directory: string; path: string; settings: Record<string, string> }> {
  const directory = temporaryDirectory();
  const ledger = await openLedger({ directory }, optionsOf());
  await account(ledger, "a");
  await ledger.close();
  const settings = {
    ...{ DATA_DIR: directory, PORT: "0", LIVE_FEED: "off", ACCESS: "metered" },
    UPSTREAM_BASE: `http://127.0.0.1:${silent.port}`,
  };
  return { directory, path: join(directory, "ledger.sqlite"), settings };
}

describe("a ledger that is gone", () => {
  test.each([["metered"], ["open"]])("stops serve with ACCESS=%s: one line, exit code 1", async (ACCESS) => {
    const { path, settings } = await used();
    rmSync(path);
    const missing = `crossrate serve: ${path}: the ledger is missing, and this data directory has had one`;
    const refused = await runInProcess(["serve"], { ...settings, ACCESS });
    expectRefusedInOneLine(refused, missing, "--new-ledger");
  });

  test.each([
    [["accounts", "list"], "there are no accounts"],
    [["admin", "official"], "mex_fix"],
  ])("is created by crossrate %p with --new-ledger, and not without", async (args, expected) => {
    const { path, settings } = await used();
    truncateSync(path, 0);
    const refused = await runInProcess(args, settings);
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toContain(`${path}: the ledger is empty`);
    const accepted = await runInProcess([...args, "--new-ledger"], settings);
    expect(accepted.code).toBe(0);
    expect(accepted.out).toContain(expected);
    expect((await runInProcess(args, settings)).code).toBe(0);
  });

  test("is created by serve --new-ledger", async () => {
    const { path, settings } = await used();
    rmSync(path);
    const command = startCommand(["serve", "--new-ledger"], settings);
    await command.until("out", /answers on/);
    expect(await command.end()).toBe(0);
    expect((await runInProcess(["accounts", "list"], settings)).out).toBe("there are no accounts\n");
  });
});

test("a damaged ledger is one line with file and remedy, exit code 1, also with --new-ledger", async () => {
  const { path, settings } = await used();
  writeFileSync(path, "no database ".repeat(1000));
  for (const args of [
    ["accounts", "list"],
    ["accounts", "list", "--new-ledger"],
  ]) {
    const damaged = `crossrate accounts list: ${path}: the ledger is damaged (SQLITE_NOTADB`;
    const remedy = "restore a backup (docs/ledger.md)";
    expectRefusedInOneLine(await runInProcess(args, settings), damaged, remedy);
  }
});

test("a damaged key file is one line with file and remedy, exit code 1", async () => {
  const { directory, settings } = await used();
  const key = join(directory, "cursor.key");
  writeFileSync(key, "0123");
  const refused = await runInProcess(["serve"], settings);
  expectRefusedInOneLine(refused, `crossrate serve: ${key}: it is damaged`);
});
