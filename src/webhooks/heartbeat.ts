/** A worker in the ledger: its id, its heartbeat while it holds claims, and whether it may take over from others. Part of deliver.ts. */

import type { Instant } from "#domain/time/day.ts";
import { BEAT_MILLISECONDS, DEAD_MILLISECONDS } from "#domain/webhook/endpoint.ts";
import type { Outbox } from "#ports/webhooks.ts";
import type { Clock } from "#ports.ts";

export interface HeartbeatDeps {
  readonly outbox: Pick<Outbox, "beat" | "retire">;
  readonly clock: Clock;
  readonly newWorker: () => string;
}

/** A longer gap between the ledger's answers was a pause of process, clock or ledger. Other workers may have missed heartbeats in it, too. */
const LONGEST_GAP_MILLISECONDS = 2_500;
/** In this time other workers have resumed and written a heartbeat: the ledger's deadline and one interval. */
const GRACE_MILLISECONDS = 3_000;

export function openHeartbeat({ outbox, clock, newWorker }: HeartbeatDeps) {
  let worker = newWorker();
  let hasClaimed = false;
  let provenAt = Number.NEGATIVE_INFINITY;
  let answeredAt: Instant | null = null;
  let silentUntil = Number.NEGATIVE_INFINITY;
  let beating: Promise<boolean> | null = null;

  /** A clock that was set back proves nothing. */
  const isProven = (milliseconds: number) => {
    const age = clock.now() - provenAt;
    return age >= 0 && age < milliseconds;
  };
  const answered = (): void => {
    answeredAt = clock.now();
  };
  /** One at a time: answers keep their order. */
  const beat = (): Promise<boolean> => {
    beating ??= beatOnce().finally(() => {
      beating = null;
    });
    return beating;
  };
  const beatOnce = async (): Promise<boolean> => {
    const [id, sentAt] = [worker, clock.now()];
    try {
      const lives = await outbox.beat(id);
      noteGap();
      answered();
      if (lives) provenAt = sentAt;
      else if (id === worker) begin();
      return lives;
    } catch {
      // The ledger logs its own unavailability.
      return false;
    }
  };
  const noteGap = () => {
    const now = clock.now();
    answeredAt ??= now;
    const gap = now - answeredAt;
    if (gap < 0 || gap > LONGEST_GAP_MILLISECONDS) silentUntil = now;
  };
  const begin = () => {
    worker = newWorker();
    hasClaimed = false;
    provenAt = Number.NEGATIVE_INFINITY;
  };

  return {
    id: () => worker,
    /** Call it at every poll. False while other workers may be silent for a reason that affected this one too. */
    mayTakeOver: (): boolean => {
      noteGap();
      return clock.now() - silentUntil >= GRACE_MILLISECONDS;
    },
    /** A claim succeeded: the worker was alive then. */
    claimed: (requestedAt: Instant): void => {
      hasClaimed = true;
      provenAt = requestedAt;
    },
    answered,
    /** Writes a heartbeat, unless one was written just now. Never rejects. */
    beat: async (): Promise<void> => {
      // Without claims of this id, those in hand belong to an id that counts as dead: a heartbeat cannot save them.
      if (hasClaimed && !isProven(BEAT_MILLISECONDS - 100)) await beat();
    },
    /** Whether claims of this id are still held; asks the ledger where its last answer is old. Never rejects. */
    isHeld: async (claimedBy: string): Promise<boolean> => {
      if (claimedBy !== worker) return false;
      if (isProven(DEAD_MILLISECONDS / 2)) return true;
      return (await beat()) && claimedBy === worker;
    },
    /** Ends every claim. Never rejects: without the ledger the missing heartbeat ends them. */
    retire: async (): Promise<void> => {
      if (!hasClaimed) return;
      try {
        await outbox.retire(worker);
      } catch {}
    },
  };
}
