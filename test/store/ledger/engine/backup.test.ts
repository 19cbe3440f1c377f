/** The commands of docs/ledger.md back a ledger up while it is in use, and restore it whole. */

import { expect, test } from "bun:test";
import { dirname } from "node:path";
import { type LedgerPlace, openLedger } from "#store/ledger/ledger.ts";
import { codeBlocks, readDocument } from "#test/docs/document.ts";
import {
  account,
  by,
  madeKey,
  onBothLedgers,
  optionsOf,
  postgresPrograms,
} from "#test/store/ledger/ledgers.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const blocks = codeBlocks(await readDocument("docs/ledger.md"))
  .filter(({ language }) => language === "sh")
  .map(({ content }) => content.trim().split("\n"));

onBothLedgers("backup and restore", (bench) => {
  test("three commands bring back what was there, and only that", async () => {
    const { place } = bench;
    const [backup = "", ...restore] =
      blocks.find((lines) => lines.join().includes("url" in place ? "pg_dump" : "VACUUM")) ?? [];
    expect(restore).toHaveLength(2);
    const folder = temporaryDirectory();
    const run = async (command: string) => {
      const shell = Bun.spawn(["sh", "-c", command], {
        cwd: folder,
        env: {
          ...process.env,
          PATH: [dirname(process.execPath), postgresPrograms, process.env["PATH"]].join(":"),
          ...("url" in place ? { DATABASE_URL: place.url } : { DATA_DIR: place.directory }),
        },
        stdout: "pipe",
        stderr: "pipe",
      });
      expect(`${await new Response(shell.stderr).text()}${await shell.exited}`).toBe("0");
    };
    const { organizationId } = await account(bench.ledger(), "a");
    await run(backup);
    await bench.ledger().keys.rotate(organizationId, madeKey("b"), by());
    await bench.ledger().close();
    for (const command of restore) await run(command);
    const restored: LedgerPlace =
      "url" in place ? { url: place.url.replace(/[^/]*$/, "crossrate_restored") } : place;
    const ledger = await openLedger(restored, optionsOf());
    expect((await ledger.keys.list(organizationId)).map(({ id }) => id)).toEqual(["key_a"]);
    expect((await ledger.keys.find("hmac-a"))?.organization.id).toBe(organizationId);
    await account(ledger, "c");
    await ledger.close();
  }, 20_000);
});
