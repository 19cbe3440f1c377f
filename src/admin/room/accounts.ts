/** The operator's pages about accounts, with their forms. Each form calls one operation of the JSON API. */

import { makeResetLink, ownersOf } from "#admin/people.ts";
import { type AdminTools, nothingOf, textOf, type Verb } from "#admin/request.ts";
import {
  resumeOrganization,
  resumePerson,
  revokeKey,
  setTier,
  suspendOrganization,
  suspendPerson,
} from "#admin/status.ts";
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
      : await Promise.all((await ownersOf(tools, who)).map((id) => ledger.identities.byId(id)));
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
  suspend: ofPerson(suspendPerson, "suspended"),
  resume: ofPerson(resumePerson, "resumed"),
  "reset-link": async (tools, id) => {
    const { link } = await makeResetLink(tools, request(id));
    return await showAccount(tools, id, { resetLink: String(link) });
  },
  revoke: async (tools, id, fields) => {
    const organization = await organizationOf(tools, id);
    const key = fields.get("key") ?? "";
    const keys = await tools.ledger.keys.list(organization);
    if (!keys.some((own) => own.id === key)) throw nothingOf("key", key);
    await revokeKey(tools, request(key));
    return back(id, "revoked");
  },
  "organization/suspend": ofOrganization(suspendOrganization, "suspended"),
  "organization/resume": ofOrganization(resumeOrganization, "resumed"),
  "organization/tier": ofOrganization(setTier, "tier"),
};

function ofPerson(verb: Verb, done: string): Form {
  return async (tools, id) => {
    await verb(tools, request(id));
    return back(id, done);
  };
}

function ofOrganization(verb: Verb, done: string): Form {
  return async (tools, id, fields) => {
    await verb(tools, request(await organizationOf(tools, id), Object.fromEntries(fields)));
    return back(id, done);
  };
}

async function organizationOf({ ledger }: AdminTools, ownerId: string): Promise<string> {
  const organization = await ledger.organizations.byOwner(ownerId);
  if (organization === null) throw nothingOf("organization", `of ${ownerId}`);
  return organization.id;
}

function request(id: string, body: unknown = null): Parameters<Verb>[1] {
  return { id, query: new URLSearchParams(), body: async () => body };
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
