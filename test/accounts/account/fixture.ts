/** The use cases of an account over a real ledger and a real vault; the events that they emit are recorded. */

import type { AccountDeps } from "#accounts/keys/keys.ts";
import type { Identity } from "#domain/account/identity.ts";
import { LedgerUnavailable } from "#domain/account/ledger.ts";
import { monthOf } from "#domain/account/organization.ts";
import { DEFAULT_PLANS } from "#domain/billing/plan.ts";
import type { Instant } from "#domain/time/day.ts";
import { noBilling } from "#gateways/billing/stripe.ts";
import { openVault } from "#gateways/vault/vault.ts";
import type { Ledger } from "#ports/ledger.ts";
import { memoryAttempts } from "#store/memory/attempts/attempts.ts";
import { countingKey, keyringOf } from "#test/gateways/vault/keyrings.ts";

export const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));

export const MASTER = `first:${countingKey(1)}`;

export interface AccountFixture extends AccountDeps {
  readonly clock: { now(): Instant; at: Instant };
  /** Ids of the organizations whose keys were forgotten, in order. */
  readonly forgotten: string[];
  readonly emitted: string[];
}

export async function accountFixture(
  ledger: Ledger,
  now: Instant,
  changes: Partial<AccountDeps> = {},
): Promise<AccountFixture> {
  const forgotten: string[] = [];
  const emitted: string[] = [];
  const clock = { at: now, now: () => clock.at };
  return {
    ledger,
    vault: await openVault(keyringOf(MASTER), random),
    billing: noBilling(),
    forgetKeys: (id) => forgotten.push(id),
    attempts: memoryAttempts(),
    monthUsed: (ownerId, month) => ledger.usage.monthCalls(monthOf(month), ownerId),
    usageDays: ledger.usage.days,
    plans: DEFAULT_PLANS,
    random,
    emit: (event) => emitted.push(JSON.stringify(event)),
    ...changes,
    clock,
    forgotten,
    emitted,
  };
}

export function byPerson({ clock }: Pick<AccountDeps, "clock">, { id }: Pick<Identity, "id">) {
  return { at: clock.now(), actor: `identity:${id}` } as const;
}

export const NO_FACTS = { attribution: null, marketingConsent: false } as const;

/** A part of a ledger of which every method rejects as it does while the database is out of reach. */
export function unreachable<T extends object>(part: T): T {
  return new Proxy(part, {
    get: () => async () => {
      throw new LedgerUnavailable("ECONNREFUSED");
    },
  });
}
