/** The audit log: who changed what and when. */
/* @jsxImportSource preact */

import type { AuditEntry } from "#domain/account/ledger.ts";
import { When } from "#web/shared/figure.tsx";
import { Submit } from "#web/shared/forms.tsx";
import { Others } from "#web/shared/others.tsx";
import { Table } from "#web/shared/table.tsx";
import { roomPage } from "./frame.tsx";

/** E-mail addresses of people and of owners of organizations, by subject or actor. */
export type Names = ReadonlyMap<string, string>;

export interface AuditProps {
  /** What the entries are about; null: everything. */
  readonly subject: string | null;
  readonly entries: readonly AuditEntry[];
  readonly names: Names;
  /** The page begins after this entry; null at the newest. */
  readonly older: Pick<AuditEntry, "at" | "id"> | null;
}

export function auditPage({ subject, entries, names, older }: AuditProps): string {
  const filter = subject === null ? {} : { subject };
  return roomPage({
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
        {older !== null && (
          <a
            href={`/operator/audit?${new URLSearchParams({ ...filter, at: String(older.at), id: older.id })}`}
          >
            Older entries
          </a>
        )}
      </>
    ),
  });
}

/** Longer numbers are instants. */
const LARGEST_COUNT = 1e12;

function Value({
  value,
  names,
}: Pick<AuditProps, "names"> & { readonly value: AuditEntry["detail"][string] }) {
  if (typeof value === "number" && value > LARGEST_COUNT) return <When at={value} />;
  const text = Array.isArray(value) ? value.join(", ") : String(value);
  return <Others>{names.get(`identity:${text}`) ?? text}</Others>;
}

const breaking = (head: string) => ({ head, class: "breaks" });

export function AuditTable({ entries, names }: Pick<AuditProps, "entries" | "names">) {
  if (entries.length === 0) return <p class="dim">No entries.</p>;
  return (
    <Table
      label="Audit log"
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
