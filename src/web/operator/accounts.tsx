/** The operator's pages of all people with their organizations, and of one person: facts, history, actions. */
/* @jsxImportSource preact */

import type { Identity } from "#domain/account/identity.ts";
import { type ApiKey, keyState } from "#domain/account/key.ts";
import type { AuditEntry } from "#domain/account/ledger.ts";
import { type Organization, TIERS, tierInForce } from "#domain/account/organization.ts";
import type { Instant } from "#domain/time/day.ts";
import { When } from "#web/shared/figure.tsx";
import { Action, Careful, Facts, Options, Submit } from "#web/shared/forms.tsx";
import { ACTIONS, Table } from "#web/shared/table.tsx";
import { grouped } from "#web/shared/words.ts";
import { AuditTable, type Names } from "./audit.tsx";
import { roomPage, type Said } from "./frame.tsx";

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
}

export function accountsPage({ who, accounts, next, now }: AccountsProps): string {
  return roomPage({
    title: "Accounts",
    section: "accounts",
    children: (
      <>
        <h1>Accounts</h1>
        <form method="get" action="/operator" class="row room-search">
          <label for="who" class="dim small">
            E-mail address, id, or beginning of a key
          </label>
          <input id="who" name="who" type="search" value={who ?? ""} maxLength={320} />
          <Submit kind="">Find</Submit>
          {who !== null && <a href="/operator">All accounts</a>}
        </form>
        {accounts.length === 0 ? (
          <p>{who === null ? "No accounts yet." : "No account found."}</p>
        ) : (
          <Table
            label="Accounts"
            class="stacks"
            columns={["Person", "Plan", "Status", "Since"]}
            rows={accounts.map(({ identity, organization }) => [
              <a href={`/operator/people/${identity.id}`}>{identity.email ?? identity.id}</a>,
              organization === null ? "–" : planText(organization, now),
              statusText(identity, organization),
              <When at={identity.createdAt} />,
            ])}
          />
        )}
        {next !== null && <a href={`/operator?after=${encodeURIComponent(next)}`}>Next page</a>}
      </>
    ),
  });
}

/** The plan, and the plan with the limits that apply while a payment is missing. */
function planText(organization: Organization, now: Instant): string {
  const inForce = tierInForce(organization, now);
  return inForce === organization.tier ? inForce : `${organization.tier}, limited to ${inForce}`;
}

function statusText({ suspendedAt }: Identity, organization: Organization | null): string {
  if (suspendedAt !== null) return "person suspended";
  return organization === null ? "no organization" : organization.status.replaceAll("_", " ");
}

export interface AccountProps extends Said {
  readonly identity: Identity;
  readonly organization: Organization | null;
  readonly keys: readonly ApiKey[];
  readonly calls: number;
  readonly quota: number | null;
  readonly audit: readonly AuditEntry[];
  readonly names: Names;
  readonly now: Instant;
  /** A link that sets a new password; shown once. */
  readonly resetLink: string | null;
}

export function accountPage(props: AccountProps): string {
  const { identity, organization, audit, names, resetLink, notice, refusal } = props;
  const name = identity.email ?? identity.id;
  return roomPage({
    title: name,
    section: "accounts",
    notice,
    refusal,
    children: (
      <>
        <nav class="crumbs" aria-label="Place">
          <a href="/operator">Accounts</a>
        </nav>
        <h1 class="breaks">{name}</h1>
        {resetLink !== null && (
          <p class="message" role="status">
            Valid for one hour and one use, shown only now: <code class="breaks">{resetLink}</code>
          </p>
        )}
        <Person identity={identity} />
        {organization === null ? (
          <p>This person has no organization.</p>
        ) : (
          <>
            <OrganizationPart {...props} organization={organization} />
            <Keys {...props} />
          </>
        )}
        <section>
          <h2>Audit log</h2>
          <AuditTable entries={audit} names={names} />
        </section>
      </>
    ),
  });
}

function Person({ identity }: { readonly identity: Identity }) {
  const { id, iss, passwordHash, emailVerifiedAt, suspendedAt, role } = identity;
  const own = `/operator/people/${id}`;
  return (
    <section>
      <h2>Person</h2>
      <Facts
        as="list"
        facts={{
          Id: <code>{id}</code>,
          Role: role,
          "Signs in with": (
            <span class="breaks">{iss ?? (passwordHash === null ? "no method yet" : "a password")}</span>
          ),
          "Address verified": <When at={emailVerifiedAt} absent="no" />,
          Suspended: <When at={suspendedAt} absent="no" />,
        }}
      />
      <div class="row actions">
        {suspendedAt === null ? (
          <Careful summary="Suspend the person">
            <Action
              path={`${own}/suspend`}
              name="Suspend"
              kind="danger"
              confirm="Every session ends, and every key is refused."
            />
          </Careful>
        ) : (
          <Action path={`${own}/resume`} name="End the suspension" />
        )}
        {passwordHash !== null && <Action path={`${own}/reset-link`} name="Create a reset link" />}
      </div>
    </section>
  );
}

function OrganizationPart({
  identity,
  organization,
  calls,
  quota,
  now,
}: AccountProps & { readonly organization: Organization }) {
  const { id, tier, status, pastDueSince, billingSubscriptionId } = organization;
  const own = `/operator/people/${identity.id}/organization`;
  return (
    <section>
      <h2>Organization</h2>
      <Facts
        as="list"
        facts={{
          Id: <code>{id}</code>,
          Plan: planText(organization, now),
          Status: status.replaceAll("_", " "),
          "Payment overdue since": <When at={pastDueSince} absent="no" />,
          "Calls this month": `${grouped(calls)}${quota === null ? "" : ` of ${grouped(quota)}`}`,
        }}
      />
      <div class="row actions">
        <form method="post" action={`${own}/tier`} class="row">
          <label for="tier">Plan</label>
          <select id="tier" name="tier">
            <Options values={TIERS} chosen={tier} />
          </select>
          <Submit kind="">Set the plan</Submit>
        </form>
        {status === "suspended" ? (
          <Action path={`${own}/resume`} name="End the suspension" />
        ) : (
          <Careful summary="Suspend the organization">
            <Action
              path={`${own}/suspend`}
              name="Suspend"
              kind="danger"
              confirm="Every key is refused, and no webhook is sent."
            />
          </Careful>
        )}
      </div>
      {billingSubscriptionId !== null && (
        <p class="dim">This organization has a subscription. Its next payment notice sets the plan again.</p>
      )}
    </section>
  );
}

function Keys({ identity, keys, now }: AccountProps) {
  if (keys.length === 0) return null;
  return (
    <section>
      <h2>Keys</h2>
      <Table
        label="Keys"
        class="stacks"
        columns={["Key", "State", "Created", "Last used", ACTIONS]}
        rows={keys.map((key) => [
          <code>{key.prefix}…</code>,
          keyState(key, now),
          <When at={key.createdAt} />,
          <When at={key.lastUsedAt} absent="never" />,
          keyState(key, now) !== "revoked" && (
            <Careful
              summary={
                <>
                  Revoke<span class="visually-hidden"> {key.prefix}</span>
                </>
              }
            >
              <Action
                path={`/operator/people/${identity.id}/revoke`}
                fields={{ key: key.id }}
                name="Revoke"
                what={key.prefix}
                kind="danger"
                confirm="Programs with this key stop working. This cannot be undone."
              />
            </Careful>
          ),
        ])}
      />
    </section>
  );
}
