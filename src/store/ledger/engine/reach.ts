/** Lines for the operator: two of every outage, when the ledger is lost, with the reason, and when it is back; one of damage. */

import { LedgerDamaged, LedgerUnavailable } from "#domain/account/ledger-faults.ts";
import type { Tell } from "#telemetry.ts";
import type { NameDamage } from "./damage.ts";
import type { Engine, Statements } from "./engine.ts";
import { shown } from "./faults.ts";

export interface WatchedEngine extends Engine {
  /** Whether the last write failed for the database's fault: on a full disk reads go on as if nothing were wrong. */
  writesFail(): boolean;
  /** What was found damaged since it was opened. It stays so: what still reads does not make the rest whole. */
  damage(): LedgerDamaged | null;
  /** Damage that somebody else found; told, as what statements meet is, once. */
  noteDamage(damage: LedgerDamaged): void;
}

/** The engine with every error named as the port promises, damage by `named`; outages and damage are told. */
export function watchReach(engine: Engine, named: NameDamage, tell: Tell): WatchedEngine {
  const failing = new Set<"reads" | "writes">();
  let damage: LedgerDamaged | null = null;
  const noteDamage = (found: LedgerDamaged) => {
    if (damage === null) tell({ kind: "ledger_damaged", detail: found.message });
    damage ??= found;
  };
  const watched = async <T>(kind: "reads" | "writes", work: () => Promise<T>): Promise<T> => {
    try {
      const result = await work();
      if (failing.delete(kind) && failing.size === 0)
        tell({ kind: "notice", text: "the ledger answers again" });
      return result;
    } catch (fault) {
      const error = shown(fault, named);
      if (error instanceof LedgerDamaged) noteDamage(error);
      else if (error instanceof LedgerUnavailable) {
        if (failing.size === 0) tell({ kind: "notice", text: error.message });
        failing.add(kind);
      }
      throw error;
    }
  };
  const read: Statements = {
    rows: (text, ...params) => watched("reads", () => engine.read.rows(text, ...params)),
    run: (text, ...params) => watched("reads", () => engine.read.run(text, ...params)),
  };
  return {
    read,
    write: (work, durability) => watched("writes", () => engine.write(work, durability)),
    time: engine.time,
    close: engine.close,
    writesFail: () => failing.has("writes"),
    damage: () => damage,
    noteDamage,
  };
}
