/**
 * The worker that sends events: polls for due deliveries twice a second and whenever it is notified, claims them, makes the
 * attempts, and records how each ended.
 */

import type { Random } from "#domain/account/key.ts";
import { LedgerUnavailable } from "#domain/account/ledger.ts";
import type { Instant } from "#domain/time/day.ts";
import {
  ATTEMPT_MILLISECONDS,
  type AttemptOutcome,
  MOST_AT_ONCE,
  nextAttempt,
  outcomeIsSuccess,
  SIGNATURE_HEADER,
  secretSealedFor,
  signatureHeader,
  TOLERANCE_SECONDS,
} from "#domain/webhook/endpoint.ts";
import type { Vault } from "#ports/identity.ts";
import type { ClaimedDelivery, ClaimWish, Outbox, WebhookPost } from "#ports/webhooks.ts";
import type { Clock } from "#ports.ts";
import type { Count, Emit } from "#telemetry.ts";
import { type HeartbeatDeps, openHeartbeat } from "./heartbeat.ts";

/** Deliveries of one claim: its transaction stays short. */
const MOST_CLAIMED = 32;
/** Each attempt is a socket and a timer. */
const MOST_IN_FLIGHT = 512;

/** Endpoints with a remembered last fault. */
const MOST_REMEMBERED = 1_000;

/** Logs a fault when it appears, not each second while it lasts. The ledger logs its own unavailability. */
function logOnce(emit: Emit) {
  const last = new Map<string, string>();
  return {
    succeeded: (what: string): void => void last.delete(what),
    failed: (what: string, step: string, fault: unknown): void => {
      if (fault instanceof LedgerUnavailable) return;
      const error = `${what}, ${step}: ${fault instanceof Error ? fault.message : String(fault)}`;
      if (last.get(what) === error) return;
      if (last.size >= MOST_REMEMBERED) last.clear();
      last.set(what, error);
      emit({ kind: "job_failed", job: "webhook-deliveries", error });
    },
  };
}

export interface AttemptDeps {
  readonly outbox: Pick<Outbox, "complete">;
  readonly vault: Pick<Vault, "open">;
  readonly post: WebhookPost;
  readonly random: Random;
  readonly clock: Clock;
  readonly later: (milliseconds: number, run: () => void) => () => void;
  /** False when the claim may be another worker's. */
  readonly isHeld: () => Promise<boolean>;
  /** True once the process is to end: nothing is retried then. */
  readonly isStopped: () => boolean;
  readonly count?: Count;
}

/** "taken over": not begun, because the claim is no longer held. A step that failed has to be made again. */
export type AttemptEnd =
  | "recorded"
  | "taken over"
  | { readonly step: "secret" | "post" | "note"; readonly fault: unknown };

const RECORD_RETRY_MILLISECONDS = 1_000;

/** Never rejects. Posts before it records: a process that dies in between sends the event again, with the same id. */
async function attemptDelivery(deps: AttemptDeps, delivery: ClaimedDelivery): Promise<AttemptEnd> {
  const { endpoint, event } = delivery;
  let secret: string;
  try {
    const sealedFor = secretSealedFor(endpoint.organizationId, endpoint.id);
    secret = await deps.vault.open(JSON.parse(endpoint.secret), sealedFor);
  } catch (fault) {
    return { step: "secret", fault };
  }
  if (!(await deps.isHeld())) return "taken over";
  let outcome: AttemptOutcome;
  try {
    const signature = signatureHeader(secret, Math.floor(deps.clock.now() / 1000), event.body);
    outcome = await deps.post(endpoint.url, { [SIGNATURE_HEADER]: signature }, event.body);
  } catch (fault) {
    return { step: "post", fault };
  }
  return await record(deps, delivery, outcome, deps.clock.now());
}

/** Retries as long as it takes: while the ledger is unavailable to all, no other worker can take the claim over. */
async function record(
  deps: AttemptDeps,
  delivery: ClaimedDelivery,
  outcome: AttemptOutcome,
  endedAt: Instant,
): Promise<AttemptEnd> {
  const next = nextOf(deps, delivery.attempts + 1, outcome, endedAt);
  for (;;) {
    try {
      const isNoted = await deps.outbox.complete(delivery, outcome, next, endedAt);
      deps.count?.("attempts", { outcome: labelOf(outcome) });
      const state = next.state === "pending" ? "retried" : next.state;
      // Lost: the claim is another's, or the endpoint is gone.
      deps.count?.("deliveries", { outcome: isNoted ? state : "lost" });
      return "recorded";
    } catch (fault) {
      if (deps.isStopped() || !(fault instanceof LedgerUnavailable)) return { step: "note", fault };
      await new Promise<void>((done) => void deps.later(RECORD_RETRY_MILLISECONDS, done));
    }
  }
}

function labelOf({ status, fault }: AttemptOutcome): string {
  if (status === null) return fault ?? "other";
  return status >= 100 && status < 600 ? `${Math.floor(status / 100)}xx` : "other";
}

function nextOf({ random }: AttemptDeps, attempts: number, outcome: AttemptOutcome, endedAt: Instant) {
  if (outcomeIsSuccess(outcome)) return { state: "delivered", dueAt: null } as const;
  const dueAt = nextAttempt(attempts, endedAt, random);
  return dueAt === null ? ({ state: "failed", dueAt } as const) : ({ state: "pending", dueAt } as const);
}

export interface DeliverDeps extends Omit<AttemptDeps, "isHeld" | "isStopped">, HeartbeatDeps {
  readonly outbox: Pick<Outbox, "claim" | "held" | "beat" | "release" | "retire" | "complete">;
  readonly emit: Emit;
  readonly every: (milliseconds: number, run: () => void) => () => void;
  /** Milliseconds by which this machine's clock is ahead, as far as that is known. */
  readonly clockAhead?: () => number;
}

/** Receivers refuse signatures of a clock that is wrong by more than their tolerance. This is a minute less. */
const MOST_AHEAD_MILLISECONDS = (TOLERANCE_SECONDS - 60) * 1000;
/** Within this time a worker finds what others have queued, what is due, and what a dead worker held. */
const POLL_MILLISECONDS = 500;
/** Attempts end one by one: a poll waits this long, and one claim fills several slots. */
const GATHER_MILLISECONDS = 2;
/** A claim that could not be attempted is held this long before it is released. */
const HOLD_MILLISECONDS = 30_000;
const UNCERTAIN_MILLISECONDS = 10_000;
/** How long after a start, and after a clock that was set back, due times are looked at for waits that clock has made. */
const SET_BACK_MILLISECONDS = 60_000;
/** The deadlines of an attempt and of its record. */
const CLOSE_MILLISECONDS = ATTEMPT_MILLISECONDS + 3_000;

export type Deliveries = ReturnType<typeof startDeliveries>;

/**
 * Workers may share one ledger: one of them claims a delivery. It is sent at least once: when a worker dies before it records,
 * another sends the event again 4 to 5 s later, with the same id. While ledger or vault are unavailable, what is due stays due.
 */
export function startDeliveries(deps: DeliverDeps) {
  const { outbox, clock, emit, every, later } = deps;
  const heartbeat = openHeartbeat(deps);
  const log = logOnce(emit);
  const inFlight = new Set<Promise<void>>();
  /** Ids of deliveries with a running attempt (null), or with a claim that is held back until an instant. */
  const inHand = new Map<string, Instant | null>();
  /** Until then the ledger may hold claims of this worker that are not in hand. */
  let looseUntil = Number.NEGATIVE_INFINITY;
  let lastAt = Number.POSITIVE_INFINITY;
  let setBackUntil = Number.NEGATIVE_INFINITY;
  let stopped = false;
  let isAsked = false;
  let polling: Promise<void> | null = null;
  let beating: Promise<void> | null = null;

  const wake = () => {
    isAsked = true;
    if (stopped || polling !== null) return;
    polling = poll().finally(() => {
      polling = null;
      if (isAsked) wake();
    });
  };
  const poll = async () => {
    while (isAsked && !stopped) {
      if (inFlight.size > 0) await new Promise<void>((done) => void later(GATHER_MILLISECONDS, done));
      isAsked = false;
      try {
        await releaseLoose();
        await claimSome();
        log.succeeded("claim");
      } catch (fault) {
        log.failed("claim", "claim", fault);
      }
    }
  };
  /**
   * Releases claims that are not in hand: those held back long enough, and those committed although their answer was lost. They would wait
   * as long as the worker lives.
   */
  const releaseLoose = async () => {
    const now = clock.now();
    for (const [id, until] of inHand) {
      // An instant further ahead than the longest hold was set before the clock was set back.
      if (until === null || (until > now && until <= now + HOLD_MILLISECONDS)) continue;
      inHand.delete(id);
      looseUntil = Math.max(looseUntil, now);
    }
    if (looseUntil === Number.NEGATIVE_INFINITY) return;
    const claims = await outbox.held(heartbeat.id());
    await outbox.release(claims.filter(({ id }) => !inHand.has(id)));
    if (now >= looseUntil) looseUntil = Number.NEGATIVE_INFINITY;
  };
  const claimSome = async () => {
    const at = clock.now();
    if (at < lastAt) setBackUntil = at + SET_BACK_MILLISECONDS;
    lastAt = at;
    // Receivers would refuse each signature, and this worker would make all attempts: its clock finds them due before others do.
    if (Math.abs(deps.clockAhead?.() ?? 0) > MOST_AHEAD_MILLISECONDS) return;
    const takesOver = heartbeat.mayTakeOver();
    const limit = Math.min(MOST_IN_FLIGHT - inFlight.size, MOST_CLAIMED);
    // Every attempt that ends polls again.
    if (limit < 1) return;
    const worker = heartbeat.id();
    const isSetBack = at < setBackUntil;
    const claimed = await claim({ at, worker, limit, perEndpoint: MOST_AT_ONCE, takesOver, isSetBack });
    heartbeat.answered();
    if (claimed.length === 0) return;
    const isOurs = worker === heartbeat.id();
    if (isOurs) heartbeat.claimed(at);
    if (stopped || !isOurs) {
      await outbox.release(claimed);
      return;
    }
    for (const delivery of claimed) begin(delivery, worker);
    if (claimed.length === limit) isAsked = true;
  };
  const claim = async (wish: ClaimWish) => {
    try {
      return await outbox.claim(wish);
    } catch (fault) {
      if (fault instanceof LedgerUnavailable) looseUntil = wish.at + UNCERTAIN_MILLISECONDS;
      throw fault;
    }
  };
  const begin = (delivery: ClaimedDelivery, worker: string) => {
    const parts = { ...deps, isHeld: () => heartbeat.isHeld(worker), isStopped: () => stopped };
    inHand.set(delivery.id, null);
    const attempt = attemptDelivery(parts, delivery).then((end) => {
      ended(delivery, end);
      inFlight.delete(attempt);
      wake();
    });
    inFlight.add(attempt);
  };
  const ended = ({ id, endpointId }: ClaimedDelivery, end: AttemptEnd) => {
    if (end === "recorded") {
      inHand.delete(id);
      log.succeeded(`attempt ${endpointId}`);
      return;
    }
    // A claim that seems taken over is released too: perhaps the ledger was only unavailable.
    inHand.set(id, clock.now() + (end === "taken over" ? 0 : HOLD_MILLISECONDS));
    if (end !== "taken over") log.failed(`attempt ${endpointId}`, end.step, end.fault);
  };

  const stopTicking = every(POLL_MILLISECONDS, () => {
    const holdsSome = inHand.size > 0;
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
    while (polling !== null || beating !== null || inFlight.size > 0)
      await Promise.all([polling, beating, ...inFlight]);
  };
  wake();
  return {
    wake,
    /** Claims nothing more. Attempts continue. */
    stop,
    /** Resolves when no poll and no attempt is running. Never rejects. */
    idle,
    /** Stops, and resolves when no attempt is running, or after a deadline. Never rejects. */
    close: async (): Promise<void> => {
      stop();
      // Bounds a step that misses its own deadline.
      const late = Promise.withResolvers<void>();
      const callOff = later(CLOSE_MILLISECONDS, late.resolve);
      await Promise.race([idle().then(heartbeat.retire), late.promise]);
      callOff();
      stopTicking();
    },
  };
}

/** Notifies the worker of this process of something new; others find it within a second. */
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
