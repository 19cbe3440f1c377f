/** Leases: one statement each, judged by the ledger's own clock; the epoch rises with every new holder and never falls. */

import type { Lease } from "#domain/account/ledger.ts";
import type { Leases } from "#ports/ledger.ts";
import type { LedgerParts } from "./engine.ts";
import { first, integer, mapping, text } from "./rows.ts";

const LEASE = mapping<Lease>({ name: text, holder: text, epoch: integer, expiresAt: integer });

export function leases({ engine }: LedgerParts): Leases {
  return {
    acquire: (name, holder, milliseconds) =>
      engine.write(async (transaction) => {
        const held = await transaction.rows(
          `INSERT INTO leases (name, holder, epoch, expires_at) VALUES ($1, $2, 1, ${engine.time} + $3)
           ON CONFLICT (name) DO UPDATE
           SET holder = excluded.holder, epoch = leases.epoch + 1, expires_at = excluded.expires_at
           WHERE leases.expires_at <= ${engine.time}
           RETURNING name, holder, epoch, expires_at`,
          name,
          holder,
          milliseconds,
        );
        return first(held, LEASE.of);
      }, "relaxed"),
    renew: ({ name, epoch }, milliseconds) =>
      engine.write(async (transaction) => {
        const held = await transaction.rows(
          `UPDATE leases SET expires_at = ${engine.time} + $1 WHERE name = $2 AND epoch = $3 AND expires_at > ${engine.time}
           RETURNING name, holder, epoch, expires_at`,
          milliseconds,
          name,
          epoch,
        );
        return first(held, LEASE.of);
      }, "relaxed"),
    holds: async ({ name, epoch }) => {
      const held = await engine.read.rows(
        `SELECT epoch FROM leases WHERE name = $1 AND epoch = $2 AND expires_at > ${engine.time}`,
        name,
        epoch,
      );
      return held.length > 0;
    },
    release: async ({ name, epoch }) => {
      await engine.write(
        (transaction) =>
          transaction.run("UPDATE leases SET expires_at = 0 WHERE name = $1 AND epoch = $2", name, epoch),
        "relaxed",
      );
    },
  };
}
