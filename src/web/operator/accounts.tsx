/** The operator's page of all people with their organizations. */
/* @jsxImportSource preact */

import type { Identity } from "#domain/account/identity.ts";
import { type Organization, tierInForce } from "#domain/account/organization.ts";
import type { Instant } from "#domain/time/day.ts";
import { Table } from "#web/shared/table.tsx";
import { When } from "#web/shared/when.tsx";
import { roomPage } from "./frame.tsx";

/** A person, and the organization of theirs where there is one. */
export interface Account {
  readonly identity: Identity;
  readonly organization: Organization | null;
}

export interface AccountsProps {
  /** The search text; null for all people. */
  readonly who: string | null;
  readonly accounts: readonly Account[];
  /** Leads to the next page; null on the last one. */
  readonly next: string | null;
  readonly now: Instant;
  readonly notice: string | null;
}

export function accountsPage({ who, accounts, next, now, notice }: AccountsProps): string {
  return roomPage({
    title: "Accounts",
    section: "accounts",
    notice,
    children: (
      <>
        <h1>Accounts</h1>
        <form method="get" action="/operator" class="row room-search">
          <label for="who">E-mail address, id, or beginning of a key</label>
          <input id="who" name="who" type="search" value={who ?? ""} maxLength={320} />
          <button type="submit" class="button">
            Find
          </button>
          {who !== null && <a href="/operator">All accounts</a>}
        </form>
        {accounts.length === 0 ? (
          <p>{who === null ? "No accounts yet." : "No account found."}</p>
        ) : (
          <Table label="Accounts" class="stacks" columns={["Person", "Plan", "Status", "Since"]}>
            {accounts.map(({ identity, organization }) => (
              <tr key={identity.id}>
                <th scope="row">
                  <a href={`/operator/people/${identity.id}`}>{identity.email ?? identity.id}</a>
                </th>
                <td data-label="Plan">{organization === null ? "–" : planText(organization, now)}</td>
                <td data-label="Status">{statusText(identity, organization)}</td>
                <td data-label="Since">
                  <When at={identity.createdAt} />
                </td>
              </tr>
            ))}
          </Table>
        )}
        {next !== null && <a href={`/operator?after=${encodeURIComponent(next)}`}>Next page</a>}
      </>
    ),
  });
}

/** The plan, and the plan whose limits apply while a payment is missing. */
export function planText(organization: Organization, now: Instant): string {
  const inForce = tierInForce(organization, now);
  return inForce === organization.tier ? inForce : `${organization.tier}, limited to ${inForce}`;
}

function statusText({ suspendedAt }: Identity, organization: Organization | null): string {
  if (suspendedAt !== null) return "person suspended";
  return organization === null ? "no organization" : organization.status.replaceAll("_", " ");
}
