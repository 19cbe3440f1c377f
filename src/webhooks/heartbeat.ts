/** A worker's life in the ledger: its id, its heartbeat while it holds claims, and whether it may judge others. Part of deliver.ts. */

import type { Instant } from "#domain/time/day.ts";
import { BEAT_MILLISECONDS, DEAD_MILLISECONDS } from "#domain/webhook/rules.ts";
import type { Outbox } from "#ports/webhooks.ts";
import type { Clock } from "#ports.ts";

export interface HeartbeatDeps {
  readonly outbox: Pick<Outbox, "beat" | "retire">;
  readonly clock: Clock;
  /** A new id, never one that was used before. */
  readonly newWorker: () => string;
}

export interface Heartbeat {
  /** To claim with. It is another after the worker was declared dead. */
  id(): string;
  /** To be called at every look. False while others may be silent for a reason that was ours too. */
  mayTakeOver(): boolean;
  /** A claim that was asked for at this instant succeeded with something: the worker lived then. */
  claimed(askedAt: Instant): void;
  /** The ledger answered a look, with whatever. */
  answered(): void;
  /** Says that the worker lives, unless that was said a moment ago. Never rejects. */
  beat(): Promise<void>;
  /** Whether claims made under this id are still held; the ledger is asked where its word is old. Never rejects. */
  isHeld(worker: string): Promise<boolean>;
  /** Ends every claim that is still held. Never rejects: where the ledger is out of reach, the end of the heartbeat does it. */
  retire(): Promise<void>;
}

/**
 * Answers of the ledger are much closer together than this. A longer silence was a pause of the process, of its clock or of
 * the ledger, in which others may have missed so many heartbeats that they count as dead; a shorter one was not.
 */
const LONGEST_GAP_MILLISECONDS = 2_500;
/** In this time others, who come back when we do, have said that they live: the ledger's deadline and a heartbeat. */
const GRACE_MILLISECONDS = 3_000;

export function openHeartbeat({ outbox, clock, newWorker }: HeartbeatDeps): Heartbeat {
  let worker = newWorker();
  let hasClaimed = false;
  let provenAt = Number.NEGATIVE_INFINITY;
  let answeredAt: Instant | null = null;
  let silentUntil = Number.NEGATIVE_INFINITY;
  let asking: Promise<boolean> | null = null;

  /** Within so many milliseconds. A clock that was set back proves nothing. */
  const isProven = (milliseconds: number) => {
    const age = clock.now() - provenAt;
    return age >= 0 && age < milliseconds;
  };
  const answered = () => {
    answeredAt = clock.now();
  };
  /** One at a time: an answer that is late must not be overtaken. */
  const ask = (): Promise<boolean> => {
    asking ??= askOnce().finally(() => {
      asking = null;
    });
    return asking;
  };
  const askOnce = async (): Promise<boolean> => {
    const [asked, askedAt] = [worker, clock.now()];
    try {
      const lives = await outbox.beat(asked);
      noteGap();
      answered();
      if (lives) provenAt = askedAt;
      else if (asked === worker) begin();
      return lives;
    } catch {
      // The ledger itself tells that it is out of reach.
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
    mayTakeOver: () => {
      noteGap();
      return clock.now() - silentUntil >= GRACE_MILLISECONDS;
    },
    claimed: (askedAt) => {
      hasClaimed = true;
      provenAt = askedAt;
    },
    answered,
    beat: async () => {
      // What is still held may be of a life that is over.
      if (hasClaimed && !isProven(BEAT_MILLISECONDS - 100)) await ask();
    },
    isHeld: async (claimedBy) => {
      if (claimedBy !== worker) return false;
      if (isProven(DEAD_MILLISECONDS / 2)) return true;
      return (await ask()) && claimedBy === worker;
    },
    retire: async () => {
      if (!hasClaimed) return;
      try {
        await outbox.retire(worker);
      } catch {
        // Its heartbeat ends with the process: others find out from that.
      }
    },
  };
}
