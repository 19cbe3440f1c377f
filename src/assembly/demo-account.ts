/** The demo's account: somebody who can sign in, with an organization on the largest plan and a key to copy. */

import { provision } from "#accounts/provision.ts";
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

/** The same account at every start on the same data. */
export async function openDemoAccount({ account, identity, ledger }: Accounts): Promise<DemoAccount> {
  const by = { at: account.clock.now(), actor: "system" } as const;
  const known = await ledger.identities.byEmail(EMAIL);
  const person =
    known ??
    (await ledger.identities.create(
      {
        email: EMAIL,
        passwordHash: await identity.passwords.hash(PASSWORD),
        emailVerifiedAt: by.at,
        role: "user",
      },
      by,
    ));
  if (person === "email_taken") throw new Error("the demo's account was made by another process just now");
  const { org_id, plaintext } = await provision(
    account,
    person.id,
    { attribution: null, marketingConsent: false },
    by,
  );
  if (plaintext === null) throw new Error("the demo's key cannot be shown: DATA_DIR has another master key");
  if (known === null) await ledger.organizations.change(org_id, { tier: "pro" }, by);
  return { email: EMAIL, password: PASSWORD, key: plaintext };
}
