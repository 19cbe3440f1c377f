/** The dependencies of applying billing notices. */

import type { Billing } from "#ports/billing.ts";
import type { KeyNews } from "#ports/counters.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { Clock } from "#ports.ts";
import type { Emit } from "#telemetry.ts";

export interface BillingNoticeDeps {
  readonly ledger: Pick<Ledger, "organizations" | "keys" | "billingEvents" | "leases" | "installation">;
  readonly billing: Pick<
    Billing,
    "kind" | "verifyEvent" | "subscription" | "subscriptionsOf" | "listChanged"
  >;
  /** Is notified of keys whose plan has changed, so that the new plan holds from the next call on. */
  readonly keyNews: KeyNews;
  readonly clock: Clock;
  readonly emit: Emit;
  /** Names this process among replicas. */
  readonly replica: string;
  readonly pause: (milliseconds: number) => Promise<void>;
}
