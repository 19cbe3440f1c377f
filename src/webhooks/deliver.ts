/** The worker that sends events: looks for due deliveries twice a second and whenever it is woken, claims them, and makes the attempts. */

import type { Instant } from "#domain/time/day.ts";
import { ATTEMPT_MILLISECONDS, MOST_AT_ONCE } from "#domain/webhook/rules.ts";
import type { ClaimedDelivery, Outbox } from "#ports/webhooks.ts";
import type { Tell } from "#telemetry.ts";
import { type AttemptDeps, type AttemptEnd, attemptDelivery } from "./attempt.ts";
import { type HeartbeatDeps, openHeartbeat } from "./heartbeat.ts";
import { openPlaces } from "./places.ts";
import { sayOnce } from "./say-once.ts";

export interface DeliverDeps extends Omit<AttemptDeps, "isHeld" | "isStopped">, HeartbeatDeps {
  readonly outbox: Pick<Outbox, "claim" | "beat" | "release" | "retire" | "complete">;
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

/** So soon is found what other processes have queued, what has become due, and what a dead worker held. */
const LOOK_MILLISECONDS = 500;
/** Attempts end one by one. So long others are waited for, so that one claim fills the places of several. */
const GATHER_MILLISECONDS = 2;
/** What could not be attempted, such as for a secret that does not open, is kept so long before anyone tries again. */
const KEEP_MILLISECONDS = 30_000;
/** An attempt has its deadline; noting it has the ledger's. */
const CLOSE_MILLISECONDS = ATTEMPT_MILLISECONDS + 3_000;

interface Kept {
  readonly claim: Pick<ClaimedDelivery, "id" | "token">;
  readonly until: Instant;
}

/**
 * Any number of these may work on one ledger: a delivery is claimed by one at a time. It is sent at least once: when a worker
 * dies between sending and noting, its heartbeat ends, and others send the event again 4 to 5 s later, with the same id.
 * While the ledger or the vault is out of order nothing is lost: what is due stays due.
 */
export function startDeliveries(deps: DeliverDeps): Deliveries {
  const { outbox, clock, tell, every, later } = deps;
  const heartbeat = openHeartbeat(deps);
  const places = openPlaces(later, () => wake());
  const said = sayOnce(tell);
  let kept: readonly Kept[] = [];
  let stopped = false;
  let wanted = false;
  let looking: Promise<void> | null = null;
  let beating: Promise<void> | null = null;

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
      if (places.taken() > 0) await new Promise<void>((done) => void later(GATHER_MILLISECONDS, done));
      wanted = false;
      try {
        await giveBack();
        await claimSome();
        said.well("claim");
      } catch (fault) {
        said.ill("claim", "claim", fault);
      }
    }
  };
  const giveBack = async () => {
    const now = clock.now();
    const over = new Set(kept.filter(({ until }) => until <= now));
    if (over.size === 0) return;
    await outbox.release([...over].map(({ claim }) => claim));
    kept = kept.filter((one) => !over.has(one));
  };
  const claimSome = async () => {
    const takesOver = heartbeat.mayTakeOver();
    const limit = places.free();
    // Every attempt that ends looks again.
    if (limit < 1) return;
    const [worker, at] = [heartbeat.id(), clock.now()];
    const claimed = await outbox.claim({ at, worker, limit, perEndpoint: MOST_AT_ONCE, takesOver });
    heartbeat.answered();
    if (claimed.length === 0) return;
    const isOurs = worker === heartbeat.id();
    if (isOurs) heartbeat.claimed(at);
    if (stopped || !isOurs) {
      await outbox.release(claimed);
      return;
    }
    for (const delivery of claimed) begin(delivery, worker);
    if (claimed.length === limit) wanted = true;
  };
  const begin = (delivery: ClaimedDelivery, worker: string) => {
    const parts = { ...deps, isHeld: () => heartbeat.isHeld(worker), isStopped: () => stopped };
    places.take(attemptDelivery(parts, delivery).then((end) => ended(delivery, end)));
  };
  const ended = ({ id, token, endpointId }: ClaimedDelivery, end: AttemptEnd) => {
    if (end === "noted") return said.well(`attempt ${endpointId}`);
    // One that was taken over is given back too: perhaps the ledger could only not be asked.
    const until = clock.now() + (end === "taken over" ? 0 : KEEP_MILLISECONDS);
    kept = [...kept, { claim: { id, token }, until }];
    if (end !== "taken over") said.ill(`attempt ${endpointId}`, end.step, end.fault);
  };

  const stopTicking = every(LOOK_MILLISECONDS, () => {
    const holdsSome = places.taken() + kept.length > 0;
    if (holdsSome) {
      beating ??= heartbeat.beat().finally(() => {
        beating = null;
      });
    }
    if (stopped && !holdsSome) stopTicking();
    wake();
  });
  const stop = () => {
    stopped = true;
  };
  const idle = async () => {
    while (looking !== null || beating !== null || places.taken() > 0)
      await Promise.all([looking, beating, places.ended()]);
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
      await Promise.race([idle().then(heartbeat.retire), late.promise]);
      callOff();
      stopTicking();
    },
  };
}
