/** That a person accepted a version of the policy, and when first. Kept as evidence. */

import type { Instant } from "#domain/time/day.ts";

export interface Consent {
  readonly identityId: string;
  readonly policyVersion: string;
  readonly acceptedAt: Instant;
}
