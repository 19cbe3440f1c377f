/** Operators' changes to accounts, for the commands and the operators' pages. */

import { issueResetLink } from "#accounts/identity/links.ts";
import { rewrapKeys } from "#accounts/keys/keys.ts";
import type { Identity } from "#domain/account/identity.ts";
import { type ApiKey, type Random, shownPrefix } from "#domain/account/key.ts";
import type { By } from "#domain/account/ledger.ts";
import { givenTier, type Organization, type Tier, withoutBilling } from "#domain/account/organization.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { Vault } from "#ports/identity.ts";
import type { ForgetKeys, Ledger } from "#ports/ledger.ts";
import type { Clock } from "#ports.ts";

export interface OperatorDeps {
  readonly ledger: Ledger;
  readonly vault: Pick<Vault, "needsRewrap" | "rewrap">;
  readonly random: Random;
  readonly publicUrl: string;
  readonly clock: Clock;
  /** Drops cached keys at once. Absent in a command, which caches none: servers notice changes within seconds. */
  readonly forgetKeys?: ForgetKeys;
}

/**
 * Operators' tools on an open ledger; `close` closes it. Every change is in the audit log with the actor "operator". A change resolves
 * with the changed object, or null if there is no such person, organization or working key.
 */
export function operatorTools(deps: OperatorDeps) {
  const { ledger, clock, forgetKeys = () => {} } = deps;
  const by = (): By => ({ at: clock.now(), actor: "operator" });
  return {
    ledger,
    clock,
    by,
    /** Ids of the people behind an e-mail address, an id, or the beginning of a key. */
    ownersOf: async (who: string): Promise<readonly string[]> => {
      const owner = (organization: Organization | null) =>
        organization === null ? [] : [organization.ownerId];
      if (who.includes("@")) {
        const identity = await ledger.identities.byEmail(who);
        return identity === null ? [] : [identity.id];
      }
      // A whole key may be sent: only its public prefix is searched.
      if (who.startsWith("fxk_")) {
        const holders = await ledger.keys.byPrefix(shownPrefix(who));
        return [...new Set(holders.map(({ organization }) => organization.ownerId))];
      }
      if (who.startsWith("org_")) return owner(await ledger.organizations.byId(who));
      const identity = await ledger.identities.byId(who);
      return identity === null ? [] : [identity.id];
    },
    suspendPerson: async (id: string, isSuspended: boolean): Promise<Identity | null> => {
      const change = by();
      const patch = { suspendedAt: isSuspended ? change.at : null };
      const changed = await ledger.identities.change(id, patch, change, isSuspended ? "all" : "none");
      if (changed === null || changed === "email_taken") return null;
      const organization = await ledger.organizations.byOwner(id);
      if (organization !== null) forgetKeys(organization.id);
      return changed;
    },
    /** The status before a suspension is not stored: it follows from the payments. */
    suspendOrganization: async (id: string, isSuspended: boolean): Promise<Organization | null> => {
      const organization = await ledger.organizations.byId(id);
      if (organization === null) return null;
      const resumed = organization.pastDueSince === null ? "active" : "past_due";
      const status = isSuspended ? "suspended" : resumed;
      const changed = await ledger.organizations.change(id, { status }, by());
      if (changed !== null) forgetKeys(id);
      return changed;
    },
    giveTier: async (id: string, tier: Tier): Promise<Organization | null> => {
      const organization = await ledger.organizations.byId(id);
      if (organization === null) return null;
      const changed = await ledger.organizations.change(id, givenTier(organization, tier), by());
      if (changed !== null) forgetKeys(id);
      return changed;
    },
    /** Null also where a notice of the provider changed the organization at the same moment. */
    forgetBilling: async (organization: Organization): Promise<Organization | null> => {
      const patch = withoutBilling(organization, clock.now());
      const changed = await ledger.organizations.change(organization.id, patch, by(), organization);
      if (changed !== null) forgetKeys(organization.id);
      return changed;
    },
    /**
     * Deletes the organization of a person, also a suspended one, and all that names the person. Resolves with the customer at the payment
     * provider, if there is one. Null without such a person. Failure `conflict` while a subscription runs.
     */
    erasePerson: async (id: string): Promise<{ readonly customer: string | null } | null> => {
      const organization = await ledger.organizations.byOwner(id);
      const { billingSubscriptionId, billingCustomerId: customer = null } = organization ?? {};
      if (typeof billingSubscriptionId === "string")
        throw new Failure("conflict", {
          reason: `cancel ${billingSubscriptionId} at the payment provider first, and wait until it is reported here: it would go on costing`,
        });
      if (organization !== null) {
        await ledger.organizations.remove(organization.id, by());
        forgetKeys(organization.id);
      }
      return (await ledger.identities.erase(id, by())) ? { customer } : null;
    },
    revokeKey: async (id: string): Promise<ApiKey | null> => {
      const revoked = await ledger.keys.revoke(id, by());
      if (revoked !== null) forgetKeys(revoked.organizationId);
      return revoked;
    },
    /** Failure `conflict` where the person has no password here. */
    resetLink: (identity: Identity): Promise<string> => issueResetLink(deps, identity, by()),
    rewrapKeys: () => rewrapKeys(deps, by),
    close: ledger.close,
  };
}
