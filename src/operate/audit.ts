/** The operator's page of the audit log. */

import { Elysia } from "elysia";
import { readTogether } from "#api/parameters.ts";
import type { AuditEntry } from "#domain/account/ledger.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { Ledger } from "#ports/ledger.ts";
import { auditPage, type Names } from "#web/operator/audit.tsx";
import { document } from "./respond.ts";
import { textOf } from "./text.ts";

const PAGE = 100;

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
        PAGE + 1,
      );
      const shown = entries.slice(0, PAGE);
      const last = shown.at(-1);
      const older = entries.length > PAGE && last !== undefined ? last : null;
      return document(auditPage({ subject, entries: shown, names: await namesOf(ledger, shown), older }));
    },
    { query: wanted },
  );

/** Of those that are still there. */
export async function namesOf(
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
