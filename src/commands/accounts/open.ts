/** What the commands about accounts and keys work on: the configured ledger, opened without a server. */

import type { CommandContext } from "#commands/command.ts";
import type { By } from "#domain/account/audit.ts";
import type { Identity } from "#domain/account/identity.ts";
import type { ApiKey } from "#domain/account/key.ts";
import type { Organization, Tier } from "#domain/account/organization.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { Clock } from "#ports.ts";

export interface OpenedAccounts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** For the audit log: the operator at this machine. */
  by(): By;
  /** Ids of the people whom an e-mail address, an id, or the beginning of a key leads to. */
  ownersOf(who: string): Promise<readonly string[]>;
  /** A change resolves with what was changed; null where there is no such thing. Replicas follow at once, or within seconds. */
  suspendPerson(id: string, isSuspended: boolean): Promise<Identity | null>;
  suspendOrganization(id: string, isSuspended: boolean): Promise<Organization | null>;
  giveTier(id: string, tier: Tier): Promise<Organization | null>;
  revokeKey(id: string): Promise<ApiKey | null>;
  /** A link that sets a new password once. Failure `conflict` where the person has no password here. */
  resetLink(identity: Identity): Promise<string>;
  /** Brings every envelope, of keys and of webhook secrets, under the first master key. */
  rewrapKeys(): Promise<{
    readonly looked: number;
    readonly rewrapped: number;
    readonly unreadable: readonly string[];
  }>;
  close(): Promise<void>;
}

/** Rejects with ConfigFault, or when the ledger cannot be used. */
export type OpenAccounts = (context: CommandContext) => Promise<OpenedAccounts>;

/** Opens, works, and closes even if the work fails. */
export async function withAccounts(
  open: OpenAccounts,
  context: CommandContext,
  work: (accounts: OpenedAccounts) => Promise<number>,
): Promise<number> {
  const accounts = await open(context);
  try {
    return await work(accounts);
  } finally {
    await accounts.close();
  }
}
