/** The demo's account: a person who can sign in, with an organization on the largest plan and a key to copy. */

import { provision } from "#accounts/account/provision.ts";
import type { By } from "#domain/account/audit.ts";
import type { Organization, OrganizationPatch } from "#domain/account/organization.ts";
import { sendTest } from "#webhooks/deliveries.ts";
import { createEndpoint } from "#webhooks/endpoints.ts";
import type { Accounts } from "./accounts.ts";

export interface DemoAccount {
  readonly email: string;
  readonly password: string;
  /** The plaintext of the API key. */
  readonly key: string;
}

const EMAIL = "demo@example.org";
/** Known to everybody: what it opens is made up, and on this machine. */
const PASSWORD = "crossrate-demo";

/** Each start begins where the first one did. */
const AS_GIVEN: OrganizationPatch = { tier: "pro", status: "active", pastDueSince: null };

/**
 * The same account at every start on the same data, on the plan pro whatever an operator gave it meanwhile.
 * Its events go to the receiver, where one is given.
 */
export async function openDemoAccount(
  accounts: Accounts,
  receiver: DemoReceiver | null = null,
): Promise<DemoAccount> {
  const { account, identity, ledger } = accounts;
  const by = { at: account.clock.now(), actor: "system" } as const;
  const known = await ledger.identities.byEmail(EMAIL);
  const person =
    known ??
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

/** Where events of the demo's account go. */
export interface DemoReceiver {
  readonly url: string;
  /** Receives the signing secret before the first event can arrive. */
  trust(secret: string): void;
}

const DESCRIPTION = "the demo's own receiver";

/**
 * The receiver has another port at every start, so that the endpoint of the start before makes room. Then a test event,
 * for on the same data nothing new may be published for hours.
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
