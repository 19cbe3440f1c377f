/**
 * Interprets a database's error: damage, unavailability, a lost race, or a mistake of this program. Reports outages and damage to the
 * operator once.
 */

import { statSync } from "node:fs";
import { LedgerDamaged, LedgerLost, LedgerMismatch, LedgerUnavailable } from "#domain/account/ledger.ts";
import type { Emit } from "#telemetry.ts";
import type { Engine } from "./engine.ts";

type Meaning = "damaged" | "unavailable" | "busy" | "race" | "mistake";

interface Coded {
  readonly code?: unknown;
  readonly errno?: unknown;
  readonly message?: unknown;
}

/** Postgres: serialization failure, deadlock, unique, foreign key (a parent that was deleted meanwhile). */
const RACES = new Set(["40001", "40P01", "23505", "23503"]);
/** Postgres: corrupted data, corrupted index. */
const DAMAGED_STATES = new Set(["XX001", "XX002"]);
/**
 * Classes and codes of Postgres: connection, a login that is refused (another password, say), an unknown database, resources, operator
 * intervention (shutting down, cancelled, starting up), system; lock timeout; read-only after a fail-over; idle in transaction; a right that
 * the user lacks.
 */
const UNAVAILABLE_STATES = /^(08|28|3D|53|57|58|XX00)|^(55P03|25006|25P03|42501)$/;

export function meaningOf(fault: unknown): Meaning {
  const { code, errno } = (fault ?? {}) as Coded;
  if (typeof code !== "string") return "mistake";
  if (code.startsWith("SQLITE_")) return sqliteMeaning(code);
  if (code === "ERR_POSTGRES_SERVER_ERROR" && typeof errno === "string") {
    if (RACES.has(errno)) return "race";
    if (DAMAGED_STATES.has(errno)) return "damaged";
    return UNAVAILABLE_STATES.test(errno) ? "unavailable" : "mistake";
  }
  // Certificates have codes such as CERT_HAS_EXPIRED, ERR_TLS_CERT_ALTNAME_INVALID and UNABLE_TO_VERIFY_LEAF_SIGNATURE.
  return /^ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME|AUTHENTICATION|TLS|SERVER)|^E[A-Z]+$|CERT|^UNABLE_TO_/.test(
    code,
  )
    ? "unavailable"
    : "mistake";
}

function sqliteMeaning(code: string): Meaning {
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return "busy";
  if (/^SQLITE_(CONSTRAINT|ERROR|MISMATCH|RANGE|MISUSE|TOOBIG|SCHEMA)/.test(code)) return "mistake";
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return "damaged";
  // FULL, IOERR, CANTOPEN, READONLY, PERM: of the disk or the file.
  return "unavailable";
}

/**
 * Returns the error for the caller: LedgerUnavailable for an outage, the error of `damage` for damage, otherwise the fault itself. `path`
 * is named where SQLite does not name it.
 */
export function portError(fault: unknown, damage: NameDamage, path?: string): unknown {
  if ([LedgerUnavailable, LedgerMismatch, LedgerLost].some((type) => fault instanceof type)) return fault;
  const meaning = meaningOf(fault);
  if (meaning === "mistake" || meaning === "race") return fault;
  const { code, errno, message } = fault as Coded;
  const detail = `${code === "ERR_POSTGRES_SERVER_ERROR" ? errno : code}: ${message}`;
  if (meaning === "damaged") return damage(detail, fault);
  return new LedgerUnavailable(path === undefined ? detail : `${path}: ${detail}`, fault);
}

export type NameDamage = (detail: string, cause?: unknown) => LedgerDamaged;

/** Names damage of the embedded file. After an error of the disk SQLite reports damage where there is none. A start without the log shows whether the file or its log is damaged. */
export function sqliteDamage(path: string): NameDamage {
  const remedy = `stop every process on it, keep a copy and start again, once the disk is well: one that fails looks the same. Where this comes back and there is a log, move ${path}-wal and ${path}-shm away and start again: if the file is whole without them, only what was written last is lost; else restore a backup (docs/ledger.md); without one, sqlite3's .recover saves what still reads`;
  return (detail, cause) => new LedgerDamaged(`${path}: the ledger is damaged (${detail}): ${remedy}`, cause);
}

/** Names damage of a Postgres database, which its own tools repair. */
export const postgresDamage: NameDamage = (detail, cause) =>
  new LedgerDamaged(
    `the database of DATABASE_URL: the ledger is damaged (${detail}): look into the server's log, and restore a backup (docs/ledger.md)`,
    cause,
  );

export function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

export interface CheckedEngine extends Engine {
  /** Returns whether the last write failed because of the database: on a full disk reads still succeed. */
  writesFail(): boolean;
  /** Returns the first damage since the opening, or null. Later successful reads do not clear it. */
  damage(): LedgerDamaged | null;
  /** Checks all that the database stores. Rejects with LedgerDamaged, which is logged once, also when statements meet it. */
  check(): Promise<void>;
}

/** Wraps an engine: errors are the port's, and `named` names damage. Logs the begin and end of an outage, and damage once. */
export function watchOutages(
  engine: Engine,
  named: NameDamage,
  emit: Emit,
  check: () => Promise<void>,
): CheckedEngine {
  const failing = new Set<"reads" | "writes">();
  let damage: LedgerDamaged | null = null;
  const watched = async <T>(kind: "reads" | "writes", work: () => Promise<T>): Promise<T> => {
    try {
      const result = await work();
      if (failing.delete(kind) && failing.size === 0) emit({ kind: "ledger_recovered" });
      return result;
    } catch (fault) {
      const error = portError(fault, named);
      if (error instanceof LedgerDamaged) {
        if (damage === null) emit({ kind: "ledger_damaged", detail: error.message });
        damage ??= error;
      } else if (error instanceof LedgerUnavailable) {
        if (failing.size === 0) emit({ kind: "ledger_unavailable", detail: error.message });
        failing.add(kind);
      }
      throw error;
    }
  };
  return {
    read: { rows: (...statement) => watched("reads", () => engine.read.rows(...statement)) },
    write: (work, durability) => watched("writes", () => engine.write(work, durability)),
    time: engine.time,
    close: engine.close,
    writesFail: () => failing.has("writes"),
    damage: () => damage,
    check: () => watched("reads", check),
  };
}
