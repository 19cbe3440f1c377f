/** What the repositories need of a database: statements in a subset of SQL that SQLite and Postgres both read, and transactions. */

import type { Param, Row } from "./rows.ts";

export interface Statements {
  /** Placeholders are $1, $2, …; each may occur several times. */
  rows(text: string, ...params: readonly Param[]): Promise<readonly Row[]>;
  /** How many rows a statement without RETURNING changed. */
  run(text: string, ...params: readonly Param[]): Promise<number>;
}

export interface Transaction extends Statements {
  /** Ends a SELECT that locks its rows until the end of the transaction. Empty on SQLite, where one writer has it all. */
  readonly forUpdate: string;
  /** The same, passing over rows that another transaction has locked instead of waiting for them. */
  readonly forUpdateSkipLocked: string;
}

/** "full": on the platter before it resolves. "relaxed": a power cut may lose the last moments, a crash of the process nothing. */
export type Durability = "full" | "relaxed";

export interface Engine {
  /** Single statements that change nothing. */
  readonly read: Statements;
  /**
   * One transaction. It runs again from its start after losing a race (a unique key, a deadlock), so `work` does nothing
   * but statements. Whoever checks before inserting therefore sees, the second time, what the winner wrote.
   */
  write<T>(work: (transaction: Transaction) => Promise<T>, durability?: Durability): Promise<T>;
  /** SQL of the ledger's own time, in milliseconds. */
  readonly time: string;
  close(): Promise<void>;
}

/** A new id, unguessable and unique, that begins with these letters. */
export type NewId = (prefix: "idn_" | "org_" | "aud_" | "clm_" | "ins_") => string;

/** What every repository is made from. */
export interface LedgerParts {
  readonly engine: Engine;
  readonly newId: NewId;
}

/** How long any call may take before it counts as the database being out of reach. */
export const DEADLINE_MILLISECONDS = 2000;
