/** Two lines for the operator of every outage: when the ledger is lost, with the reason, and when it is back. */

import { LedgerUnavailable } from "#domain/account/ledger-faults.ts";
import type { Tell } from "#telemetry.ts";
import type { Engine, Statements } from "./engine.ts";
import { shown } from "./faults.ts";

export interface WatchedEngine extends Engine {
  /** Whether the last write failed for the database's fault: on a full disk reads go on as if nothing were wrong. */
  writesFail(): boolean;
}

/** The engine with every error named as the port promises, and outages told. */
export function watchReach(engine: Engine, tell: Tell): WatchedEngine {
  const failing = new Set<"reads" | "writes">();
  const watched = async <T>(kind: "reads" | "writes", work: () => Promise<T>): Promise<T> => {
    try {
      const result = await work();
      if (failing.delete(kind) && failing.size === 0)
        tell({ kind: "notice", text: "the ledger answers again" });
      return result;
    } catch (fault) {
      const error = shown(fault);
      if (error instanceof LedgerUnavailable) {
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
  };
}
