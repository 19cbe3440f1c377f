/** The page of one official table: its newest rates, and its publications in pages. */
/* @jsxImportSource preact */

import type { ComponentChildren } from "preact";
import {
  countryName,
  lastDayOf,
  type OfficialRow,
  type OfficialTable,
  type PublicationVersion,
} from "#domain/official/publication.ts";
import type { Day } from "#domain/time/day.ts";
import { Figure, fractionDigits, Others, When } from "#web/shared/figure.tsx";
import { renderPage, type Site } from "#web/shared/page.tsx";
import { numbers, Table } from "#web/shared/table.tsx";
import { Converter, type OfficialConverter } from "./converter.tsx";
import { cityOf, DayText, KIND_WORDS, PublicationLink, tablePath, Validity } from "./words.tsx";

export interface TableProps {
  readonly site: Site;
  readonly table: OfficialTable;
  /** Why the table is not collected here; null when it is collected. */
  readonly missing: string | null;
  /** What is missing since its last reading; null when nothing is. */
  readonly unread: string | null;
  readonly today: Day;
  /** The publication in force today, else the newest; undefined without one, and on later pages. */
  readonly inForce: PublicationVersion | undefined;
  /** Null without a publication to convert by, and on later pages. */
  readonly converter: OfficialConverter | null;
  /** Newest validity first, each with its last day where that is known. */
  readonly publications: readonly PublicationVersion[];
  /** Leads to older ones; null on the last page. */
  readonly nextCursor: string | null;
  readonly isFirst: boolean;
}

export function tablePage(props: TableProps): string {
  const { site, table, publications, nextCursor, isFirst, missing, unread, today, inForce, converter } =
    props;
  const coming = isFirst ? publications.filter(({ validFrom }) => validFrom > today).toReversed() : [];
  const country = countryName(table.country);
  return renderPage({
    site,
    title: `${table.title} · ${country} · Crossrate`,
    description: `${table.authority}, ${country}: ${table.title}. Every publication with its source, corrections included.`,
    path: tablePath(table),
    section: "official",
    children: (
      <div class="official sections">
        <nav class="crumbs" aria-label="Breadcrumb">
          <a href="/official">Official</a> <span aria-hidden="true">/</span> {country}
        </nav>
        <h1>{table.title}</h1>
        <p class="lead">
          <a href={table.homepage} rel="noreferrer">
            {table.authority}
          </a>
          . Published {table.cadence}; days are those of {cityOf(table.zone)}.
        </p>
        <p class="dim small terms">{table.terms}</p>
        {missing !== null && <p>This server does not collect it: {missing}.</p>}
        {unread !== null && <p>{unread}.</p>}
        {converter !== null && <Converter table={table} {...converter} />}
        <div class="official-columns">
          {inForce !== undefined && <RatesInForce {...{ inForce, coming, table, today }} />}
          <Publications {...{ table, publications, nextCursor, isFirst }} />
        </div>
        <p class="dim">
          Use the API: <a href={apiPath(table)}>{apiPath(table)}</a>
        </p>
      </div>
    ),
  });
}

function apiPath({ country, types }: OfficialTable): string {
  return `/v1/official/${country}/${types[0] ?? ""}/publications`;
}

export function inForceOn(
  table: OfficialTable,
  publications: readonly PublicationVersion[],
  day: Day,
): PublicationVersion | undefined {
  const last = publications.find(({ validFrom }) => validFrom <= day);
  return last !== undefined && day <= lastDayOf(table, last) ? last : undefined;
}

function RatesInForce({
  inForce,
  coming,
  table,
  today,
}: {
  readonly inForce: PublicationVersion;
  /** Soonest first. */
  readonly coming: readonly PublicationVersion[];
} & Pick<TableProps, "table" | "today">) {
  const { publication, rows, validFrom } = inForce;
  const state = today <= lastDayOf(table, inForce) ? "In force on" : "Newest, no longer in force on";
  return (
    <section aria-labelledby="in-force">
      <h2 id="in-force">
        {validFrom > today ? "Next" : [state, " ", <DayText day={today} />]}:{" "}
        <PublicationLink table={table} name={publication} />
      </h2>
      <p class="dim">
        Valid <Validity {...inForce} />
      </p>
      {coming
        .filter((next) => next !== inForce)
        .map((next) => (
          <p key={next.publication}>
            Next: <PublicationLink table={table} name={next.publication} />, valid <Validity {...next} />
          </p>
        ))}
      <RowTable
        rows={rows}
        caption={
          <>
            Rates of <Others>{publication}</Others>
          </>
        }
      />
    </section>
  );
}

export function RowTable({
  rows,
  caption,
}: {
  readonly rows: readonly OfficialRow[];
  readonly caption: ComponentChildren;
}) {
  const fraction = Math.max(...rows.map(({ rate }) => fractionDigits(rate)));
  const hasKinds = new Set(rows.map(({ kind }) => kind)).size > 1;
  return (
    <Table
      class="official-rows"
      caption={<span class="visually-hidden">{caption}</span>}
      columns={["Currency", ...(hasKinds ? ["Kind"] : []), numbers("Rate"), "Quoted in"]}
      rows={rows.map((row) => [
        `${row.unit} ${row.base}`,
        ...(hasKinds ? [KIND_WORDS[row.kind]] : []),
        <Figure text={row.rate} fraction={fraction} />,
        row.quote,
      ])}
    />
  );
}

function Publications({
  table,
  publications,
  nextCursor,
  isFirst,
}: Pick<TableProps, "table" | "publications" | "nextCursor" | "isFirst">) {
  return (
    <section aria-labelledby="publications">
      <h2 id="publications">Publications</h2>
      <Table
        label="All publications"
        empty="No publications collected yet."
        class="official-publications"
        columns={["Publication", "Valid", "Retrieved", numbers("Rates"), "Version"]}
        rows={publications.map((version) => [
          <PublicationLink table={table} name={version.publication} />,
          <Validity {...version} />,
          <When at={version.retrievedAt} />,
          version.rows.length,
          version.version === 1 ? "1" : <b>{version.version}, corrected</b>,
        ])}
      />
      <p class="row actions">
        {!isFirst && <a href={tablePath(table)}>Newest</a>}
        {nextCursor !== null && (
          <a href={`${tablePath(table)}?cursor=${encodeURIComponent(nextCursor)}`}>Older publications</a>
        )}
      </p>
    </section>
  );
}
