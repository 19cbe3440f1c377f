/** Attempts to sign in, to send mail and the like, counted in memory: each replica grants its share of a limit. */

import {
  ATTEMPT_LIMITS,
  attemptWait,
  type Cell,
  charged,
  EMPTY_CELL,
  rolled,
} from "#domain/limits/counts.ts";
import type { Attempts, Gate } from "#ports/ledger.ts";

export interface MemoryAttemptsOptions {
  /** Processes among which each limit is divided, rounded up. */
  readonly replicas?: number;
  /** The most gates in memory; some 200 bytes each. */
  readonly gates?: number;
}

const MOST_GATES = 100_000;
/** A person whose requests all reach one process can mistype a password. */
const LEAST_SHARE = 3;

/** Without room the least recently used gate is forgotten: to displace one, an attacker needs thousands of addresses. */
export function memoryAttempts({ replicas = 1, gates: capacity = MOST_GATES }: MemoryAttemptsOptions = {}) {
  const cells = new Map<string, Cell>();
  const nameOf = ({ limit, key }: Gate) => `${limit} ${key}`;
  return {
    take: (gates, now) => {
      const looked = gates.map((gate) => {
        const { most, milliseconds } = ATTEMPT_LIMITS[gate.limit];
        const share = { most: Math.max(Math.ceil(most / replicas), LEAST_SHARE), milliseconds };
        const cell = rolled(cells.get(nameOf(gate)) ?? EMPTY_CELL, milliseconds, now);
        return { name: nameOf(gate), cell, wait: attemptWait(cell, share, now) };
      });
      const wait = Math.max(0, ...looked.map((gate) => gate.wait));
      if (wait > 0) {
        // A cell that was begun by a clock ahead starts again now, and only once.
        for (const { name, cell } of looked) if (cells.has(name)) cells.set(name, cell);
        return wait;
      }
      for (const { name, cell } of looked) {
        // Deleted first: the map then begins with the least recently used gate.
        cells.delete(name);
        cells.set(name, charged(cell, 1));
      }
      for (const [oldest] of cells) {
        if (cells.size <= capacity) break;
        cells.delete(oldest);
      }
      return 0;
    },
    clear: (gate) => {
      cells.delete(nameOf(gate));
    },
  } satisfies Attempts;
}
