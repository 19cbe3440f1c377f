/** How often somebody may try: sign-ins, sign-ups, mails and links, per address and per account, in sliding windows. */

import type { Instant } from "#domain/day.ts";
import { Failure } from "#domain/errors.ts";
import { type Cell, charged, EMPTY_CELL, occupied, rolled, waitFor } from "#domain/limits/cell.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * By what is tried and whose it is. An account is an e-mail address as sent, known here or not, so that being refused
 * says nothing about it. An address may be an office's: it gets more than a person needs.
 */
export const ATTEMPT_LIMITS = {
  "sign-in from": { most: 60, milliseconds: 15 * MINUTE },
  "sign-in to": { most: 10, milliseconds: 15 * MINUTE },
  "sign-up from": { most: 20, milliseconds: HOUR },
  "mail from": { most: 20, milliseconds: HOUR },
  "mail to": { most: 5, milliseconds: HOUR },
  "link from": { most: 60, milliseconds: 15 * MINUTE },
} as const;

export interface Gate {
  readonly limit: keyof typeof ATTEMPT_LIMITS;
  /** An address, a normalized e-mail, or an identity's id. */
  readonly key: string;
}

/** The port: in this process's memory here, or in a store that replicas share. */
export interface Attempts {
  /** Counts one attempt at every gate, or at none: then the milliseconds until the same attempt would pass; 0 when it passed. */
  take(gates: readonly Gate[], now: Instant): number | Promise<number>;
  /** Forgets what was counted at a gate. */
  clear(gate: Gate): void | Promise<void>;
}

/** Failure `rate_limited` where a gate is closed; otherwise the attempt is counted. */
export async function attempt(attempts: Attempts, now: Instant, gates: readonly Gate[]): Promise<void> {
  const wait = await attempts.take(gates, now);
  if (wait === 0) return;
  const retryAfterSeconds = Math.ceil(wait / 1000);
  const reason = `too many attempts from this address or for this account; wait ${retryAfterSeconds} s`;
  throw new Failure("rate_limited", { reason, retryAfterSeconds });
}

/**
 * `most` gates are remembered, then the one unused longest is forgotten: to push a person's out, somebody needs
 * thousands of addresses, each with limits of its own.
 */
export function openAttempts(most = 100_000): Attempts {
  const cells = new Map<string, Cell>();
  const nameOf = ({ limit, key }: Gate) => `${limit} ${key}`;
  return {
    take: (gates, now) => {
      const looked = gates.map((gate) => {
        const { most: limit, milliseconds } = ATTEMPT_LIMITS[gate.limit];
        const cell = rolled(cells.get(nameOf(gate)) ?? EMPTY_CELL, milliseconds, now);
        const fits = occupied(cell, milliseconds, now) + 1 <= limit;
        return {
          name: nameOf(gate),
          cell,
          wait: fits ? 0 : Math.max(1, waitFor(cell, milliseconds, limit, 1, now)),
        };
      });
      const wait = Math.max(0, ...looked.map((gate) => gate.wait));
      if (wait > 0) return wait;
      for (const { name, cell } of looked) {
        // Taken out first, so that the one unused longest is the first in the map.
        cells.delete(name);
        cells.set(name, charged(cell, 1));
      }
      for (const [oldest] of cells) {
        if (cells.size <= most) break;
        cells.delete(oldest);
      }
      return 0;
    },
    clear: (gate) => {
      cells.delete(nameOf(gate));
    },
  };
}
