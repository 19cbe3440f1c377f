/** The page of one publication: its rates, and the changes of every version. */
/* @jsxImportSource preact */

import type { Differences } from "#domain/official/doubts.ts";
import { countryName, type OfficialRow, type OfficialTable, withEnds } from "#domain/official/publication.ts";
import type { Day } from "#domain/time/day.ts";
import type { officialRevisions } from "#official/publications.ts";
import { Figure, fractionDigits, Others, OutsideLink, When } from "#web/shared/figure.tsx";
import { Facts } from "#web/shared/forms.tsx";
import { renderPage, type Site } from "#web/shared/page.tsx";
import { numbers, Table } from "#web/shared/table.tsx";
import { RowTable } from "./table.tsx";
import { KIND_WORDS, publicationPath, tablePath, Validity } from "./words.tsx";

/** `revisions`: the newest first, at least one; `omitted`: earlier versions that are left out. */
interface PublicationProps extends Awaited<ReturnType<typeof officialRevisions>> {
  readonly site: Site;
  readonly table: OfficialTable;
  /** First day of the next publication; null when unknown. */
  readonly nextBegins: Day | null;
  /** First days of publications that are held. */
  readonly held: readonly Day[];
}

export function publicationPage({
  site,
  table,
  revisions,
  omitted,
  nextBegins,
  held,
}: PublicationProps): string {
  const newest = revisions[0]?.version;
  if (newest === undefined) throw new Error("a publication has at least one version");
  const { publication, version } = newest;
  const name = `${countryName(table.country)}, ${table.types[0]} ${publication}`;
  const corrections = version === 1 ? "never corrected" : `version ${version}`;
  return renderPage({
    site,
    title: `${name} · Crossrate`,
    description: `${table.authority}: ${table.title}. Publication ${publication}, ${corrections}, with its source.`,
    path: publicationPath(table, publication),
    section: "official",
    children: (
      <div class="official sections">
        <nav class="crumbs" aria-label="Breadcrumb">
          <a href="/official">Official</a> <span aria-hidden="true">/</span>{" "}
          <a href={tablePath(table)}>
            {countryName(table.country)}, {table.types[0]}
          </a>{" "}
          <span aria-hidden="true">/</span> <Others>{publication}</Others>
        </nav>
        <h1>{publication}</h1>
        <p class="lead">
          {table.authority}: {table.title}
        </p>
        <section aria-labelledby="rates">
          <h2 id="rates">Rates</h2>
          <p class="dim">
            Valid <Validity {...(withEnds(table, [newest], nextBegins, held)[0] ?? newest)} />, {corrections}.
          </p>
          <RowTable
            rows={newest.rows}
            caption={
              <>
                Rates of <Others>{publication}</Others>, version {version}
              </>
            }
          />
        </section>
        <section aria-labelledby="versions">
          <h2 id="versions">Versions</h2>
          {revisions.map(({ version: of, differences }) => (
            <VersionBlock key={of.version} version={of} differences={differences} table={table} />
          ))}
          {omitted > 0 && <p class="dim">{omitted} earlier versions are in the API.</p>}
        </section>
        <p class="dim small terms">{table.terms}</p>
      </div>
    ),
  });
}

function VersionBlock({
  version,
  differences,
  table,
}: PublicationProps["revisions"][number] & { readonly table: OfficialTable }) {
  const { publication, publishedAt, retrievedAt, sourceUrl, documentSha256 } = version;
  const api = `/v1/official/${table.country}/${table.types[0] ?? ""}/publications/${encodeURIComponent(publication)}?version=${version.version}`;
  return (
    <article class="entry" aria-labelledby={`version-${version.version}`}>
      <h3 id={`version-${version.version}`}>Version {version.version}</h3>
      <Facts
        as="list"
        facts={{
          Valid: <Validity {...version} />,
          Published: <When at={publishedAt} absent="not stated by the source" />,
          Retrieved: <When at={retrievedAt} />,
          Source: (
            <OutsideLink url={sourceUrl} rel="noreferrer" class="breaks">
              {sourceUrl}
            </OutsideLink>
          ),
          "SHA-256": <code class="breaks">{documentSha256}</code>,
          JSON: (
            <a href={api} class="breaks">
              {api}
            </a>
          ),
        }}
      />
      {differences !== null && <DifferenceTable {...differences} />}
    </article>
  );
}

/** Rows with both values. Words say what happened: the table needs no colours. */
function DifferenceTable({ added, removed, changed, validityBefore }: Differences) {
  const rows = [
    ...changed.map(({ before, after }) => ({ what: "changed", before, after, row: after })),
    ...added.map((row) => ({ what: "added", before: null, after: row, row })),
    ...removed.map((row) => ({ what: "removed", before: row, after: null, row })),
  ];
  const fraction = Math.max(
    0,
    ...rows.flatMap(({ before, after }) => [before, after].map((row) => fractionDigits(row?.rate ?? ""))),
  );
  const value = (row: OfficialRow | null, unit: number) =>
    row === null ? (
      <span class="dim">none</span>
    ) : (
      <>
        {row.unit !== unit && <span class="dim">for {row.unit}: </span>}
        <Figure text={row.rate} fraction={fraction} />
      </>
    );
  return (
    <>
      {validityBefore !== null && (
        <p>
          Validity before: <Validity {...validityBefore} />
        </p>
      )}
      {rows.length > 0 && (
        <Table
          label="Differences"
          class="official-differences"
          caption={`${changed.length} changed, ${added.length} added, ${removed.length} removed`}
          columns={["Currency", "Change", numbers("Before"), numbers("After"), "Quoted in"]}
          rows={rows.map(({ what, before, after, row }) => [
            <>
              {row.unit} {row.base} <span class="dim">{KIND_WORDS[row.kind]}</span>
            </>,
            what,
            value(before, row.unit),
            value(after, row.unit),
            row.quote,
          ])}
        />
      )}
    </>
  );
}
