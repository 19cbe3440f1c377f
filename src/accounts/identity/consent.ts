/** POST /v1/consent: a person accepts a version of the policy. */

import { type AccountDeps, reaching } from "#accounts/account/deps.ts";
import type { By } from "#domain/account/audit.ts";
import { formatInstant } from "#domain/time/day.ts";
import { attempt } from "./attempts.ts";

/**
 * ConsentResponse. The first acceptance stands: repeating it answers with its time. Failure `rate_limited`,
 * `service_unavailable`.
 */
export async function acceptPolicy(
  { ledger, attempts, clock }: Pick<AccountDeps, "ledger" | "attempts" | "clock">,
  identityId: string,
  version: string,
  by: By,
) {
  await attempt(attempts, clock.now(), [{ limit: "consent of", key: identityId }]);
  const { policyVersion, acceptedAt } = await reaching(() => ledger.consents.accept(identityId, version, by));
  return { result: "success", policy_version: policyVersion, accepted_at: formatInstant(acceptedAt) };
}
