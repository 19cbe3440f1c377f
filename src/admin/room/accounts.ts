/** The operator's pages about accounts, with their forms. Each form is one operation of `operatorTools`. */

import { type AdminTools, nothingOf, textOf } from "#admin/request.ts";
import { type Organization, TIERS } from "#domain/account/organization.ts";
import { monthOf } from "#domain/account/usage-day.ts";
import { Failure } from "#domain/faults/errors.ts";
import { dayAt } from "#domain/time/day.ts";
import { accountPage } from "#web/operator/account.tsx";
import { type Account, accountsPage } from "#web/operator/accounts.tsx";
import { auditPage } from "#web/operator/audit.tsx";
import { document, seeOther } from "./respond.ts";

const PAGE = 50;
const OWN_ENTRIES = 20;
const AUDIT_PAGE = 100;

/** What a form came to, by its name in the address after it. */
const DONE: Readonly<Record<string, string>> = {
  suspended: "Suspended.",
  resumed: "The suspension has ended.",
  tier: "The plan is in force.",
  "tier-for-now":
    "The plan is in force. This organization pays by subscription: the next notice of the payment provider sets the plan that was bought.",
  revoked: "The key is revoked.",
};

/** All people in pages, or the results of a search. */
export async function showAccounts(tools: AdminTools, query: URLSearchParams): Promise<Response> {
  const { ledger, clock } = tools;
  const who = textOf(
    query,
    "who",
    /^[^\p{C}]{1,320}$/u,
    "an e-mail address, an id, or the beginning of a key",
  );
  const after = textOf(query, "after", /^\w{1,64}$/, "an id");
  const identities =
    who === null
      ? await ledger.identities.list(after, PAGE + 1)
      : await Promise.all((await tools.ownersOf(who)).map((id) => ledger.identities.byId(id)));
  const accounts: Account[] = [];
  for (const identity of identities.slice(0, PAGE)) {
    if (identity === null) continue;
    accounts.push({ identity, organization: await ledger.organizations.byOwner(identity.id) });
  }
  const next = who === null && identities.length > PAGE ? (accounts.at(-1)?.identity.id ?? null) : null;
  return document(accountsPage({ who, accounts, next, now: clock.now(), notice: null }));
}

export interface Shown {
  readonly done?: string | null;
  readonly refusal?: string | null;
  readonly resetLink?: string | null;
  readonly status?: number;
}

/** One person. Failure `not_found`. */
export async function showAccount(tools: AdminTools, id: string, shown: Shown = {}): Promise<Response> {
  const { ledger, clock, quotaOf } = tools;
  const now = clock.now();
  const identity = await ledger.identities.byId(id);
  if (identity === null) throw nothingOf("person", id);
  const organization = await ledger.organizations.byOwner(id);
  const subject = organization === null ? `identity:${id}` : `organization:${organization.id}`;
  const { done = null, refusal = null, resetLink = null, status = 200 } = shown;
  const page = accountPage({
    identity,
    organization,
    keys: organization === null ? [] : await ledger.keys.list(organization.id),
    calls: await ledger.usage.monthCalls(monthOf(dayAt(now)), id),
    quota: organization === null ? null : quotaOf(organization),
    audit: await ledger.audit.list({ subject }, OWN_ENTRIES),
    now,
    notice: done === null ? null : (DONE[done] ?? null),
    refusal,
    resetLink,
  });
  return document(page, status);
}

type Form = (tools: AdminTools, id: string, fields: URLSearchParams) => Promise<Response>;

/** The forms on the page of a person, by what follows its path. */
export const ACCOUNT_FORMS: Readonly<Record<string, Form>> = {
  suspend: (tools, id) => suspendPerson(tools, id, true),
  resume: (tools, id) => suspendPerson(tools, id, false),
  "reset-link": async (tools, id) => {
    const identity = await tools.ledger.identities.byId(id);
    if (identity === null) throw nothingOf("person", id);
    return await showAccount(tools, id, { resetLink: await tools.resetLink(identity) });
  },
  revoke: async (tools, id, fields) => {
    const { id: organization } = await organizationOf(tools, id);
    const key = fields.get("key") ?? "";
    const keys = await tools.ledger.keys.list(organization);
    const revoked = keys.some((own) => own.id === key) ? await tools.revokeKey(key) : null;
    if (revoked === null) throw nothingOf("working key", key);
    return back(id, "revoked");
  },
  "organization/suspend": (tools, id) => suspendOrganization(tools, id, true),
  "organization/resume": (tools, id) => suspendOrganization(tools, id, false),
  "organization/tier": async (tools, id, fields) => {
    const tier = TIERS.find((candidate) => candidate === fields.get("tier"));
    if (tier === undefined)
      throw new Failure("validation_error", { wording: `the plan must be one of ${TIERS.join(", ")}` });
    const { id: organization } = await organizationOf(tools, id);
    const changed = await tools.giveTier(organization, tier);
    if (changed === null) throw nothingOf("organization", organization);
    return back(id, changed.billingSubscriptionId === null ? "tier" : "tier-for-now");
  },
};

async function suspendPerson(tools: AdminTools, id: string, isSuspended: boolean): Promise<Response> {
  if ((await tools.suspendPerson(id, isSuspended)) === null) throw nothingOf("person", id);
  return back(id, isSuspended ? "suspended" : "resumed");
}

async function suspendOrganization(tools: AdminTools, id: string, isSuspended: boolean): Promise<Response> {
  const { id: organization } = await organizationOf(tools, id);
  const changed = await tools.suspendOrganization(organization, isSuspended);
  if (changed === null) throw nothingOf("organization", organization);
  return back(id, isSuspended ? "suspended" : "resumed");
}

async function organizationOf({ ledger }: AdminTools, ownerId: string): Promise<Organization> {
  const organization = await ledger.organizations.byOwner(ownerId);
  if (organization === null) throw nothingOf("organization", `of ${ownerId}`);
  return organization;
}

function back(id: string, done: string): Response {
  return seeOther(`/operator/people/${id}?done=${done}`);
}

/** The newest entries, or those before one of them. */
export async function showAudit({ ledger }: AdminTools, query: URLSearchParams): Promise<Response> {
  const needed = "a kind and an id, such as organization:org_…";
  const subject = textOf(query, "subject", /^[a-z_]+:[^\s\p{C}]{1,200}$/u, needed);
  const at = textOf(query, "at", /^\d{1,15}$/, "a number of milliseconds");
  const id = textOf(query, "id", /^\w{1,64}$/, "an id");
  if ((at === null) !== (id === null))
    throw new Failure("invalid_request", { reason: "at and id go together" });
  const before = at === null || id === null ? {} : { before: { at: Number(at), id } };
  const entries = await ledger.audit.list(
    { ...(subject === null ? {} : { subject }), ...before },
    AUDIT_PAGE + 1,
  );
  const shown = entries.slice(0, AUDIT_PAGE);
  const last = shown.at(-1);
  const older = entries.length > AUDIT_PAGE && last !== undefined ? last : null;
  return document(auditPage({ subject, entries: shown, older }));
}
