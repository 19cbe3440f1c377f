/** What a database's error means: damage, out of reach for now, a race that was lost, or a mistake of ours. */

import { LedgerLost, LedgerMismatch, LedgerUnavailable } from "#domain/account/ledger-faults.ts";
import type { NameDamage } from "./damage.ts";

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
 * Classes and codes of Postgres: connection, resources, operator intervention (shutting down, cancelled, starting up),
 * system; lock timeout; read-only after a fail-over; idle in transaction.
 */
const UNAVAILABLE_STATES = /^(08|53|57|58|XX00)|^(55P03|25006|25P03)$/;

export function meaningOf(fault: unknown): Meaning {
  const { code, errno } = (fault ?? {}) as Coded;
  if (typeof code !== "string") return "mistake";
  if (code.startsWith("SQLITE_")) return sqliteMeaning(code);
  if (code === "ERR_POSTGRES_SERVER_ERROR" && typeof errno === "string") {
    if (RACES.has(errno)) return "race";
    if (DAMAGED_STATES.has(errno)) return "damaged";
    return UNAVAILABLE_STATES.test(errno) ? "unavailable" : "mistake";
  }
  return /^ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME|AUTHENTICATION|TLS|SERVER)|^E[A-Z]+$/.test(code)
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

/** The error for the caller: LedgerUnavailable where the database is at fault, named by `damage` where it is damaged, else the error itself. */
export function shown(fault: unknown, damage: NameDamage): unknown {
  if ([LedgerUnavailable, LedgerMismatch, LedgerLost].some((known) => fault instanceof known)) return fault;
  const meaning = meaningOf(fault);
  if (meaning === "mistake" || meaning === "race") return fault;
  const { code, errno, message } = fault as Coded;
  const detail = `${code === "ERR_POSTGRES_SERVER_ERROR" ? errno : code}: ${message}`;
  return meaning === "damaged" ? damage(detail, fault) : new LedgerUnavailable(detail, fault);
}
