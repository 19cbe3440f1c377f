/** The operator's pages of all people, and of one person: facts, audit log, and forms. Each form is one operation of `operatorTools`. */
/* @jsxImportSource preact */

import { Elysia } from "elysia";
import type { operatorTools } from "#accounts/account/operator-tools.ts";
import { readTogether } from "#api/parameters.ts";
import type { Identity } from "#domain/account/identity.ts";
import { type ApiKey, keyState } from "#domain/account/key.ts";
import { monthOf, type Organization, TIERS, tierInForce } from "#domain/account/organization.ts";
import { Failure } from "#domain/faults/errors.ts";
import { dayAt, type Instant } from "#domain/time/day.ts";
import { UNUSED } from "#web/dashboard/words.ts";
import { When } from "#web/shared/figure.tsx";
import { Action, Careful, Facts, Options, Submit } from "#web/shared/forms.tsx";
import { ACTIONS, Table } from "#web/shared/table.tsx";
import { grouped } from "#web/shared/words.ts";
import { AuditTable, namesOf, textOf } from "./audit.tsx";
import { roomPage, type Said } from "./frame.tsx";
import { document, pageWithForms, seeOther } from "./respond.ts";

export interface OperatorTools extends Omit<ReturnType<typeof operatorTools>, "rewrapKeys" | "close"> {
  readonly quotaOf: (organization: Organization) => number;
}

const PAGE = 50;
const OWN_ENTRIES = 20;

/** Results of forms, by the name in the address that a form leads to. */
const DONE = {
  suspended: "Suspended.",
  resumed: "The suspension has ended.",
  tier: "The plan is in force.",
  "tier-for-now":
    "The plan is in force. This organization pays by subscription: the next notice of the payment provider sets the plan that was bought.",
  "tier-unpaid": "The plan is set, and not in force until the missing payment is made.",
  revoked: "The key is revoked.",
};

const search = readTogether({}, (query) => ({
  who: textOf(query, "who", /^[^\p{C}]{1,320}$/u, "an e-mail address, an id, or the beginning of a key"),
  after: textOf(query, "after", /^\w{1,64}$/, "an id"),
}));

const person = readTogether({}, (params) => {
  const id = params("id") ?? "";
  if (!/^\w{1,64}$/.test(id)) throw nothingOf("person", id);
  return { id };
});

type Act = (tools: OperatorTools, id: string, fields: URLSearchParams) => Promise<Response>;

export const accounts = (tools: OperatorTools) => {
  const page = pageWithForms((said, { id }: { readonly id: string }) => personPage(tools, id, said), DONE);
  const form = (act: Act) => page.form(async (fields, { id }) => await act(tools, id, fields));
  return new Elysia({ name: "accounts", prefix: "/operator" })
    .get("", async ({ query }) => await showAccounts(tools, query), { query: search })
    .guard({ params: person })
    .get("/people/:id", page.view)
    .post("/people/:id/suspend", form(suspend("person", true)))
    .post("/people/:id/resume", form(suspend("person", false)))
    .post("/people/:id/reset-link", form(showResetLink))
    .post("/people/:id/revoke", form(revokeKey))
    .post("/people/:id/organization/suspend", form(suspend("organization", true)))
    .post("/people/:id/organization/resume", form(suspend("organization", false)))
    .post("/people/:id/organization/tier", form(giveTier));
};

async function showAccounts(
  { ledger, clock, ownersOf }: OperatorTools,
  { who, after }: { readonly who: string | null; readonly after: string | null },
): Promise<Response> {
  const identities =
    who === null
      ? await ledger.identities.list(after, PAGE + 1)
      : await Promise.all((await ownersOf(who)).map((id) => ledger.identities.byId(id)));
  const accounts = [];
  for (const identity of identities.slice(0, PAGE)) {
    if (identity === null) continue;
    accounts.push({ identity, organization: await ledger.organizations.byOwner(identity.id) });
  }
  const now = clock.now();
  const next = who === null && identities.length > PAGE ? accounts.at(-1)?.identity.id : undefined;
  const html = roomPage({
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
        <Table
          label="Accounts"
          empty={who === null ? "No accounts yet." : "No account found."}
          class="stacks"
          columns={["Person", "Plan", "Status", "Since"]}
          rows={accounts.map(({ identity, organization }) => [
            <a href={`/operator/people/${identity.id}`}>{identity.email ?? identity.id}</a>,
            organization === null ? "–" : planText(organization, now),
            statusText(identity, organization),
            <When at={identity.createdAt} />,
          ])}
        />
        {next !== undefined && <a href={`/operator?after=${encodeURIComponent(next)}`}>Next page</a>}
      </>
    ),
  });
  return document(html);
}

/** The plan, and the plan that limits it while a payment is missing. */
function planText(organization: Organization, now: Instant): string {
  const inForce = tierInForce(organization, now);
  return inForce === organization.tier ? inForce : `${organization.tier}, limited to ${inForce}`;
}

function statusText({ suspendedAt }: Identity, organization: Organization | null): string {
  if (suspendedAt !== null) return "person suspended";
  return organization === null ? "no organization" : organization.status.replaceAll("_", " ");
}

async function personPage(
  { ledger, clock, quotaOf }: OperatorTools,
  id: string,
  said: Said,
  /** A link that sets a new password; shown once. */
  resetLink: string | null = null,
): Promise<string> {
  const now = clock.now();
  const identity = await ledger.identities.byId(id);
  if (identity === null) throw nothingOf("person", id);
  const organization = await ledger.organizations.byOwner(id);
  const subject = organization === null ? `identity:${id}` : `organization:${organization.id}`;
  const audit = await ledger.audit.list({ subject }, OWN_ENTRIES);
  const keys = organization === null ? [] : await ledger.keys.list(organization.id);
  const calls = await ledger.usage.monthCalls(monthOf(dayAt(now)), id);
  const names = await namesOf(ledger, audit);
  const name = identity.email ?? identity.id;
  return roomPage({
    ...said,
    title: name,
    section: "accounts",
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
        <Person {...identity} />
        {organization === null ? (
          <p>This person has no organization.</p>
        ) : (
          <>
            <OrganizationPart {...organization} {...{ calls, now }} quota={quotaOf(organization)} />
            <Keys {...{ identity, keys, now }} />
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

function Person({ id, iss, passwordHash, emailVerifiedAt, suspendedAt, role }: Identity) {
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

interface OrganizationProps extends Organization {
  /** Calls of this month; `quota` is what the plan allows. */
  readonly calls: number;
  readonly quota: number;
  readonly now: Instant;
}

function OrganizationPart({ calls, quota, now, ...organization }: OrganizationProps) {
  const { id, ownerId, tier, status, pastDueSince, billingSubscriptionId } = organization;
  const own = `/operator/people/${ownerId}/organization`;
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
          "Calls this month": `${grouped(calls)} of ${grouped(quota)}`,
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

interface KeysProps {
  readonly identity: Identity;
  readonly keys: readonly ApiKey[];
  readonly now: Instant;
}

function Keys({ identity, keys, now }: KeysProps) {
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
          <When at={key.lastUsedAt} absent={UNUSED} />,
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

function suspend(kind: "person" | "organization", isSuspended: boolean): Act {
  return async (tools, id, fields) => {
    if (isSuspended) requireConfirmed(fields);
    const changed =
      kind === "person"
        ? await tools.suspendPerson(id, isSuspended)
        : await tools.suspendOrganization((await organizationOf(tools, id)).id, isSuspended);
    if (changed === null) throw nothingOf(kind, kind === "person" ? id : `of ${id}`);
    return back(id, isSuspended ? "suspended" : "resumed");
  };
}

const showResetLink: Act = async (tools, id) => {
  const identity = await tools.ledger.identities.byId(id);
  if (identity === null) throw nothingOf("person", id);
  const link = await tools.resetLink(identity);
  return document(await personPage(tools, id, { notice: null, refusal: null }, link));
};

const revokeKey: Act = async (tools, id, fields) => {
  requireConfirmed(fields);
  const { id: organization } = await organizationOf(tools, id);
  const key = fields.get("key") ?? "";
  const keys = await tools.ledger.keys.list(organization);
  const revoked = keys.some((one) => one.id === key) ? await tools.revokeKey(key) : null;
  if (revoked === null) throw nothingOf("working key", key);
  return back(id, "revoked");
};

const giveTier: Act = async (tools, id, fields) => {
  const tier = TIERS.find((candidate) => candidate === fields.get("tier"));
  if (tier === undefined)
    throw new Failure("validation_error", { wording: `the plan must be one of ${TIERS.join(", ")}` });
  const { id: organization } = await organizationOf(tools, id);
  const changed = await tools.giveTier(organization, tier);
  if (changed === null) throw nothingOf("organization", organization);
  if (tierInForce(changed, tools.clock.now()) !== tier) return back(id, "tier-unpaid");
  return back(id, changed.billingSubscriptionId === null ? "tier" : "tier-for-now");
};

function requireConfirmed(fields: URLSearchParams): void {
  if (fields.get("confirm") !== "yes")
    throw new Failure("validation_error", { wording: "tick the box to confirm" });
}

async function organizationOf({ ledger }: OperatorTools, ownerId: string): Promise<Organization> {
  const organization = await ledger.organizations.byOwner(ownerId);
  if (organization === null) throw nothingOf("organization", `of ${ownerId}`);
  return organization;
}

function nothingOf(kind: string, id: string): Failure {
  return new Failure("not_found", { wording: `there is no ${kind} {id}`, id });
}

function back(id: string, done: string): Response {
  return seeOther(`/operator/people/${id}?done=${done}`);
}
