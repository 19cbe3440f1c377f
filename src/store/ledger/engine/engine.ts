/** What the repositories need of a database: statements in a subset of SQL that SQLite and Postgres both read, and transactions. */

import type { AuditDetail, AuditNote, By } from "#domain/account/ledger.ts";
import type { Row, Sql, sqlOf } from "./rows.ts";

/** Sends one statement: as a tag, rows`… WHERE id = ${id}`, or as a text with $1, $2, … and its values. */
type Statement<Result> = (...statement: Parameters<typeof sqlOf>) => Promise<Result>;

export interface Reads {
  readonly rows: Statement<readonly Row[]>;
}

export interface Statements extends Reads {
  /** How many rows a statement without RETURNING changed. */
  readonly run: Statement<number>;
}

export interface Transaction extends Statements {
  /** Ends a SELECT that locks its rows until the end of the transaction. Empty on SQLite, where one writer has it all. */
  readonly forUpdate: Sql;
  /** The same, passing over rows that another transaction has locked instead of waiting for them. */
  readonly forUpdateSkipLocked: Sql;
}

/** "full": on the platter before it resolves. "relaxed": a power cut may lose the last moments, a crash of the process nothing. */
export type Durability = "full" | "relaxed";

/** A transaction of a repository. */
export interface Audited extends Transaction {
  /** Writes the audit entry of a change that is made here. */
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
   * One transaction. It runs again from its start after losing a race (a unique key, a deadlock), so `work` does nothing
   * but statements. Work that checks before it inserts therefore sees, the second time, what the winner wrote.
   */
  write<T>(work: (transaction: Work) => Promise<T>, durability?: Durability): Promise<T>;
  /** The ledger's own time, in milliseconds. */
  readonly time: Sql;
  close(): Promise<void>;
}

/** A new id, unguessable and unique, that begins with these letters. */
export type NewId = (prefix: "idn_" | "org_" | "aud_" | "clm_" | "ins_") => string;

/** What every repository is made from. */
export interface LedgerParts {
  readonly engine: Engine<Audited>;
  readonly newId: NewId;
}

/** How long any call may take before it counts as the database being out of reach. */
export const DEADLINE_MILLISECONDS = 2000;
