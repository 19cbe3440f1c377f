/** The page of all official tables: authorities, publication times, and changes. */
/* @jsxImportSource preact */

import type { Static } from "@sinclair/typebox";
import type { OfficialEventModel } from "#api/official/changes.ts";
import { countryName } from "#domain/official/publication.ts";
import { dayInZone } from "#domain/time/calendar.ts";
import type { Instant } from "#domain/time/day.ts";
import type { ChangeFeed } from "#official/changes.ts";
import type { officialOverview } from "#official/tables.ts";
import { Others, When } from "#web/shared/figure.tsx";
import { renderPage, type Site } from "#web/shared/page.tsx";
import { Table } from "#web/shared/table.tsx";
import { cityOf, DayText, PublicationLink, publicationPath, tablePath, Validity } from "./words.tsx";

type OverviewTable = Awaited<ReturnType<typeof officialOverview>>[number];

interface OverviewProps {
  readonly site: Site;
  readonly now: Instant;
  /** Null where official tables are switched off. */
  readonly tables: readonly OverviewTable[] | null;
  readonly changes: ChangeFeed["entries"];
}

export function overviewPage({ site, now, tables, changes }: OverviewProps): string {
  return renderPage({
    site,
    title: "Official exchange rates · Crossrate",
    description:
      "Exchange rates that central banks, tax and customs authorities set: every publication, in every version, with its source.",
    path: "/official",
    section: "official",
    children: (
      <div class="official sections">
        <h1>Official rates</h1>
        <p class="lead">
          Rates that authorities set for tax, customs and accounting, reproduced digit for digit. A correction
          is a new version; earlier versions stay available.
        </p>
        {tables === null ? (
          <p>
            This server does not collect official publications. Its operator can switch them on with
            OFFICIAL_TABLES.
          </p>
        ) : (
          <>
            <Timetable tables={tables} now={now} />
            <Changes changes={changes} />
          </>
        )}
      </div>
    ),
  });
}

function Timetable({ tables, now }: { readonly tables: readonly OverviewTable[]; readonly now: Instant }) {
  return (
    <section aria-labelledby="tables">
      <h2 id="tables">Tables and timetable</h2>
      <p class="dim">
        As of <When at={now} />.
      </p>
      <Table
        label="All tables"
        class="stacks official-tables"
        columns={["Table", "Published", "In force", "Next"]}
        rows={tables.map((row) => cellsOf(row, now))}
      />
    </section>
  );
}

function cellsOf({ table, newest, inForce, missing, hours, due }: OverviewTable, now: Instant) {
  return [
    <>
      <a href={tablePath(table)}>{table.title}</a>
      <span class="dim">
        {countryName(table.country)} · {table.authority}
      </span>
    </>,
    <>
      {table.cadence}
      {hours !== null && (
        <span class="dim">
          {hours.opens}–{hours.closes}, {cityOf(table.zone)}
        </span>
      )}
    </>,
    newest === null ? (
      <span class="dim">{missing === null ? "not collected yet" : `not collected: ${missing}`}</span>
    ) : inForce === null ? (
      <span class="dim">none</span>
    ) : (
      <>
        <PublicationLink table={table} name={inForce.publication} />
        <span class="dim">
          retrieved <When at={inForce.retrievedAt} />
        </span>
      </>
    ),
    newest === null || newest.validFrom <= dayInZone(table.zone, now) ? (
      <Due due={due} now={now} />
    ) : (
      <>
        <PublicationLink table={table} name={newest.publication} />
        <span class="dim">
          <Validity {...newest} />
        </span>
      </>
    ),
  ];
}

function Due({ due, now }: Pick<OverviewTable, "due"> & { readonly now: Instant }) {
  if (due === null) return <>–</>;
  if (!("from" in due)) {
    return (
      <>
        {"by" in due ? "by " : "about "}
        <DayText day={"by" in due ? due.by : due.about} />
      </>
    );
  }
  return (
    <>
      {due.from <= now && "expected since "}
      <When at={due.from} />
    </>
  );
}

function Changes({ changes }: Pick<OverviewProps, "changes">) {
  return (
    <section aria-labelledby="changes">
      <h2 id="changes">Changes</h2>
      <p class="dim">
        The newest {changes.length === 0 ? "" : changes.length} publications and corrections. As a{" "}
        <a href="/v1/official/changes.atom">feed</a>, as <a href="/v1/official/changes">JSON</a>, or by{" "}
        <a href="/docs/webhooks">webhooks</a>.
      </p>
      {changes.length === 0 ? (
        <p>Nothing collected yet.</p>
      ) : (
        <ol class="plain-list small">
          {changes.map(({ event, table }) => (
            <Change key={event.id} event={event} table={table} />
          ))}
        </ol>
      )}
    </section>
  );
}

/** Has no link when this server no longer offers the table. */
function Change({ event, table }: ChangeFeed["entries"][number]) {
  const { publication, version } = (JSON.parse(event.body) as Static<typeof OfficialEventModel>).data;
  return (
    <li class="row">
      <span class="dim">
        <When at={event.createdAt} />
      </span>
      <span>
        {table === null ? (
          <Others>{publication}</Others>
        ) : (
          <a href={publicationPath(table, publication)}>
            {countryName(table.country)}, {table.types[0]} <Others>{publication}</Others>
          </a>
        )}{" "}
        {version === 1 ? "published" : <b>corrected, version {version}</b>}
      </span>
    </li>
  );
}
