/** The accounts as routes use them. */

import { openMeterless } from "#http/request/metering.ts";
import type { Accounts } from "./accounts.ts";

/** With open access there are no limits, and no one signs in. */
export function accountDeps(accounts: Accounts | null, delayMinutes: number) {
  if (accounts === null) {
    const none = { account: null, identity: null, billing: null, webhooks: null, accounts: null };
    return { ...none, meter: openMeterless(delayMinutes), pageDelayMinutes: delayMinutes };
  }
  const { meter, account, identity, selling: billing, webhooks, kind, ledger, counters } = accounts;
  const status = { kind, probe: ledger.probe, limits: counters.state };
  // A visitor sees what a caller without a key is served.
  const pageDelayMinutes = accounts.plans.anonymous.live_delay_minutes;
  return { meter, account, identity, billing, webhooks, accounts: status, pageDelayMinutes };
}
