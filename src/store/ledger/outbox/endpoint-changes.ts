/** Adding and changing a webhook endpoint, within a transaction; every change with its audit entry. */

import type { AuditDetail, AuditNote, By } from "#domain/account/audit.ts";
import type { ChosenType, WebhookEndpoint } from "#domain/webhook/endpoint.ts";
import type { NewEndpoint, WebhookEndpoints } from "#ports/webhooks.ts";
import type { LedgerParts, Transaction } from "#store/ledger/engine/engine.ts";
import { assignments } from "#store/ledger/engine/patch.ts";
import { integer, type Row, text } from "#store/ledger/engine/rows.ts";
import { record } from "#store/ledger/people/audit.ts";
import { findOrganization } from "#store/ledger/people/organization-rows.ts";
import { ENDPOINT_COLUMNS, endpointOf } from "./rows.ts";

/** Within a transaction; repeating one that was added adds nothing. */
export async function addEndpoint(
  parts: LedgerParts,
  transaction: Transaction,
  id: string,
  organizationId: string,
  { url, description, events, secret }: NewEndpoint,
  most: number,
  by: By,
): ReturnType<WebhookEndpoints["add"]> {
  // Whoever adds to the same organization waits here for us.
  const organization = await findOrganization(transaction, "id", organizationId, transaction.forUpdate);
  if (organization === null) return null;
  const known = await findOwn(transaction, id, organizationId);
  if (known !== undefined) return endpointOf(known);
  const [present] = await transaction.rows(
    "SELECT count(*) AS n FROM webhook_endpoints WHERE organization_id = $1",
    organizationId,
  );
  if (integer(present as Row, "n") >= most) return "full";
  const [row] = await transaction.rows(
    `INSERT INTO webhook_endpoints (${ENDPOINT_COLUMNS}, claimed_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, 0) RETURNING ${ENDPOINT_COLUMNS}`,
    id,
    organizationId,
    url,
    description,
    wants(events, "official.published"),
    wants(events, "official.corrected"),
    secret,
    by.at,
  );
  const made = endpointOf(row as Row);
  await note(parts, transaction, made, "webhook_endpoint.created", { events: made.events }, by);
  return made;
}

/** Within a transaction; a patch that changes nothing writes no audit entry. */
export async function changeEndpoint(
  parts: LedgerParts,
  transaction: Transaction,
  id: string,
  organizationId: string,
  { url, description, events, secret }: Parameters<WebhookEndpoints["change"]>[2],
  by: By,
): ReturnType<WebhookEndpoints["change"]> {
  const row = await findOwn(transaction, id, organizationId);
  if (row === undefined) return null;
  const columns = {
    url: "url",
    description: "description",
    wantsPublished: "wants_published",
    wantsCorrected: "wants_corrected",
    secret: "secret",
    secretAt: "secret_at",
  };
  const present = {
    url: text(row, "url"),
    description: text(row, "description"),
    wantsPublished: integer(row, "wants_published"),
    wantsCorrected: integer(row, "wants_corrected"),
    secret: text(row, "secret"),
    secretAt: integer(row, "secret_at"),
  };
  const isRotated = secret !== undefined && secret !== present.secret;
  const wanted: Partial<typeof present> = {
    ...(url === undefined ? {} : { url }),
    ...(description === undefined ? {} : { description }),
    ...(events === undefined
      ? {}
      : {
          wantsPublished: wants(events, "official.published"),
          wantsCorrected: wants(events, "official.corrected"),
        }),
    ...(isRotated ? { secret, secretAt: by.at } : {}),
  };
  const assigned = assignments<Partial<typeof present>>(present, wanted, columns);
  if (assigned === null) return endpointOf(row);
  const [changed] = await transaction.rows(
    `UPDATE webhook_endpoints SET ${assigned.sql} WHERE id = $1 RETURNING ${ENDPOINT_COLUMNS}`,
    id,
    ...assigned.params,
  );
  const made = endpointOf(changed as Row);
  const detail = { changed: assigned.members, events: made.events };
  await note(parts, transaction, made, "webhook_endpoint.changed", detail, by);
  return made;
}

function wants(events: readonly ChosenType[], type: ChosenType): 0 | 1 {
  return events.includes(type) ? 1 : 0;
}

/** Locked for the rest of the transaction. */
export async function findOwn(
  transaction: Transaction,
  id: string,
  organizationId: string,
): Promise<Row | undefined> {
  const [row] = await transaction.rows(
    `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints WHERE id = $1 AND organization_id = $2${transaction.forUpdate}`,
    id,
    organizationId,
  );
  return row;
}

/** Of the address the host alone: receivers put secrets into paths and queries. */
export async function note(
  parts: LedgerParts,
  transaction: Transaction,
  { id, organizationId, url }: WebhookEndpoint,
  action: AuditNote["action"],
  detail: AuditDetail,
  by: By,
): Promise<void> {
  const subject = `organization:${organizationId}`;
  const host = URL.parse(url)?.host ?? null;
  await record(parts, transaction, by, { action, subject, detail: { endpoint: id, host, ...detail } });
}
