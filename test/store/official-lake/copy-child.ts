/** The process that gets killed: publishes and copies without pause, on a ledger and a lake that outlive it. */

import { writeSync } from "node:fs";
import { openLedger } from "#store/ledger/ledger.ts";
import { openOfficialLake } from "#store/official-lake/official-lake.ts";
import { day } from "#test/sources/documents.ts";
import { news } from "#test/store/ledger/publications/publishing.ts";
import { from } from "./copies.ts";

const [directory = "", round = ""] = process.argv.slice(2);
const ledger = await openLedger(
  { directory },
  { emit: () => {}, newId: (prefix) => `${prefix}${crypto.randomUUID()}`, clock: Date },
);
const lake = openOfficialLake({ directory: `${directory}/lake`, simulated: false });
writeSync(1, "ready\n");
for (let nth = 0; ; nth++) {
  const validFrom = day("2026-01-01") + ((nth * 37) % 90);
  const table = nth % 3 === 0 ? "mex_dof" : "mex_fix";
  const name = `p-${round}-${nth}`;
  await ledger.outbox.publish([news(name, 1, { table, validFrom }), news(name, 2, { table, validFrom })], 0);
  if (nth % 2 === 0) await lake.follow(from(ledger));
}
