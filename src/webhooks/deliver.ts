/** The worker that sends events: looks for due deliveries once a second and whenever it is woken, claims them, and makes the attempts. */

import { LedgerUnavailable } from "#domain/account/ledger-faults.ts";
import { ATTEMPT_MILLISECONDS, LEASE_MILLISECONDS, MOST_AT_ONCE } from "#domain/webhook/rules.ts";
import type { ClaimedDelivery, Outbox } from "#ports/webhooks.ts";
import type { Tell } from "#telemetry.ts";
import { type AttemptDeps, type AttemptEnd, attemptDelivery } from "./attempt.ts";

export interface DeliverDeps extends Omit<AttemptDeps, "isStopped"> {
  readonly outbox: Pick<Outbox, "claim" | "release" | "complete">;
  readonly tell: Tell;
  /** Calls again and again until the returned function is called. */
  readonly every: (milliseconds: number, run: () => void) => () => void;
}

export interface Deliveries {
  /** Something may be due: look now. */
  wake(): void;
  /** Claims nothing more. Attempts under way go on. */
  stop(): void;
  /** Resolves once nothing is being looked for and no attempt is under way. Never rejects. */
  idle(): Promise<void>;
  /** Stops, and resolves when no attempt is under way any more, at the latest when none can be. Never rejects. */
  close(): Promise<void>;
}

/** What others than this process have queued, and what has become due, is found so soon. */
const LOOK_MILLISECONDS = 1_000;
/** Attempts of this process at a time, all endpoints together: each is a socket and a timer. */
const MOST_UNDER_WAY = 128;
/** Deliveries of one claim, so that its transaction is short. */
const MOST_CLAIMED = 32;
/** An attempt has its deadline; noting it has the ledger's. */
const CLOSE_MILLISECONDS = ATTEMPT_MILLISECONDS + 3_000;

/**
 * Any number of these may work on one ledger: a delivery is claimed by one at a time. It is sent at least once: whoever
 * dies between sending and noting loses the claim 30 s later, and the event goes out again with the same id. While the
 * ledger or the vault is out of order nothing is lost: what is due stays due.
 */
export function startDeliveries(deps: DeliverDeps): Deliveries {
  const { outbox, clock, tell, every, later } = deps;
  const underWay = new Set<Promise<void>>();
  const said = sayOnce(tell);
  let stopped = false;
  let wanted = false;
  let looking: Promise<void> | null = null;
  const parts = { ...deps, isStopped: () => stopped };

  const wake = () => {
    wanted = true;
    if (stopped || looking !== null) return;
    looking = look().finally(() => {
      looking = null;
      if (wanted) wake();
    });
  };
  const look = async () => {
    while (wanted && !stopped) {
      wanted = false;
      try {
        await claimSome();
        said.well("claim");
      } catch (fault) {
        said.ill("claim", fault);
      }
    }
  };
  const claimSome = async () => {
    const limit = Math.min(MOST_UNDER_WAY - underWay.size, MOST_CLAIMED);
    // Every attempt that ends looks again.
    if (limit < 1) return;
    const claimed = await outbox.claim(clock.now(), LEASE_MILLISECONDS, limit, MOST_AT_ONCE);
    if (stopped) {
      await Promise.all(claimed.map((delivery) => outbox.release(delivery)));
      return;
    }
    for (const delivery of claimed) begin(delivery);
    if (claimed.length === limit) wanted = true;
  };
  const begin = (delivery: ClaimedDelivery) => {
    const made = attemptDelivery(parts, delivery).then((end) => {
      underWay.delete(made);
      hear(delivery, end);
      wake();
    });
    underWay.add(made);
  };
  const hear = ({ endpointId }: ClaimedDelivery, end: AttemptEnd) => {
    if (end === "noted") said.well(`attempt ${endpointId}`);
    else said.ill(`attempt ${endpointId}`, end.fault, end.step);
  };

  const stopLooking = every(LOOK_MILLISECONDS, wake);
  const stop = () => {
    stopped = true;
    stopLooking();
  };
  const idle = async () => {
    while (looking !== null || underWay.size > 0) await Promise.all([looking, ...underWay]);
  };
  wake();
  return {
    wake,
    stop,
    idle,
    async close() {
      stop();
      // Bounded by itself where everything keeps its deadline: ours is for what does not.
      const late = Promise.withResolvers<void>();
      const callOff = later(CLOSE_MILLISECONDS, late.resolve);
      await Promise.race([idle(), late.promise]);
      callOff();
    },
  };
}

/** Tells of a fault when it comes, not each second while it lasts. The ledger itself tells that it is out of reach. */
function sayOnce(tell: Tell) {
  const last = new Map<string, string>();
  const MOST_REMEMBERED = 1_000;
  return {
    well: (what: string) => void last.delete(what),
    ill: (what: string, fault: unknown, step = "claim") => {
      if (fault instanceof LedgerUnavailable) return;
      const error = `${what}, ${step}: ${fault instanceof Error ? fault.message : String(fault)}`;
      if (last.get(what) === error) return;
      if (last.size >= MOST_REMEMBERED) last.clear();
      last.set(what, error);
      tell({ kind: "job_failed", job: "webhook-deliveries", error });
    },
  };
}
