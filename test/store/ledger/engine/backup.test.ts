/** The commands of docs/ledger.md back an embedded ledger up while it is in use, and restore it. Those for Postgres: test/deploy/restore.test.ts. */

import { expect, test } from "bun:test";
import { dirname } from "node:path";
import { openLedger } from "#store/ledger/ledger.ts";
import { codeBlocks, readDocument } from "#test/docs/document.ts";
import { account, by, madeKey, onSqlite, optionsOf } from "#test/store/ledger/ledgers.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const blocks = codeBlocks(await readDocument("docs/ledger.md"))
  .filter(({ language }) => language === "sh")
  .map(({ content }) => content.trim().split("\n"));

onSqlite("backup and restore", (bench) => {
  test("four commands bring back what was there, and only that", async () => {
    const { place } = bench;
    if (!("directory" in place)) throw new Error("the ledger is not embedded");
    const [backup = "", ...restore] = blocks.find((lines) => lines.join().includes("VACUUM")) ?? [];
    expect(restore).toHaveLength(3);
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
    await run(backup);
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
