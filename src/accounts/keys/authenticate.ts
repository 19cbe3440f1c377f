/** Finds the owner of an API key. Results are cached for seconds only: a revocation soon takes effect on every replica. */

import { suspendedFailure } from "#accounts/identity/sessions.ts";
import { isApiKey, type KeyHolder, keyState } from "#domain/account/key.ts";
import { LedgerUnavailable } from "#domain/account/ledger.ts";
import type { CacheBudget } from "#domain/cache/budget.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { Instant } from "#domain/time/day.ts";
import type { Vault } from "#ports/identity.ts";
import type { Keys } from "#ports/ledger.ts";
import type { Clock } from "#ports.ts";
import type { Count } from "#telemetry.ts";

export interface KeyDirectoryDeps {
  readonly keys: Pick<Keys, "find">;
  readonly vault: Pick<Vault, "lookup">;
  readonly clock: Clock;
  readonly caches: CacheBudget;
  readonly count?: Count;
}

/** A revoked key is refused by every process within this time. */
const FRESH_MILLISECONDS = 5_000;
/** While the ledger is unavailable, keys that it has confirmed work for this long. */
const BELIEVED_MILLISECONDS = 60_000;
/** Share of the cache budget. Unknown keys are cached, too: a repeated guess does not query the ledger. */
const SHARE = 0.25;
/** Bytes of a cached key with its entry, and of a holder. */
const KEY_BYTES = 150;
const HOLDER_BYTES = 1_500;

interface Remembered {
  readonly holder: KeyHolder | null;
  readonly lookedAt: Instant;
}

export type KeyDirectory = ReturnType<typeof openKeyDirectory>;

export function openKeyDirectory({ keys, vault, clock, caches, count }: KeyDirectoryDeps) {
  const remembered = caches.cache<string, Remembered>("api_keys", { share: SHARE });
  const looking = new Map<string, Promise<KeyHolder | null>>();
  let isAway = false;
  /** Results of queries that began before the last `forget` must not be cached. */
  let forgettings = 0;

  const believed = (key: string): KeyHolder | null => {
    const last = remembered.get(key);
    return last !== undefined && ageOf(last, clock.now()) < BELIEVED_MILLISECONDS ? last.holder : null;
  };
  const remember = (key: string, holder: KeyHolder | null, lookedAt: Instant) => {
    remembered.set(key, { holder, lookedAt }, KEY_BYTES + (holder === null ? 0 : HOLDER_BYTES));
  };
  const look = async (key: string): Promise<KeyHolder | null> => {
    // The age counts from the start of the query: a slow answer may be that old.
    const [lookedAt, before] = [clock.now(), forgettings];
    try {
      const holder = await keys.find(vault.lookup(key));
      isAway = false;
      if (before === forgettings) remember(key, holder, lookedAt);
      return holder;
    } catch (fault) {
      if (!(fault instanceof LedgerUnavailable)) throw fault;
      isAway = true;
      const last = believed(key);
      if (last !== null) return last;
      throw fault;
    }
  };
  /** Calls with the same key share one query. */
  const lookOnce = (key: string): Promise<KeyHolder | null> => {
    const inFlight = looking.get(key);
    if (inFlight !== undefined) return inFlight;
    const begun = look(key).finally(() => {
      if (looking.get(key) === begun) looking.delete(key);
    });
    looking.set(key, begun);
    return begun;
  };

  /** "looked_up": the call waited for the ledger. */
  const checked = (holder: KeyHolder | null, now: Instant, outcome: "remembered" | "looked_up") => {
    const failure = failureOf(holder, now);
    count?.("keyChecks", { outcome: failure === null ? outcome : "refused" });
    if (failure !== null) throw failure;
    return holder as KeyHolder;
  };
  /** Calls that share a lookup each throw their own failure: admission writes the caller's quota status into it. */
  const failed = (fault: unknown): never => {
    count?.("keyChecks", { outcome: "unavailable" });
    if (!(fault instanceof LedgerUnavailable)) throw fault;
    const reason = "the API key cannot be checked at the moment; try again";
    throw new Failure("auth_unavailable", { reason }, fault);
  };

  return {
    /**
     * The holder of a key that works, from the cache or the ledger. Failure `invalid_api_key` (malformed, unknown, revoked or past its
     * grace), `forbidden` (suspended), `auth_unavailable` (the ledger is unavailable for longer than the cache may be used).
     */
    find: (key: string): KeyHolder | Promise<KeyHolder> => {
      const last = remembered.get(key);
      const now = clock.now();
      if (last !== undefined && ageOf(last, now) < FRESH_MILLISECONDS)
        return checked(last.holder, now, "remembered");
      // Check digits refuse a mistyped key without a query.
      if (!isApiKey(key)) return checked(null, now, "remembered");
      const looked = lookOnce(key);
      const vouchedFor = isAway ? believed(key) : null;
      if (vouchedFor === null)
        return looked.then((holder) => checked(holder, clock.now(), "looked_up"), failed);
      // The caller does not wait for a ledger that may time out again.
      looked.catch(() => {});
      return checked(vouchedFor, now, "remembered");
    },
    /** Drops the cached keys of an organization: the next call looks them up. */
    forget: (organizationId: string): void => {
      forgettings += 1;
      looking.clear();
      remembered.deleteWhere(({ holder }) => holder?.organization.id === organizationId);
    },
  };
}

/** A look-up dated in the future, by a clock that was ahead, counts as old. */
function ageOf({ lookedAt }: Remembered, now: Instant): number {
  return Math.abs(now - lookedAt);
}

function failureOf(holder: KeyHolder | null, now: Instant): Failure | null {
  if (holder === null || keyState(holder.key, now) === "revoked") return new Failure("invalid_api_key");
  const isSuspended = holder.organization.status === "suspended" || holder.ownerSuspendedAt !== null;
  return isSuspended ? suspendedFailure() : null;
}
