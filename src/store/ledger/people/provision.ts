/** Provisioning: the organization and its current key, made where they are absent, once however many race. */

import type { By } from "#domain/account/audit.ts";
import { currentKey, type NewKey } from "#domain/account/key.ts";
import type { Organization } from "#domain/account/organization.ts";
import type { Provision, Provisioned } from "#ports/ledger.ts";
import type { LedgerParts, Transaction } from "#store/ledger/engine/engine.ts";
import { record } from "./audit.ts";
import { findIdentity } from "./identity-rows.ts";
import { findOrganization, insertKey, keysOf } from "./organization-rows.ts";

/** An organization can vanish or appear between looking and locking; not again and again. */
const ATTEMPTS = 5;

/** What takes time and is made before the transaction. */
interface Settled {
  readonly id: string;
  readonly isNew: boolean;
  readonly made: NewKey;
}

export async function provision(parts: LedgerParts, wanted: Provision, by: By): Promise<Provisioned | null> {
  const { engine, newId } = parts;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const present = await findOrganization(engine.read, "owner_id", wanted.ownerId);
    const key = present === null ? null : currentKey(await keysOf(engine.read, present.id));
    if (present !== null && key !== null) return { created: false, organization: present, key };
    const id = present?.id ?? newId("org_");
    // The key is bound to its organization's id and takes time to make: both are settled before the transaction.
    const made = await wanted.makeKey(id);
    const settled = { id, isNew: present === null, made };
    const result = await engine.write((transaction) => complete(parts, transaction, wanted, settled, by));
    if (result !== "another_id") return result;
  }
  throw new Error(`the organization of ${wanted.ownerId} comes and goes`);
}

async function complete(
  parts: LedgerParts,
  transaction: Transaction,
  wanted: Provision,
  { id, isNew, made }: Settled,
  by: By,
): Promise<Provisioned | null | "another_id"> {
  // Another provisioning for the same owner waits here for this one.
  if ((await findIdentity(transaction, wanted.ownerId, transaction.forUpdate)) === null) return null;
  const present = await findOrganization(transaction, "owner_id", wanted.ownerId, transaction.forUpdate);
  const key = present === null ? null : currentKey(await keysOf(transaction, present.id));
  if (present !== null && key !== null) return { created: false, organization: present, key };
  // One that was deleted meanwhile does not come back: what is still counted for its id is not the new one's.
  if (present === null ? !isNew : present.id !== id) return "another_id";
  const organization = present ?? (await insertOrganization(parts, transaction, wanted, id, by));
  const issued = await insertKey(transaction, id, made, by);
  const detail = { key: issued.id, prefix: issued.prefix };
  await record(parts, transaction, by, { action: "key.created", subject: `organization:${id}`, detail });
  return { created: true, organization, key: issued };
}

async function insertOrganization(
  parts: LedgerParts,
  transaction: Transaction,
  { ownerId, attribution, marketingConsent }: Provision,
  id: string,
  by: By,
): Promise<Organization> {
  await transaction.run`
    INSERT INTO organizations (id, owner_id, tier, status, attribution, marketing_consent, created_at)
    VALUES (${id}, ${ownerId}, 'free', 'active', ${attribution}, ${marketingConsent ? 1 : 0}, ${by.at})`;
  const [subject, detail] = [`organization:${id}`, { owner: ownerId, marketingConsent }];
  await record(parts, transaction, by, { action: "organization.created", subject, detail });
  return {
    id,
    ownerId,
    tier: "free",
    status: "active",
    billingCustomerId: null,
    billingSubscriptionId: null,
    pastDueSince: null,
    attribution,
    marketingConsent,
    createdAt: by.at,
  };
}
