/** Another process on the embedded ledger: takes the write lock, reports it, and releases it when its input ends. */

import { writeSync } from "node:fs";

const sql = new Bun.SQL({ adapter: "sqlite", filename: process.argv[2] ?? "" });
await sql.begin("immediate", async () => {
  writeSync(1, "locked\n");
  await Bun.stdin.text();
});
await sql.close();
