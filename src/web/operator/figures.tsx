/** The operator's page of held figures, held publications and refused quotes, each with its evidence and the buttons for a decision. */
/* @jsxImportSource preact */

import { RELEASABLE_RULES } from "#domain/acceptance/printed.ts";
import type { HeldEvidence, Statement } from "#domain/acceptance/statements.ts";
import type { Contradictions } from "#domain/acceptance/unsettled.ts";
import type { DailySource } from "#domain/currency/source.ts";
import type { RefusedQuote } from "#domain/live/feed-choice.ts";
import type { QuoteRelease } from "#domain/live/live-quote.ts";
import type { HeldPublication } from "#domain/official/doubts.ts";
import { formatDay, type Instant } from "#domain/time/day.ts";
import { dateOf, When } from "#web/shared/figure.tsx";
import { Action, Facts } from "#web/shared/forms.tsx";
import { Others } from "#web/shared/others.tsx";
import { SOURCE_NAMES } from "#web/shared/words.ts";
import { roomPage, type Said } from "./frame.tsx";

export interface FiguresProps extends Said {
  readonly held: {
    readonly count: number;
    readonly shown: readonly HeldEvidence[];
    readonly documents: readonly HeldDocument[];
  };
  readonly contradictions: readonly Contradictions[];
  readonly publications: ReadonlyMap<string, readonly HeldPublication[]>;
  /** Null before any server has collected live quotes. */
  readonly refused: { readonly at: Instant; readonly refused: readonly RefusedQuote[] } | null;
  readonly releases: readonly QuoteRelease[];
}

interface HeldDocument {
  readonly sha256: string;
  readonly document: string;
  readonly source: DailySource;
  readonly count: number;
}

export function figuresPage(props: FiguresProps): string {
  const { held, publications, contradictions, refused, releases, notice, refusal } = props;
  return roomPage({
    title: "Figures",
    section: "figures",
    notice,
    refusal,
    children: (
      <>
        <h1>Held figures</h1>
        <p class="lead">
          A held figure is stored and not served. Release it if the authority really published it; discard it
          if it is an error.
        </p>
        {held.count === 0 && <p>No figures are held.</p>}
        {held.count > held.shown.length && (
          <p>
            {held.count} figures are held. Those of the newest days are shown, {held.shown.length} of them.
          </p>
        )}
        <Contradicted contradictions={contradictions} />
        {held.documents.map((document) => (
          <Document key={document.sha256} {...document} />
        ))}
        {held.shown.map((evidence) => (
          <Held key={nameOf(evidence)} {...evidence} />
        ))}
        <HeldPublications tables={publications} />
        <section>
          <h2>Refused live quotes</h2>
          {refused === null ? (
            <p class="dim">No server has collected live quotes here yet.</p>
          ) : refused.refused.length === 0 ? (
            <p class="dim">
              None, as of <When at={refused.at} />.
            </p>
          ) : (
            refused.refused.map((quote) => <Refused key={`${quote.feed} ${quote.currency}`} {...quote} />)
          )}
        </section>
        <section>
          <h2>Active releases</h2>
          {releases.length === 0 ? (
            <p class="dim">None.</p>
          ) : (
            <ul>
              {releases.map(({ at, feed, currency, price, reference }) => (
                <li key={`${feed} ${currency} ${at}`}>
                  {feed} {currency} near {price}, on <When at={at} />, until{" "}
                  {reference === null ? (
                    "the first daily reference"
                  ) : (
                    <>
                      a daily reference after <When at={reference.observedAt} />
                    </>
                  )}
                </li>
              ))}
            </ul>
          )}
        </section>
      </>
    ),
  });
}

/** What routes state differently from what is served; a decision on a held figure may settle it. */
function Contradicted({ contradictions }: Pick<FiguresProps, "contradictions">) {
  if (contradictions.length === 0) return null;
  return (
    <section>
      <h2>Contradictions between routes</h2>
      <p class="dim">
        The served figures stay until another kind of route or an operator settles these. A contradiction ends
        when its route states the served figure.
      </p>
      <ul>
        {contradictions.map(({ source, count, since, example }) => (
          <li key={source}>
            {SOURCE_NAMES[source]?.long ?? source}: {count === 1 ? "1 figure" : `${count} figures`} since{" "}
            <When at={since} />. <Others>{example}</Others>.
          </li>
        ))}
      </ul>
    </section>
  );
}

function Document({ sha256, document, source, count }: HeldDocument) {
  return (
    <section class="entry">
      <h2>{count} figures of one document</h2>
      <p>
        {SOURCE_NAMES[source]?.long ?? source} <span class="dim breaks">{document}</span>{" "}
        <span class="dim">sha256 {sha256.slice(0, 12)}…</span>
      </p>
      <div class="row actions">
        <Action
          path="/operator/figures/release-document"
          fields={{ document: sha256 }}
          name="Release figures that only lack confirmation"
        />
        <Action path="/operator/figures/discard-document" fields={{ document: sha256 }} name="Discard all" />
      </div>
    </section>
  );
}

function nameOf({ held: { source, date }, currency }: HeldEvidence): string {
  return `${source} ${formatDay(date)} ${currency}`;
}

function Held({ held, currency, believed, statements }: HeldEvidence) {
  const { source, date, base, quote, printed, rule, reason, retrievedAt, document } = held;
  const name = { source, date: formatDay(date), currency, printed };
  const canRelease = RELEASABLE_RULES.has(rule);
  return (
    <section class="entry">
      <h2>
        {base}/{quote}, {dateOf(formatDay(date))}
      </h2>
      <p>
        <Others>{reason}</Others> <span class="dim">({rule})</span>
      </p>
      <Facts
        as="tiles"
        facts={{
          Held: (
            <>
              <b>{printed}</b>
              <span class="dim">
                {SOURCE_NAMES[source]?.long ?? source}, read <When at={retrievedAt} />
              </span>
              <span class="dim breaks">{document}</span>
            </>
          ),
          "Last accepted": (
            <>
              <b>{believed?.printed ?? "none"}</b>
              {believed !== null && (
                <span class="dim">
                  of {dateOf(formatDay(believed.date))}, read <When at={believed.retrievedAt} />
                </span>
              )}
            </>
          ),
          "Other routes state":
            statements.length === 0 ? (
              <span class="dim">nothing different</span>
            ) : (
              statements.map((said) => (
                <span key={`${said.route} ${said.first}`}>
                  {said.route}: <b>{saidText(said)}</b>
                </span>
              ))
            ),
        }}
      />
      <div class="row actions">
        {canRelease && <Action path="/operator/figures/release" fields={name} name="Release" />}
        <Action path="/operator/figures/discard" fields={name} name="Discard" />
        {!canRelease && <span class="dim">Figures held by this rule cannot be released.</span>}
      </div>
    </section>
  );
}

function saidText({ says, printed }: Statement): string {
  if (says === "value") return printed ?? "a value";
  return says === "nothing" ? "no figure" : "the accepted figure";
}

function Refused({ feed, currency, pair, price, rule, reason, observedAt, since, reference }: RefusedQuote) {
  return (
    <article class="entry">
      <h3>
        {pair}, {feed}
      </h3>
      <p>
        <Others>{reason}</Others> <span class="dim">({rule})</span>
      </p>
      <Facts
        as="tiles"
        facts={{
          Refused: (
            <>
              <b>{price}</b>
              <span class="dim">
                of <When at={observedAt} />, refused since <When at={since} />
              </span>
            </>
          ),
          "Daily reference, per dollar": (
            <>
              <b>{reference === null ? "none" : reference.perDollar.toPrecision(6)}</b>
              {reference !== null && (
                <span class="dim">
                  of <When at={reference.observedAt} />
                </span>
              )}
            </>
          ),
        }}
      />
      <div class="row actions">
        <Action
          path="/operator/figures/release-quote"
          fields={{ feed, currency, price }}
          name="Release near this price"
        />
      </div>
    </article>
  );
}

/** More of a table are decided together. */
const MOST_LISTED = 20;

/** What a page showed of these readings: another text once another one of them is held. */
export function seenAs(readings: readonly HeldPublication[]): string {
  return Bun.hash(
    readings.map(({ publication, fingerprint }) => `${publication} ${fingerprint}`).join("\n"),
  ).toString(36);
}

function HeldPublications({ tables }: { readonly tables: ReadonlyMap<string, readonly HeldPublication[]> }) {
  return (
    <section>
      <h2>Held publications</h2>
      {tables.size === 0 && <p class="dim">None.</p>}
      {[...tables].map(([table, readings]) => (
        <article key={table} class="entry">
          <h3>{table}</h3>
          {readings.length > 1 && (
            <Decision table={table} readings={readings} all={` all ${readings.length}`} />
          )}
          {readings.slice(0, MOST_LISTED).map((reading) => (
            <div key={reading.publication}>
              <p>
                <b>{reading.publication}</b>, version {reading.version ?? 1}, read{" "}
                <When at={reading.firstReadAt} />: <Others>{reading.reason ?? ""}</Others>{" "}
                <span class="dim">({reading.rule ?? "decimal_slip"})</span>
              </p>
              <Decision table={table} readings={[reading]} publication={reading.publication} />
            </div>
          ))}
          {readings.length > MOST_LISTED && <p class="dim">… and {readings.length - MOST_LISTED} more.</p>}
        </article>
      ))}
    </section>
  );
}

function Decision({
  table,
  readings,
  publication,
  all = "",
}: {
  readonly table: string;
  readonly readings: readonly HeldPublication[];
  readonly publication?: string;
  readonly all?: string;
}) {
  const fields = { table, seen: seenAs(readings), ...(publication !== undefined && { publication }) };
  return (
    <div class="row actions">
      <Action path="/operator/figures/release-publications" fields={fields} name={`Release${all}`} />
      <Action path="/operator/figures/discard-publications" fields={fields} name={`Discard${all}`} />
    </div>
  );
}
