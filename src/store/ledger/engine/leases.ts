/**
 * Leases: one statement each, judged by the ledger's own clock; the epoch rises with every new holder. It falls where a database takes
 * over that was behind, and is given again: a lease is its holder's with its epoch.
 */

import type { Lease } from "#domain/account/ledger.ts";
import type { Leases } from "#ports/ledger.ts";
import { first, type LedgerParts, type Reads } from "./engine.ts";
import { integer, mapping, type Row, text } from "./rows.ts";

const LEASE = mapping<Lease>({ name: text, holder: text, epoch: integer, expiresAt: integer });

export function leases({ engine }: LedgerParts): Leases {
  return {
    // A lease with an end too far ahead was dated by a clock that was ahead, and is not renewed any more: it is taken.
    acquire: (name, holder, milliseconds) =>
      engine.write(
        (transaction) => first(transaction, LEASE.of)`
          INSERT INTO leases (name, holder, epoch, expires_at) VALUES (${name}, ${holder}, 1, ${engine.time} + ${milliseconds})
          ON CONFLICT (name) DO UPDATE
          SET holder = excluded.holder, epoch = leases.epoch + 1, expires_at = excluded.expires_at
          WHERE leases.expires_at <= ${engine.time} OR leases.expires_at > ${engine.time} + ${2 * milliseconds}
          RETURNING name, holder, epoch, expires_at`,
        "relaxed",
      ),
    renew: ({ name, holder, epoch }, milliseconds) =>
      engine.write(
        (transaction) => first(transaction, LEASE.of)`
          UPDATE leases SET expires_at = ${engine.time} + ${milliseconds}
          WHERE name = ${name} AND holder = ${holder} AND epoch = ${epoch} AND expires_at > 0
          RETURNING name, holder, epoch, expires_at`,
        "relaxed",
      ),
    surpass: async ({ name, epoch }, seen) => {
      await engine.write(
        ({ run }) => run`
          UPDATE leases SET epoch = ${seen}, expires_at = 0
          WHERE name = ${name} AND epoch = ${epoch} AND expires_at > ${engine.time}`,
      );
    },
    now: async () => integer((await engine.read.rows`SELECT ${engine.time} AS now`)[0] as Row, "now"),
    release: async ({ name, holder, epoch }) => {
      await engine.write(
        ({ run }) =>
          run`UPDATE leases SET expires_at = 0 WHERE name = ${name} AND holder = ${holder} AND epoch = ${epoch}`,
        "relaxed",
      );
    },
  };
}

/** Resolves with true while a lease was neither taken by another process nor released. A lapsed one still counts: its holder renews it. */
export async function isHeld({ rows }: Reads, { name, holder, epoch }: Lease): Promise<boolean> {
  const leases = await rows`
    SELECT epoch FROM leases WHERE name = ${name} AND holder = ${holder} AND epoch = ${epoch} AND expires_at > 0`;
  return leases.length > 0;
}
