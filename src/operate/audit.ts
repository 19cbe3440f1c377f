/** The operator's page of the audit log. */

import { Elysia } from "elysia";
import { readTogether } from "#api/parameters.ts";
import { Failure } from "#domain/faults/errors.ts";
import { auditPage } from "#web/operator/audit.tsx";
import type { OperatorTools } from "./accounts.ts";
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

export const audit = ({ ledger }: Pick<OperatorTools, "ledger">) =>
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
      return document(auditPage({ subject, entries: shown, older }));
    },
    { query: wanted },
  );
