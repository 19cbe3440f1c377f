/** Another process holds the embedded ledger locked: reads and the event loop continue, writes wait and then are refused by name. */

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { LedgerUnavailable } from "#domain/account/ledger.ts";
import { openSqlite } from "#store/ledger/engine/sqlite.ts";
import { openLedger } from "#store/ledger/ledger.ts";
import { account, by, madeKey, optionsOf } from "#test/store/ledger/ledgers.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

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
