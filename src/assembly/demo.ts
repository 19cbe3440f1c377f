/**
 * The demo's account (a person who can sign in, with an organization on the largest plan and a key to copy), and the ECB's
 * packaged history for its simulator.
 */

import { provision } from "#accounts/account/organization.ts";
import type { By } from "#domain/account/ledger.ts";
import type { Organization, OrganizationPatch } from "#domain/account/organization.ts";
import { DEMO_SNAPSHOT, DEMO_STARTS_AT } from "#sources/ecb/snapshot.ts";
import { readZipEntry } from "#sources/zip.ts";
import { createEndpoint, sendTest } from "#webhooks/endpoints.ts";
import type { Accounts } from "./accounts.ts";

const EMAIL = "demo@example.org";
/** The password opens simulated data on this machine only. */
const PASSWORD = "crossrate-demo";

/** Restored at every start. */
const AS_GIVEN: OrganizationPatch = { tier: "pro", status: "active", pastDueSince: null };

/** Opens the same account at every start on the same data, with the plan pro. Its events go to the receiver, if any. */
export async function openDemoAccount(accounts: Accounts, receiver: DemoReceiver | null = null) {
  const { account, identity, ledger } = accounts;
  const by = { at: account.clock.now(), actor: "system" } as const;
  const earlier = await ledger.identities.byEmail(EMAIL);
  const person =
    earlier ??
    (await ledger.identities.create(
      {
        email: EMAIL,
        passwordHash: await identity.passwords.hash(PASSWORD, "demo"),
        emailVerifiedAt: by.at,
        role: "user",
      },
      by,
    ));
  if (person === "email_taken") throw new Error("the demo's account was made by another process just now");
  const { organizationId, key } = await provision(
    account,
    person.id,
    { attribution: null, marketingConsent: false },
    by,
  );
  const { plaintext } = key;
  if (plaintext === null) throw new Error("the demo's key cannot be shown: DATA_DIR has another master key");
  const present = await ledger.organizations.byId(organizationId);
  const isAsGiven = Object.entries(AS_GIVEN).every(
    ([name, value]) => present?.[name as keyof Organization] === value,
  );
  if (!isAsGiven) await ledger.organizations.change(organizationId, AS_GIVEN, by);
  if (receiver !== null) {
    await openDemoEndpoint(accounts, { id: person.id, organizationId: organizationId }, receiver, by);
  }
  return { email: EMAIL, password: PASSWORD, key: plaintext };
}

export interface DemoReceiver {
  readonly url: string;
  /** Receives the signing secret before the first event. */
  trust(secret: string): void;
}

const DESCRIPTION = "the demo's own receiver";

/**
 * Replaces the endpoint of the last start: the receiver has another port each time. Sends a test event, because nothing new may be
 * published for hours.
 */
async function openDemoEndpoint(
  { webhooks, ledger }: Pick<Accounts, "webhooks" | "ledger">,
  owner: { readonly id: string; readonly organizationId: string },
  receiver: DemoReceiver,
  by: By,
): Promise<void> {
  for (const { id, description } of await ledger.endpoints.list(owner.organizationId)) {
    if (description === DESCRIPTION) await ledger.endpoints.remove(id, owner.organizationId, by);
  }
  const wish = { url: receiver.url, description: DESCRIPTION };
  const { endpoint, secret } = await createEndpoint(webhooks, owner.id, wish, by);
  receiver.trust(secret);
  await sendTest(webhooks, owner.id, endpoint.id);
}

const MOST_BYTES = 32 * 1024 * 1024;

export async function demoHistory() {
  const { bytes } = await DEMO_SNAPSHOT.read();
  const csv = new TextDecoder().decode(readZipEntry(bytes, "eurofxref-hist.csv", MOST_BYTES));
  return { startsAt: DEMO_STARTS_AT, csv };
}
