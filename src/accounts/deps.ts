/** The dependencies of the account use cases: ledger, vault, billing, and usage with what is not in the ledger yet. */

import type { Random } from "#domain/account/key.ts";
import type { Plans } from "#domain/billing/plan.ts";
import type { Billing } from "#ports/billing.ts";
import type { Vault } from "#ports/identity.ts";
import type { Attempts, ForgetKeys, Ledger, MonthUsed, UsageCounts } from "#ports/ledger.ts";
import type { Clock } from "#ports.ts";
import type { Emit } from "#telemetry.ts";

export interface AccountDeps {
  readonly ledger: Pick<Ledger, "organizations" | "keys" | "consents">;
  readonly vault: Pick<Vault, "lookup" | "seal" | "open">;
  readonly billing: Pick<Billing, "cancel" | "closeCheckouts" | "subscriptionsOf" | "kind">;
  readonly forgetKeys: ForgetKeys;
  readonly attempts: Attempts;
  /** The ledger's counts and those that this process has not written yet. A day may come twice. */
  readonly usageDays: UsageCounts["days"];
  readonly monthUsed: MonthUsed;
  readonly plans: Plans;
  readonly random: Random;
  readonly clock: Clock;
  readonly emit: Emit;
}
