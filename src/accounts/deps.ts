/** The dependencies of the account use cases: ledger, vault, billing, and counts that are not in the ledger yet. */

import type { Random } from "#domain/account/key.ts";
import type { UsageIncrement } from "#domain/account/organization.ts";
import type { Plans } from "#domain/billing/plan.ts";
import type { Billing } from "#ports/billing.ts";
import type { Vault } from "#ports/identity.ts";
import type { Attempts, KeyNews, Ledger, MonthUsed } from "#ports/ledger.ts";
import type { Clock } from "#ports.ts";
import type { Emit } from "#telemetry.ts";

export interface AccountDeps {
  readonly ledger: Pick<Ledger, "organizations" | "keys" | "usage" | "consents">;
  readonly vault: Pick<Vault, "lookup" | "seal" | "open">;
  readonly billing: Pick<Billing, "cancel" | "closeCheckouts" | "subscriptionsOf" | "kind">;
  readonly keyNews: KeyNews;
  readonly attempts: Attempts;
  /** Counts of an organization that this process has not written to the ledger yet. */
  readonly pendingUsage: (organizationId: string) => readonly UsageIncrement[];
  readonly monthUsed: MonthUsed;
  readonly plans: Plans;
  readonly random: Random;
  readonly clock: Clock;
  readonly emit: Emit;
}
