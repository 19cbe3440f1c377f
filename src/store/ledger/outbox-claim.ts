/** Claiming: endpoints take turns, each gives its oldest deliveries that are due, and no more than so many are out of one at once. */

import type { Tier } from "#domain/account/organization.ts";
import type { Instant } from "#domain/day.ts";
import type { ClaimedDelivery } from "#ports/webhooks.ts";
import { padded } from "./chunks.ts";
import type { LedgerParts, Transaction } from "./engine.ts";
import { maySend } from "./may-send.ts";
import { integer, placeholders, text } from "./rows.ts";
import {
  deliveryOf,
  endpointWithSecretOf,
  eventOf,
  SELECT_DELIVERIES_AND_ENDPOINTS,
} from "./webhook-rows.ts";

export interface Claim {
  readonly at: Instant;
  readonly milliseconds: number;
  readonly limit: number;
  readonly perEndpoint: number;
}

/** Nothing is written, and no lock taken, while nothing is due. */
export async function claim(
  { engine, newId }: LedgerParts,
  tiers: readonly Tier[],
  wanted: Claim,
): Promise<readonly ClaimedDelivery[]> {
  if (wanted.limit < 1 || wanted.perEndpoint < 1) return [];
  const ready = await engine.read.rows(
    "SELECT id FROM webhook_deliveries WHERE state = 'pending' AND ready_at <= $1 LIMIT 1",
    wanted.at,
  );
  if (ready.length === 0) return [];
  return await engine.write((transaction) => claimSome(transaction, newId("clm_"), tiers, wanted));
}

async function claimSome(
  transaction: Transaction,
  token: string,
  tiers: readonly Tier[],
  wanted: Claim,
): Promise<readonly ClaimedDelivery[]> {
  const endpoints = await lockEndpoints(transaction, tiers, wanted);
  if (endpoints.length === 0) return [];
  const picked = await pick(transaction, endpoints, wanted);
  if (picked.length === 0) return [];
  await take(transaction, token, picked, wanted);
  const ids = padded(picked.map(({ id }) => id));
  const rows = await transaction.rows(
    `${SELECT_DELIVERIES_AND_ENDPOINTS} WHERE delivery.token = $1 AND delivery.id IN (${placeholders(ids.length, 2)})`,
    token,
    ...ids,
  );
  const claimed = new Map(
    rows.map((row) => [
      text(row, "id"),
      {
        ...deliveryOf(row),
        token,
        event: eventOf(row, "event_"),
        endpoint: endpointWithSecretOf(row, "endpoint_"),
      },
    ]),
  );
  return picked.flatMap(({ id }) => claimed.get(id) ?? []);
}

/**
 * Endpoints with something due and room for more, those first whose last turn is longest ago. They are locked, and
 * those that another claim has locked are passed over: so two never count the same endpoint's room.
 */
async function lockEndpoints(
  transaction: Transaction,
  tiers: readonly Tier[],
  { at, limit, perEndpoint }: Claim,
): Promise<readonly string[]> {
  const eligible = maySend(tiers, at, "$4");
  const rows = await transaction.rows(
    `SELECT endpoint.id FROM webhook_endpoints AS endpoint
     WHERE (SELECT min(ready_at) FROM webhook_deliveries WHERE endpoint_id = endpoint.id AND state = 'pending') <= $1
       AND (SELECT count(*) FROM webhook_deliveries
            WHERE endpoint_id = endpoint.id AND token IS NOT NULL AND ready_at > $1) < $2
       AND ${eligible.sql}
     ORDER BY endpoint.claimed_at, endpoint.id LIMIT $3${transaction.forUpdateSkipLocked}`,
    at,
    perEndpoint,
    limit,
    eligible.param,
  );
  return rows.map((row) => text(row, "id"));
}

interface Picked {
  readonly id: string;
  readonly endpointId: string;
}

/** Of each endpoint as many as it has room for: first one of each, then a second one of each, until there are enough. */
async function pick(
  transaction: Transaction,
  endpoints: readonly string[],
  { at, limit, perEndpoint }: Claim,
): Promise<readonly Picked[]> {
  // Counted anew: another claim may have ended between looking for endpoints and locking them.
  const out = await transaction.rows(
    `SELECT endpoint_id, count(*) AS n FROM webhook_deliveries
     WHERE token IS NOT NULL AND ready_at > $1 AND endpoint_id IN (${placeholders(padded(endpoints).length, 2)})
     GROUP BY endpoint_id`,
    at,
    ...padded(endpoints),
  );
  const outOf = new Map(out.map((row) => [text(row, "endpoint_id"), integer(row, "n")]));
  const rounds: Picked[][] = [];
  for (const endpointId of endpoints) {
    const due = await transaction.rows(
      `SELECT id FROM webhook_deliveries WHERE endpoint_id = $1 AND state = 'pending' AND ready_at <= $2
       ORDER BY ready_at, event_position LIMIT $3`,
      endpointId,
      at,
      Math.max(0, perEndpoint - (outOf.get(endpointId) ?? 0)),
    );
    for (const [nth, row] of due.entries()) {
      rounds[nth] ??= [];
      rounds[nth].push({ id: text(row, "id"), endpointId });
    }
  }
  return rounds.flat().slice(0, limit);
}

/**
 * Nobody else claims or drops them meanwhile, because their endpoints are locked; but a worker whose claim ran out may
 * just have completed one, which then stays as it is.
 */
async function take(
  transaction: Transaction,
  token: string,
  picked: readonly Picked[],
  { at, milliseconds }: Claim,
): Promise<void> {
  const ids = padded(picked.map(({ id }) => id));
  await transaction.run(
    `UPDATE webhook_deliveries SET token = $1, ready_at = $2
     WHERE id IN (${placeholders(ids.length, 4)}) AND state = 'pending' AND ready_at <= $3`,
    token,
    at + milliseconds,
    at,
    ...ids,
  );
  const endpoints = padded([...new Set(picked.map(({ endpointId }) => endpointId))]);
  await transaction.run(
    `UPDATE webhook_endpoints SET claimed_at = $1 WHERE id IN (${placeholders(endpoints.length, 2)})`,
    at,
    ...endpoints,
  );
}
