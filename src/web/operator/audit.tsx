/** The audit log: who changed what and when. */
/* @jsxImportSource preact */

import { Elysia } from "elysia";
import { readTogether } from "#api/parameters.ts";
import type { AuditEntry } from "#domain/account/ledger.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { Ledger } from "#ports/ledger.ts";
import { Others, When } from "#web/shared/figure.tsx";
import { Submit } from "#web/shared/forms.tsx";
import { Table } from "#web/shared/table.tsx";
import { roomPage } from "./frame.tsx";
import { document } from "./respond.ts";

/** Reads a text of this shape, null when absent or blank. Fails with `invalid_request`, which names the expected value. */
export function textOf(
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

/** Reads the query: the newest entries, or those before an entry; optionally of one subject. */
const entriesQuery = readTogether({}, (query) => {
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
      const filter = subject === null ? {} : { subject };
      const listed = await ledger.audit.list(
        { ...filter, ...(before === null ? {} : { before }) },
        AUDIT_PAGE + 1,
      );
      const entries = listed.slice(0, AUDIT_PAGE);
      const names = await namesOf(ledger, entries);
      const older = listed.length > AUDIT_PAGE ? entries.at(-1) : undefined;
      const html = roomPage({
        title: "Audit log",
        section: "audit",
        children: (
          <>
            <h1>Audit log</h1>
            <form method="get" action="/operator/audit" class="row room-search">
              <label for="subject" class="dim small">
                Subject, such as organization:org_…
              </label>
              <input id="subject" name="subject" type="search" value={subject ?? ""} maxLength={220} />
              <Submit kind="">Show</Submit>
            </form>
            <AuditTable entries={entries} names={names} />
            {older !== undefined && (
              <a
                href={`/operator/audit?${new URLSearchParams({ ...filter, at: String(older.at), id: older.id })}`}
              >
                Older entries
              </a>
            )}
          </>
        ),
      });
      return document(html);
    },
    { query: entriesQuery },
  );

/** E-mail addresses of people and of owners of organizations, by subject or actor. */
type Names = ReadonlyMap<string, string>;

/** Names the actors and subjects of entries, as far as their accounts still exist. */
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

/** Larger numbers are instants. */
const LARGEST_COUNT = 1e12;

function Value({ value, names }: { readonly value: AuditEntry["detail"][string]; readonly names: Names }) {
  if (typeof value === "number" && value > LARGEST_COUNT) return <When at={value} />;
  const text = Array.isArray(value) ? value.join(", ") : String(value);
  return <Others>{names.get(`identity:${text}`) ?? text}</Others>;
}

const breaking = (head: string) => ({ head, class: "breaks" });

interface TableProps {
  readonly entries: readonly AuditEntry[];
  readonly names: Names;
}

export function AuditTable({ entries, names }: TableProps) {
  return (
    <Table
      label="Audit log"
      empty="No entries."
      class="stacks audit-table"
      hasRowHeads={false}
      columns={["When", breaking("Who"), "What", breaking("Subject"), breaking("Detail")]}
      rows={entries.map(({ at, actor, action, subject, detail }) => [
        <When at={at} />,
        <span title={actor}>{names.get(actor) ?? actor}</span>,
        action,
        <a href={`/operator/audit?${new URLSearchParams({ subject })}`} title={subject}>
          {names.has(subject) ? `${subject.split(":")[0]} of ${names.get(subject)}` : subject}
        </a>,
        Object.entries(detail).map(([name, value], index) => (
          <span key={name}>
            {index === 0 ? "" : "; "}
            {name}: <Value value={value} names={names} />
          </span>
        )),
      ])}
    />
  );
}
