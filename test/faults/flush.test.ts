/** What a command or a server has made is flushed, its name too, when it says so: a power cut takes none of it back. */

import { expect, test } from "bun:test";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startCommand, startServe } from "#test/commands/process.ts";
import { join as joinServer, PASSWORD } from "#test/metered/client.ts";
import { dataDirectory } from "#test/metered/history.ts";
import { fixedClock, openReplica } from "#test/metered/replica.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const WATCHED = { BUN_OPTIONS: `--preload=${join(import.meta.dir, "flush-preload.ts")}` };
/** What may be lost: exports are made again, `current` from the tables, and the lock alone says who serves. */
const MADE_AGAIN = /\/(exports|lake\/current)(\/|$)|\/\.(server\.pid|columns\.cache)$/;

/** Names and contents that a power cut right after the end of a process could take back, by what it printed. */
function lostIn(printed: string): readonly string[] {
  const [, listed = "null"] = /^unflushed (.*)$/m.exec(printed) ?? [];
  return (JSON.parse(listed) as readonly string[]).filter((path) => !MADE_AGAIN.test(path));
}

test("by the first start of a server: its folder with those above, and the key file", async () => {
  const dataDir = join(temporaryDirectory(), "not", "there");
  const { url, end, until, printed } = await startServe({
    ...{ DATA_DIR: dataDir, ACCESS: "metered", LIVE_FEED: "off", UPSTREAM_BASE: "http://127.0.0.1:9" },
    // Making a key of cursors would flush the folder by chance.
    CURSOR_SECRET: "a secret of sufficient length",
    ...WATCHED,
  });
  await joinServer(url);
  expect(await end()).toBe(0);
  await until("out", /^unflushed/m);
  expect(existsSync(join(dataDir, "secrets", "master.key"))).toBe(true);
  expect(lostIn(printed.out)).toEqual([]);
});

test("by commands that write a file, or store a login", async () => {
  const folder = temporaryDirectory();
  const dataDir = await dataDirectory();
  const server = await openReplica({ dataDir, clock: fixedClock() });
  const { email, key } = await joinServer(server.url);
  writeFileSync(join(folder, "in.csv"), "from,to,amount,date\nUSD,EUR,1,2026-04-10\n");
  const days = ["EUR", "USD", "2026-04-01", "2026-04-10", "-o"];
  const environment = { CROSSRATE_URL: server.url, XDG_CONFIG_HOME: folder, DATA_DIR: dataDir, ...WATCHED };
  for (const [args, more] of [
    [["login", "--email", email], {}],
    [["range", ...days, join(folder, "range.csv")], { CROSSRATE_API_KEY: key }],
    [["convert", "--file", join(folder, "in.csv"), "--out", join(folder, "out.csv")], {}],
    [["export", ...days, join(folder, "export.csv")], { NOW: "2026-04-14T12:00:00Z" }],
  ] as const) {
    const command = startCommand(args, { ...environment, ...more });
    command.send(`${PASSWORD}\n`);
    await command.until("out", /^unflushed/m);
    expect([args[0], lostIn(command.printed.out)]).toEqual([args[0], []]);
  }
  const made = ["crossrate", "export.csv", "in.csv", "out.csv", "range.csv"];
  expect(readdirSync(folder).sort()).toEqual(made);
});
