/** What metrics see of the side of accounts: ports watched as they are opened, and what a scrape asks. */

import { RECONCILED_MARK } from "#accounts/billing/reconcile-gather.ts";
import type { UsageMeter } from "#accounts/limits/usage-meter.ts";
import type { MetricsReaders } from "#metrics/readers.ts";
import type { Watch } from "#metrics/watch.ts";
import type { Billing } from "#ports/billing.ts";
import type { Counters } from "#ports/counters.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { Clock } from "#ports.ts";

/** Without metrics every port is as it was opened. */
export const UNWATCHED: Watch = {
  limits: (counters) => counters,
  keys: (directory) => directory,
  mail: (mail) => mail,
  billing: (billing) => billing,
  notices: (events) => events,
  outbox: (outbox) => outbox,
};

export interface AccountSources {
  readonly counters: Pick<Counters, "state">;
  readonly usage: Pick<UsageMeter, "waiting">;
  readonly ledger: Pick<Ledger, "probe" | "billingEvents" | "installation" | "outbox">;
  readonly billing: Pick<Billing, "kind">;
  /** Which database the ledger is in. */
  readonly kind: "sqlite" | "postgres";
}

/** A notice is dealt with in a moment, or by the hourly reconciliation. */
const WAITING_MILLISECONDS = 60_000;
const MOST_WAITING = 500;

export function accountReaders(
  { counters, usage, ledger, billing, kind }: AccountSources,
  clock: Clock,
): Partial<MetricsReaders> {
  return {
    limits: counters.state,
    usage: usage.waiting,
    ledger: async () => {
      const began = performance.now();
      const isReachable = await ledger.probe().then(
        () => true,
        () => false,
      );
      return { kind, answeredInSeconds: isReachable ? (performance.now() - began) / 1000 : null };
    },
    webhooks: () => ledger.outbox.backlog(clock.now()),
    ...(billing.kind === "none" ? {} : { billing: () => billingOf(ledger, clock) }),
  };
}

async function billingOf({ billingEvents, installation }: AccountSources["ledger"], clock: Clock) {
  const before = clock.now() - WAITING_MILLISECONDS;
  const [waiting, mark] = await Promise.all([
    billingEvents.unprocessed(before, MOST_WAITING),
    installation.read(RECONCILED_MARK),
  ]);
  return { waiting: waiting.length, reconciledAt: mark === null ? null : Number(mark) };
}
