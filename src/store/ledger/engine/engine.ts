/** What the repositories need of a database: statements in a subset of SQL that SQLite and Postgres both read, and transactions. */

import type { AuditDetail, AuditNote, By } from "#domain/account/ledger.ts";
import type { Row, Sql, sqlOf } from "./rows.ts";

/** Sends one statement: as a tag, rows`… WHERE id = ${id}`, or as a text with $1, $2, … and its values. */
type Statement<Result> = (...statement: Parameters<typeof sqlOf>) => Promise<Result>;

export interface Reads {
  readonly rows: Statement<readonly Row[]>;
}

/** Reads each row of the answer as a record: all(engine.read, SESSION.of)`SELECT …`. */
export function all<T>({ rows }: Reads, of: (row: Row) => T): Statement<readonly T[]> {
  return async (...statement) => (await rows(...statement)).map((row) => of(row));
}

/** The same for the first row; null for an answer without any. */
export function first<T>({ rows }: Reads, of: (row: Row) => T): Statement<T | null> {
  return async (...statement) => {
    const [row] = await rows(...statement);
    return row === undefined ? null : of(row);
  };
}

export interface Statements extends Reads {
  /** Resolves with the number of rows that a statement without RETURNING changed. */
  readonly run: Statement<number>;
}

export interface Transaction extends Statements {
  /** Ends a SELECT that locks its rows until the end of the transaction. Empty on SQLite, which has one writer at a time. */
  readonly forUpdate: Sql;
  /** Skips rows that another transaction has locked, and locks the others. */
  readonly forUpdateSkipLocked: Sql;
}

/** "full": durable before it resolves. "relaxed": a power cut may lose the last moments, a crash of the process loses nothing. */
export type Durability = "full" | "relaxed";

export interface Audited extends Transaction {
  record(
    by: By,
    action: AuditNote["action"],
    subject: AuditNote["subject"],
    detail: AuditDetail,
  ): Promise<void>;
}

export interface Engine<Work extends Transaction = Transaction> {
  /** Single statements that change nothing. */
  readonly read: Reads;
  /**
   * Runs one transaction, and again from its start after a lost race (a unique key, a deadlock): `work` may only send statements. On
   * the second run its checks see what the winner wrote.
   */
  write<T>(work: (transaction: Work) => Promise<T>, durability?: Durability): Promise<T>;
  /** The ledger's own time, in milliseconds. */
  readonly time: Sql;
  close(): Promise<void>;
}

/** A new id, unguessable and unique, that begins with these letters. */
export type NewId = (prefix: "idn_" | "org_" | "aud_" | "clm_" | "ins_") => string;

export interface LedgerParts {
  readonly engine: Engine<Audited>;
  readonly newId: NewId;
}

/** A call that takes longer counts as an unavailable database. */
export const DEADLINE_MILLISECONDS = 2000;
