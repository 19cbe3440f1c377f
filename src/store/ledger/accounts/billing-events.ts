/** Billing events: taken once by id, processed once, never deleted. */

import type { BillingEvent } from "#domain/billing/notice.ts";
import type { BillingEvents } from "#ports/ledger.ts";
import type { LedgerParts } from "#store/ledger/engine/engine.ts";
import {
  first,
  integer,
  integerOrNull,
  mapping,
  type Row,
  text,
  textOrNull,
} from "#store/ledger/engine/rows.ts";
import { changeOrganization } from "./organizations.ts";

const EVENT = mapping<BillingEvent>({
  id: text,
  type: text,
  objectId: textOrNull,
  receivedAt: integer,
  processedAt: integerOrNull,
  outcome: textOrNull,
});

export function billingEvents({ engine }: LedgerParts): BillingEvents {
  return {
    receive: ({ id, type, objectId }, at) =>
      engine.write(async (transaction) => {
        const taken = await transaction.run`
          INSERT INTO billing_events (id, type, object_id, received_at) VALUES (${id}, ${type}, ${objectId}, ${at})
          ON CONFLICT (id) DO NOTHING`;
        if (taken === 0) {
          const [row] = await transaction.rows`SELECT * FROM billing_events WHERE id = ${id}`;
          return EVENT.of(row as Row).processedAt === null ? "received" : "processed";
        }
        const by = { at, actor: "billing" } as const;
        await transaction.record(by, "billing_event.received", `billing_event:${id}`, {
          type,
          object: objectId,
        });
        return "new";
      }),
    settle: (id, outcome, change, at) =>
      engine.write(async (transaction) => {
        const settled = await transaction.run`
          UPDATE billing_events SET processed_at = ${at}, outcome = ${outcome} WHERE id = ${id} AND processed_at IS NULL`;
        if (settled === 0) return false;
        const by = { at, actor: "billing" } as const;
        if (change !== null) {
          await changeOrganization(transaction, change.organizationId, change.patch, by);
        }
        await transaction.record(by, "billing_event.processed", `billing_event:${id}`, { outcome });
        return true;
      }),
    byId: async (id) =>
      first(await engine.read.rows`SELECT * FROM billing_events WHERE id = ${id}`, EVENT.of),
    unprocessed: async (before, limit) => {
      const rows = await engine.read.rows`
        SELECT * FROM billing_events WHERE processed_at IS NULL AND received_at < ${before}
        ORDER BY received_at, id LIMIT ${limit}`;
      return rows.map(EVENT.of);
    },
  };
}
