/** The worker that sends events: polls for due deliveries twice a second and whenever it is notified, claims them, and makes the attempts. */

import { LedgerUnavailable } from "#domain/account/ledger.ts";
import type { Instant } from "#domain/time/day.ts";
import { ATTEMPT_MILLISECONDS, MOST_AT_ONCE } from "#domain/webhook/endpoint.ts";
import type { ClaimedDelivery, ClaimWish, Outbox } from "#ports/webhooks.ts";
import type { Emit } from "#telemetry.ts";
import { type AttemptDeps, type AttemptEnd, attemptDelivery } from "./attempt.ts";
import { type HeartbeatDeps, openHeartbeat } from "./heartbeat.ts";
import { logOnce, openSlots } from "./slots.ts";

export interface DeliverDeps extends Omit<AttemptDeps, "isHeld" | "isStopped">, HeartbeatDeps {
  readonly outbox: Pick<Outbox, "claim" | "held" | "beat" | "release" | "retire" | "complete">;
  readonly emit: Emit;
  /** Calls again and again until the returned function is called. */
  readonly every: (milliseconds: number, run: () => void) => () => void;
}

export interface Deliveries {
  /** Polls now, because something may be due. */
  wake(): void;
  /** Claims nothing more. Attempts under way go on. */
  stop(): void;
  /** Resolves once no poll and no attempt is under way. Never rejects. */
  idle(): Promise<void>;
  /** Stops, and resolves when no attempt is under way any more, at the latest when none can be. Never rejects. */
  close(): Promise<void>;
}

/** Within this time a worker finds what other processes have queued, what has become due, and what a dead worker held. */
const POLL_MILLISECONDS = 500;
/** Attempts end one by one. A poll waits this long for others to end, so that one claim fills several slots. */
const GATHER_MILLISECONDS = 2;
/** A claim that could not be attempted, such as for a secret that does not open, is held this long before it is released. */
const HOLD_MILLISECONDS = 30_000;
/** Far longer than the ledger takes to commit or roll back a claim whose answer was lost. */
const UNCERTAIN_MILLISECONDS = 10_000;
/** An attempt has its deadline; recording it has the ledger's. */
const CLOSE_MILLISECONDS = ATTEMPT_MILLISECONDS + 3_000;

type Claim = Pick<ClaimedDelivery, "id" | "token">;

interface HeldBack {
  readonly claim: Claim;
  readonly until: Instant;
}

/**
 * Any number of workers may share one ledger: a delivery is claimed by one at a time. It is sent at least once: when a worker
 * dies between sending and recording, its heartbeat ends, and another worker sends the event again 4 to 5 s later, with the
 * same id. While the ledger or the vault is unavailable nothing is lost: what is due stays due.
 */
export function startDeliveries(deps: DeliverDeps): Deliveries {
  const { outbox, clock, emit, every, later } = deps;
  const heartbeat = openHeartbeat(deps);
  const slots = openSlots(later, () => wake());
  const log = logOnce(emit);
  /** Deliveries of claims that this worker knows of: attempts under way, and claims held back. */
  const inHand = new Set<string>();
  let heldBack: readonly HeldBack[] = [];
  /** Until then the ledger may hold claims of this worker that it does not know of. */
  let uncertainUntil: Instant | null = null;
  let stopped = false;
  let wanted = false;
  let polling: Promise<void> | null = null;
  let beating: Promise<void> | null = null;

  const wake = () => {
    wanted = true;
    if (stopped || polling !== null) return;
    polling = poll().finally(() => {
      polling = null;
      if (wanted) wake();
    });
  };
  const poll = async () => {
    while (wanted && !stopped) {
      if (slots.taken() > 0) await new Promise<void>((done) => void later(GATHER_MILLISECONDS, done));
      wanted = false;
      try {
        await releaseUnknown();
        await releaseHeldBack();
        await claimSome();
        log.succeeded("claim");
      } catch (fault) {
        log.failed("claim", "claim", fault);
      }
    }
  };
  /** A claim whose answer was lost may have been committed: without this its deliveries wait as long as the worker lives. */
  const releaseUnknown = async () => {
    if (uncertainUntil === null) return;
    const until = uncertainUntil;
    const claims = await outbox.held(heartbeat.id());
    await outbox.release(claims.filter(({ id }) => !inHand.has(id)));
    if (clock.now() >= until) uncertainUntil = null;
  };
  const releaseHeldBack = async () => {
    const now = clock.now();
    const over = new Set(heldBack.filter(({ until }) => until <= now));
    if (over.size === 0) return;
    await outbox.release([...over].map(({ claim }) => claim));
    heldBack = heldBack.filter((one) => !over.has(one));
    for (const { claim } of over) inHand.delete(claim.id);
  };
  const claimSome = async () => {
    const takesOver = heartbeat.mayTakeOver();
    const limit = slots.free();
    // Every attempt that ends polls again.
    if (limit < 1) return;
    const [worker, at] = [heartbeat.id(), clock.now()];
    const claimed = await claim({ at, worker, limit, perEndpoint: MOST_AT_ONCE, takesOver });
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
  const claim = async (wish: ClaimWish) => {
    try {
      return await outbox.claim(wish);
    } catch (fault) {
      if (fault instanceof LedgerUnavailable) uncertainUntil = wish.at + UNCERTAIN_MILLISECONDS;
      throw fault;
    }
  };
  const begin = (delivery: ClaimedDelivery, worker: string) => {
    const parts = { ...deps, isHeld: () => heartbeat.isHeld(worker), isStopped: () => stopped };
    inHand.add(delivery.id);
    slots.take(attemptDelivery(parts, delivery).then((end) => ended(delivery, end)));
  };
  const ended = ({ id, token, endpointId }: ClaimedDelivery, end: AttemptEnd) => {
    if (end === "recorded") {
      inHand.delete(id);
      log.succeeded(`attempt ${endpointId}`);
      return;
    }
    // One that was taken over is released too: perhaps the ledger was only unavailable.
    const until = clock.now() + (end === "taken over" ? 0 : HOLD_MILLISECONDS);
    heldBack = [...heldBack, { claim: { id, token }, until }];
    if (end !== "taken over") log.failed(`attempt ${endpointId}`, end.step, end.fault);
  };

  const stopTicking = every(POLL_MILLISECONDS, () => {
    const holdsSome = slots.taken() + heldBack.length > 0;
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
    while (polling !== null || beating !== null || slots.taken() > 0)
      await Promise.all([polling, beating, slots.ended()]);
  };
  wake();
  return {
    wake,
    stop,
    idle,
    async close() {
      stop();
      // Every step has its own deadline; this one bounds a step that misses it.
      const late = Promise.withResolvers<void>();
      const callOff = later(CLOSE_MILLISECONDS, late.resolve);
      await Promise.race([idle().then(heartbeat.retire), late.promise]);
      callOff();
      stopTicking();
    },
  };
}

/** An outbox that notifies the worker of this process of something new to send; other processes find it within a second. */
export function notifyWorker(outbox: Outbox, wake: () => void): Outbox {
  return {
    ...outbox,
    async publish(...publishing) {
      const stored = await outbox.publish(...publishing);
      if (stored.length > 0) wake();
      return stored;
    },
    async publishTest(event, endpointId, at) {
      const queued = await outbox.publishTest(event, endpointId, at);
      wake();
      return queued;
    },
    async replay(deliveryId, organizationId, at, by) {
      const queued = await outbox.replay(deliveryId, organizationId, at, by);
      wake();
      return queued;
    },
  };
}
