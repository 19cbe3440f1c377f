/** POST /v1/consent: a person accepts a version of the policy. */

import type { By } from "#domain/account/audit.ts";
import { formatInstant } from "#domain/day.ts";
import { type AccountDeps, reaching } from "./account-deps.ts";

/** ConsentResponse. The first acceptance stands: repeating it answers with its time. Failure `service_unavailable`. */
export async function acceptPolicy(
  { ledger }: Pick<AccountDeps, "ledger">,
  identityId: string,
  version: string,
  by: By,
) {
  const { policyVersion, acceptedAt } = await reaching(() => ledger.consents.accept(identityId, version, by));
  return { result: "success", policy_version: policyVersion, accepted_at: formatInstant(acceptedAt) };
}
