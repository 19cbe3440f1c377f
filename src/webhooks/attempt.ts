/** One attempt: open the secret → sign the stored bytes anew → post → record how it ended and what comes next. Part of deliver.ts. */

import type { Random } from "#domain/account/key.ts";
import { LedgerUnavailable } from "#domain/account/ledger.ts";
import type { Instant } from "#domain/time/day.ts";
import {
  type AttemptOutcome,
  nextAttempt,
  outcomeIsSuccess,
  SIGNATURE_HEADER,
} from "#domain/webhook/endpoint.ts";
import { secretSealedFor, signatureHeader } from "#domain/webhook/signature.ts";
import type { Vault } from "#ports/vault.ts";
import type { ClaimedDelivery, Outbox, WebhookPost } from "#ports/webhooks.ts";
import type { Clock } from "#ports.ts";

export interface AttemptDeps {
  readonly outbox: Pick<Outbox, "complete">;
  readonly vault: Pick<Vault, "open">;
  readonly post: WebhookPost;
  /** Spreads retries. */
  readonly random: Random;
  readonly clock: Clock;
  /** Waits, then calls; the returned function cancels it. */
  readonly later: (milliseconds: number, run: () => void) => () => void;
  /** False when the claim may be another worker's by now. */
  readonly isHeld: () => Promise<boolean>;
  /** True once the process is to end: then nothing is retried here. */
  readonly isStopped: () => boolean;
}

/**
 * Where an attempt ended: recorded; not begun, because the claim is no longer held; or the step that failed. In that case it
 * has to be made again.
 */
export type AttemptEnd =
  | "recorded"
  | "taken over"
  | { readonly step: "secret" | "post" | "note"; readonly fault: unknown };

const RECORD_RETRY_MILLISECONDS = 1_000;

/** Never rejects. Posts before it records: a process that dies in between sends the event again, with the same id. */
export async function attemptDelivery(deps: AttemptDeps, delivery: ClaimedDelivery): Promise<AttemptEnd> {
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
      // False says that the claim is another's by now, or the endpoint gone: then there is nothing to record.
      await deps.outbox.complete(delivery, outcome, next, endedAt);
      return "recorded";
    } catch (fault) {
      if (deps.isStopped() || !(fault instanceof LedgerUnavailable)) return { step: "note", fault };
      await new Promise<void>((done) => void deps.later(RECORD_RETRY_MILLISECONDS, done));
    }
  }
}

function nextOf({ random }: AttemptDeps, attempts: number, outcome: AttemptOutcome, endedAt: Instant) {
  if (outcomeIsSuccess(outcome)) return { state: "delivered", dueAt: null } as const;
  const dueAt = nextAttempt(attempts, endedAt, random);
  return dueAt === null ? ({ state: "failed", dueAt } as const) : ({ state: "pending", dueAt } as const);
}
