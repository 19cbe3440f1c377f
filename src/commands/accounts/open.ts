/** What the commands about accounts and keys work on: the configured ledger, opened without a server. */

import type { CommandContext } from "#commands/command.ts";
import type { By } from "#domain/account/audit.ts";
import type { Identity } from "#domain/account/identity.ts";
import type { KeyNews } from "#ports/key-news.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { Clock } from "#ports.ts";

export interface OpenedAccounts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** Replicas forget an ended key at once where they hear of it, else within seconds. */
  readonly keyNews: KeyNews;
  /** A link that sets a new password once. Failure `conflict` where the person has no password here. */
  resetLink(identity: Identity, by: By): Promise<string>;
  /** Brings every envelope, of keys and of webhook secrets, under the first master key. */
  rewrapKeys(by: () => By): Promise<{
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

/** For the audit log: the operator at this machine. */
export function byOperator({ clock }: Pick<OpenedAccounts, "clock">): By {
  return { at: clock.now(), actor: "operator" };
}
