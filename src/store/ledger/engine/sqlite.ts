/** The ledger on SQLite: one file in WAL mode, one handle that writes, one that reads. Several processes may share it. */

import { closeSync, openSync } from "node:fs";
import { dirname } from "node:path";
import pLimit from "p-limit";
import { LedgerUnavailable } from "#domain/account/ledger.ts";
import { makeFolder, syncPath } from "#store/disk/durable.ts";
import { DEADLINE_MILLISECONDS, type Durability, type Engine, type Statements } from "./engine.ts";
import { meaningOf } from "./faults.ts";
import { checkParams, type Row, raw, sqlOf } from "./rows.ts";

/** Waiting for another process is ours to do: SQLite's own waiting would stop this process's event loop. */
const SHORTEST_WAIT_MILLISECONDS = 1;
const LONGEST_WAIT_MILLISECONDS = 16;
const LONGEST_HOLD_MILLISECONDS = 1;

/** Of each of the two handles; SQLite's own would be 2,000, and stay. The system caches the file as well. */
const CACHE_KIBIBYTES = 512;

/** This machine's clock in milliseconds. */
const TIME = raw("CAST(unixepoch('subsec') * 1000 AS INTEGER)");
const NO_LOCK = { forUpdate: raw(""), forUpdateSkipLocked: raw("") };

/** Rejects with SQLite's errors; the file is made if it is absent, readable by its owner only. */
export async function openSqlite(path: string): Promise<Engine> {
  makeFolder(dirname(path));
  closeSync(openSync(path, "a", 0o600));
  syncPath(dirname(path));
  const writer = new Bun.SQL({ adapter: "sqlite", filename: path });
  const reader = new Bun.SQL({ adapter: "sqlite", filename: path });
  try {
    for (const sql of [writer, reader]) {
      await sql.unsafe("PRAGMA busy_timeout = 0");
      await sql.unsafe(`PRAGMA cache_size = -${CACHE_KIBIBYTES}`);
    }
    await patiently(() => writer.unsafe("PRAGMA journal_mode = WAL"));
    await writer.unsafe("PRAGMA foreign_keys = ON");
    await patiently(() => reader.unsafe("PRAGMA query_only = ON"));
  } catch (fault) {
    await Promise.all([reader.close(), writer.close()]);
    throw fault;
  }

  const read = statementsOf(reader);
  const write = statementsOf(writer);
  let synchronous: Durability | null = null;
  const inTurn = pLimit(1);

  const begin = async (durability: Durability): Promise<void> => {
    if (synchronous !== durability) {
      await writer.unsafe(`PRAGMA synchronous = ${durability === "full" ? "FULL" : "NORMAL"}`);
      synchronous = durability;
    }
    await patiently(() => writer.unsafe("BEGIN IMMEDIATE"));
  };

  return {
    read: {
      rows: (...statement) => patiently(() => read.rows(...statement)),
      run: (...statement) => patiently(() => read.run(...statement)),
    },
    // One after the other: the handle has one transaction, whose statements must not mix with another's.
    write: (work, durability = "full") =>
      inTurn(async () => {
        await begin(durability);
        try {
          const result = await work({ ...breathing(write), ...NO_LOCK });
          await patiently(() => writer.unsafe("COMMIT"));
          return result;
        } catch (fault) {
          // After a full disk SQLite has rolled back already, and then this is an error of no interest.
          await writer.unsafe("ROLLBACK").catch(() => {});
          throw fault;
        }
      }),
    time: TIME,
    close: async () => {
      await inTurn(async () => {
        // The reader first: the last handle to close brings the log into the file and removes it.
        await reader.close();
        await writer.close();
      });
    },
  };
}

function statementsOf(sql: Bun.SQL): Statements {
  // SQLite counts $1, $2 as names, in order of occurrence; ?1, ?2 are positions.
  const ask = (...statement: Parameters<typeof sqlOf>) => {
    const { text, params } = sqlOf(...statement);
    return sql.unsafe(text.replace(/\$(\d+)/g, "?$1"), checkParams(params));
  };
  return {
    rows: async (...statement) => (await ask(...statement)) as unknown as readonly Row[],
    run: async (...statement) => (await ask(...statement)).count as number,
  };
}

/** Statements run on this thread: a long transaction lets requests in between. Others' writes wait for their turn. */
function breathing(statements: Statements): Statements {
  let begun = performance.now();
  const breathe = async <T>(result: T): Promise<T> => {
    if (performance.now() - begun > LONGEST_HOLD_MILLISECONDS) {
      await new Promise((resolve) => setImmediate(resolve));
      begun = performance.now();
    }
    return result;
  };
  return {
    rows: (...statement) => statements.rows(...statement).then(breathe),
    run: (...statement) => statements.run(...statement).then(breathe),
  };
}

/** Repeats while another process has the lock; LedgerUnavailable when that lasts too long. */
export async function patiently<T>(attempt: () => Promise<T> | T): Promise<T> {
  const end = performance.now() + DEADLINE_MILLISECONDS;
  for (let wait = SHORTEST_WAIT_MILLISECONDS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MILLISECONDS)) {
    try {
      return await attempt();
    } catch (fault) {
      if (meaningOf(fault) !== "busy") throw fault;
      if (performance.now() > end) throw new LedgerUnavailable("another process keeps it locked", fault);
    }
    await Bun.sleep(wait);
  }
}
