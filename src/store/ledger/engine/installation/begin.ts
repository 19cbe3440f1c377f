/** Whether a ledger may begin here, or another one be taken: not in silence where there was one before. */

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { LedgerLost } from "#domain/account/ledger.ts";
import type { Transaction } from "#store/ledger/engine/engine.ts";
import { text } from "#store/ledger/engine/rows.ts";
import { type FoundMark, MARK_FILE, type Mark } from "./mark.ts";

/** What is known of the ledger that belongs to a data directory. */
export interface Expected {
  readonly mark: FoundMark;
  /** Where it is looked for, as messages name it: the file's path, or the database of DATABASE_URL. */
  readonly name: string;
  readonly kind: Mark["ledger"];
  /** What else says that there was a ledger, as of `traceOf`: of use where a release that left no mark made it. */
  readonly traces: readonly string[];
  /** The operator says that there is to be another one. */
  readonly newLedger: boolean;
}

const HELD = "accounts, API keys, usage, official publications and webhook deliveries were in it";
const ANEW = "or start once with --new-ledger to begin anew without them";
const RESTORE = `${HELD}; bring it back from a backup (docs/ledger.md), ${ANEW}`;

/** Throws LedgerLost where the ledger is `how` (missing, empty) and there was one before. */
export function refuseLost({ mark, name, kind, traces, newLedger }: Expected, how: string): void {
  const [trace] = traces;
  if (newLedger || (mark === null && trace === undefined)) return;
  const reason = mark === null ? trace : reasonOf(mark, kind);
  throw new LedgerLost(`${name}: the ledger is ${how}, and ${reason}`);
}

function reasonOf(mark: Mark | "damaged", kind: Mark["ledger"]): string {
  if (mark === "damaged") return `${MARK_FILE}, itself damaged, says that there was one: ${RESTORE}`;
  const day = mark.since.slice(0, 10);
  if (mark.ledger === kind) return `this data directory has had one since ${day} (${MARK_FILE}): ${RESTORE}`;
  const [where, remedy] =
    mark.ledger === "sqlite"
      ? ["in ledger.sqlite", "take DATABASE_URL away"]
      : ["in a Postgres database", "set DATABASE_URL"];
  return `the one of this data directory is ${where} since ${day} (${MARK_FILE}): ${HELD}; ${remedy} to go on with it, ${ANEW}`;
}

/** What says that there was a ledger where no mark does, each with what to do. */
export const traceOf = {
  keyFile: (path: string) => `${path} was made with one that was there before: ${RESTORE}`,
  emptyFile: `a new one never is; it was cut off: ${RESTORE}`,
  log: (path: string) => `its log ${path} is still there: ${RESTORE}`,
};

/**
 * Asked within the transaction that brings the tables up to date, so that no other process makes them meanwhile. Throws
 * LedgerLost where the database has no tables and there was a ledger before, and where it is another installation's.
 */
export async function admit(expected: Expected, transaction: Transaction, isNew: boolean): Promise<void> {
  if (isNew) return refuseLost(expected, "empty");
  const { mark, name, kind, newLedger } = expected;
  if (newLedger || mark === null || mark === "damaged") return;
  const [row] = await transaction.rows`SELECT value FROM installation WHERE name = ${INSTALLATION_ID}`;
  const id = row === undefined ? null : text(row, "value");
  // A backup that an earlier release made has no id yet: it gets that of the mark.
  if (id === mark.installation || (id === null && mark.ledger === kind)) return;
  const which = id ?? "one without a name";
  throw new LedgerLost(
    `${name}: the ledger is not the one of this data directory (${MARK_FILE} names ${mark.installation} in ${mark.ledger}, this is ${which}): put the right one in its place, or start once with --new-ledger to go on with this one`,
  );
}

/** Whether a lake has data: then a ledger that begins beside it is worth a word. Its layout does not matter here. */
export function holdsRates(lake: string): boolean {
  const entries = existsSync(lake) ? readdirSync(lake, { withFileTypes: true }) : [];
  return (
    entries.some((entry) => entry.isFile() && entry.name.endsWith(".parquet")) ||
    entries.some((entry) => entry.isDirectory() && holdsRates(join(lake, entry.name)))
  );
}

/** Under this name the ledger keeps the id of its installation. */
export const INSTALLATION_ID = "installation_id";
