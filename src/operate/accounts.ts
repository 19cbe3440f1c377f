/** The operator's pages about accounts, with their forms, and of the audit log. Each form is one operation of `operatorTools`. */

import { Elysia } from "elysia";
import type { operatorTools } from "#accounts/account/operator-tools.ts";
import { readTogether } from "#api/parameters.ts";
import type { AuditEntry } from "#domain/account/ledger.ts";
import { monthOf, type Organization, TIERS } from "#domain/account/organization.ts";
import { Failure } from "#domain/faults/errors.ts";
import { dayAt } from "#domain/time/day.ts";
import type { Ledger } from "#ports/ledger.ts";
import { type Account, accountPage, accountsPage } from "#web/operator/accounts.tsx";
import { auditPage, type Names } from "#web/operator/audit.tsx";
import type { Said } from "#web/operator/frame.tsx";
import { document, pageWithForms, seeOther } from "./respond.ts";

/** Reads a text of this shape, null when absent or blank. Fails with `invalid_request`, which names the expected value. */
function textOf(
  query: (name: string) => string | undefined,
  name: string,
  shape: RegExp,
  needed: string,
): string | null {
  const text = query(name) || null;
  if (text !== null && !shape.test(text))
    throw new Failure("invalid_request", { reason: `${name} must be ${needed}` });
  return text;
}

const AUDIT_PAGE = 100;

/** Reads the newest entries, or those before an entry; optionally of one subject. */
const wanted = readTogether({}, (query) => {
  const needed = "a kind and an id, such as organization:org_…";
  const subject = textOf(query, "subject", /^[a-z_]+:[^\s\p{C}]{1,200}$/u, needed);
  const at = textOf(query, "at", /^\d{1,15}$/, "a number of milliseconds");
  const id = textOf(query, "id", /^\w{1,64}$/, "an id");
  if ((at === null) !== (id === null))
    throw new Failure("invalid_request", { reason: "at and id go together" });
  return { subject, before: at === null || id === null ? null : { at: Number(at), id } };
});

export const audit = ({ ledger }: { readonly ledger: Ledger }) =>
  new Elysia({ name: "audit" }).get(
    "/operator/audit",
    async ({ query: { subject, before } }) => {
      const entries = await ledger.audit.list(
        { ...(subject === null ? {} : { subject }), ...(before === null ? {} : { before }) },
        AUDIT_PAGE + 1,
      );
      const shown = entries.slice(0, AUDIT_PAGE);
      const last = shown.at(-1);
      const older = entries.length > AUDIT_PAGE && last !== undefined ? last : null;
      return document(auditPage({ subject, entries: shown, names: await namesOf(ledger, shown), older }));
    },
    { query: wanted },
  );

/** Of those that are still there. */
async function namesOf(
  { identities, organizations }: Pick<Ledger, "identities" | "organizations">,
  entries: readonly AuditEntry[],
): Promise<Names> {
  const all = [...new Set(entries.flatMap(({ actor, subject }) => [actor, subject]))];
  const named = all.map(async (name) => {
    const [kind, id = ""] = name.split(":");
    const ownerId = kind === "organization" ? (await organizations.byId(id))?.ownerId : id;
    if ((kind !== "organization" && kind !== "identity") || ownerId === undefined) return [];
    const email = (await identities.byId(ownerId))?.email;
    return typeof email === "string" ? [[name, email] as const] : [];
  });
  return new Map((await Promise.all(named)).flat());
}

export interface OperatorTools extends Omit<ReturnType<typeof operatorTools>, "rewrapKeys" | "close"> {
  readonly quotaOf: (organization: Organization) => number;
}

const PAGE = 50;
const OWN_ENTRIES = 20;

/** The result of a form, by its name in the address after it. */
const DONE = {
  suspended: "Suspended.",
  resumed: "The suspension has ended.",
  tier: "The plan is in force.",
  "tier-for-now":
    "The plan is in force. This organization pays by subscription: the next notice of the payment provider sets the plan that was bought.",
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
  const shown: Account[] = [];
  for (const identity of identities.slice(0, PAGE)) {
    if (identity === null) continue;
    shown.push({ identity, organization: await ledger.organizations.byOwner(identity.id) });
  }
  const next = who === null && identities.length > PAGE ? (shown.at(-1)?.identity.id ?? null) : null;
  return document(accountsPage({ who, accounts: shown, next, now: clock.now() }));
}

async function personPage(
  { ledger, clock, quotaOf }: OperatorTools,
  id: string,
  said: Said,
  resetLink: string | null = null,
): Promise<string> {
  const now = clock.now();
  const identity = await ledger.identities.byId(id);
  if (identity === null) throw nothingOf("person", id);
  const organization = await ledger.organizations.byOwner(id);
  const subject = organization === null ? `identity:${id}` : `organization:${organization.id}`;
  const audit = await ledger.audit.list({ subject }, OWN_ENTRIES);
  return accountPage({
    identity,
    organization,
    keys: organization === null ? [] : await ledger.keys.list(organization.id),
    calls: await ledger.usage.monthCalls(monthOf(dayAt(now)), id),
    quota: organization === null ? null : quotaOf(organization),
    audit,
    names: await namesOf(ledger, audit),
    now,
    ...said,
    resetLink,
  });
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
