/** The operator's page of held figures, held publications and refused quotes. A decision is in the audit log before it takes effect. */
/* @jsxImportSource preact */

import { Elysia } from "elysia";
import type { ComponentChildren } from "preact";
import type { Verdict } from "#domain/acceptance/judgement.ts";
import { RELEASABLE_RULES } from "#domain/acceptance/printed.ts";
import { currencyOf, type HeldEvidence, type Statement } from "#domain/acceptance/statements.ts";
import { type Contradictions, countBy, newestFirst } from "#domain/acceptance/unsettled.ts";
import type { AuditDetail } from "#domain/account/ledger.ts";
import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { HeldFigure } from "#domain/intake/reading.ts";
import type { RefusedQuote } from "#domain/live/feed-choice.ts";
import { FEEDS } from "#domain/live/live-quote.ts";
import type { HeldPublication } from "#domain/official/doubts.ts";
import { formatDay, parseDay } from "#domain/time/day.ts";
import type { FigureReview } from "#ports.ts";
import { dateOf, Others, When } from "#web/shared/figure.tsx";
import { Action, Facts } from "#web/shared/forms.tsx";
import { SOURCE_NAMES } from "#web/shared/words.ts";
import type { OperatorTools } from "./accounts.tsx";
import { roomPage, type Said } from "./frame.tsx";
import { pageWithForms, seeOther } from "./respond.ts";

/** Results of forms, by the name in the address that a form leads to. */
const DONE = {
  released: "Released: it is served within seconds.",
  "document-released":
    "Released: what only missed a witness is served within seconds. What stays in the list is to be decided on one by one.",
  "document-discarded": "Discarded: every held figure of the document.",
  discarded: "Discarded.",
  publications: "Noted: the next reading of the table follows it.",
  quote: "The quotes near this price are accepted until the next daily reference.",
};

const DECIDED: Readonly<Record<Verdict, string>> = { release: "released", discard: "discarded" };

interface Deps {
  readonly tools: OperatorTools;
  readonly figures: FigureReview;
}

/** Resolves with a name in `DONE`. */
type Act = (deps: Deps, fields: URLSearchParams, verdict: Verdict) => Promise<string>;

export const figurePages = (deps: Deps) => {
  const page = pageWithForms((said) => figuresShown(deps.figures, said), DONE);
  const form = (act: Act, verdict: Verdict) =>
    page.form(async (fields) => seeOther(`/operator/figures?done=${await act(deps, fields, verdict)}`));
  return new Elysia({ name: "figures", prefix: "/operator/figures" })
    .get("", page.view)
    .post("/release", form(decide, "release"))
    .post("/discard", form(decide, "discard"))
    .post("/release-document", form(decideDocument, "release"))
    .post("/discard-document", form(decideDocument, "discard"))
    .post("/release-publications", form(decidePublications, "release"))
    .post("/discard-publications", form(decidePublications, "discard"))
    .post("/release-quote", form(releaseQuote, "release"));
};

async function figuresShown(figures: FigureReview, said: Said): Promise<string> {
  const listed = (await (await figures.publications())?.list()) ?? [];
  const publications = Map.groupBy(listed, ({ table }) => table);
  const held = heldShown(figures);
  const [refused, releases] = [figures.refused(), figures.releases()];
  return roomPage({
    ...said,
    title: "Figures",
    section: "figures",
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
        <Contradicted contradictions={figures.contradictions()} />
        {held.documents.map((document) => (
          <Document key={document.sha256} {...document} />
        ))}
        {held.shown.map((evidence) => (
          <HeldItem key={nameOf(evidence)} {...evidence} />
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

/** A wrong history file can hold back tens of thousands of figures. */
const MOST_SHOWN = 200;

function heldShown(figures: FigureReview) {
  const all = newestFirst(figures.held());
  const count = countBy(all, ({ documentSha256 }) => documentSha256);
  const documents = [...count].map(([sha256, ofDocument]) => {
    const { document, source } = all.find((held) => held.documentSha256 === sha256) as HeldFigure;
    return { sha256, document, source, count: ofDocument };
  });
  return {
    count: all.length,
    shown: all.slice(0, MOST_SHOWN).map(figures.evidence),
    documents: documents.filter((document) => document.count > 1).slice(0, MOST_DOCUMENTS),
  };
}

const MOST_DOCUMENTS = 50;

/** Fails with `conflict` when no figure of the document is held any more. */
async function decideDocument({ tools, figures }: Deps, fields: URLSearchParams, verdict: Verdict) {
  const sha256 = fields.get("document") ?? "";
  const held = figures.held().filter(({ documentSha256 }) => documentSha256 === sha256);
  const [first] = held;
  if (first === undefined) throw noLonger();
  const { source, document } = first;
  const detail = { decision: verdict, figures: held.length, address: document };
  await note(tools, `document:${source}/${sha256}`, detail);
  if ((await figures.decideDocument(sha256, verdict)) === null) throw noLonger();
  return `document-${DECIDED[verdict]}`;
}

/** Fails with `conflict` when another figure is held by now, or the rule cannot be overruled. */
async function decide({ tools, figures }: Deps, fields: URLSearchParams, verdict: Verdict) {
  const source = DAILY_SOURCES.find((id) => id === fields.get("source"));
  const date = parseDay(fields.get("date") ?? "");
  const held = figures.held().find(
    (figure) =>
      figure.source === source &&
      figure.date === date &&
      currencyOf(figure) === fields.get("currency") &&
      // The operator's page showed this value; another collection may have replaced it.
      figure.printed === fields.get("printed"),
  );
  if (held === undefined) throw noLonger();
  const currency = currencyOf(held);
  if (verdict === "release" && !RELEASABLE_RULES.has(held.rule)) {
    throw new Failure("conflict", { reason: `a figure held by ${held.rule} can only be discarded` });
  }
  const day = formatDay(held.date);
  await note(tools, `figure:${held.source}/${day}/${currency}`, { decision: verdict, printed: held.printed });
  const { source: from, date: of } = held;
  if (!(await figures.decide({ source: from, date: of, currency }, verdict))) throw noLonger();
  return DECIDED[verdict];
}

/** Decides one publication of a table, or all its held ones. Fails with `conflict` when others, or other rates, are held by now. */
async function decidePublications({ tools, figures }: Deps, fields: URLSearchParams, verdict: Verdict) {
  const review = await figures.publications();
  const [table, publication] = [fields.get("table"), fields.get("publication")];
  const readings = ((await review?.list()) ?? []).filter(
    (held) => held.table === table && (publication === null || held.publication === publication),
  );
  if (review === null || readings.length === 0 || seenAs(readings) !== fields.get("seen")) throw noLonger();
  const subject = `publication:${table}/${publication ?? "all"}`;
  await note(tools, subject, { decision: verdict, publications: readings.length });
  await review.decide(readings, verdict);
  return "publications";
}

/** Fails with `conflict` when the quote is no longer refused at that price. */
async function releaseQuote({ tools, figures }: Deps, fields: URLSearchParams) {
  const feed = FEEDS.find((name) => name === fields.get("feed"));
  const currency = CURRENCY_CODES.find((code) => code === fields.get("currency"));
  const price = fields.get("price");
  const isRefused = figures
    .refused()
    ?.refused.some((quote) => quote.feed === feed && quote.currency === currency && quote.price === price);
  if (feed === undefined || currency === undefined || price === null || isRefused !== true) throw noLonger();
  await note(tools, `quote:${feed}/${currency}`, { decision: "release", price });
  figures.release(feed, currency, price);
  return "quote";
}

function noLonger(): Failure {
  return new Failure("conflict", { reason: "the figure is no longer held, or its value has changed" });
}

async function note(tools: OperatorTools, subject: string, detail: AuditDetail): Promise<void> {
  await tools.ledger.audit.append({ action: "operator.note", subject, detail }, tools.by());
}

/** Figures that a route states differently from the served ones. A decision on a held figure may settle them. */
function Contradicted({ contradictions }: { readonly contradictions: readonly Contradictions[] }) {
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

type HeldDocument = ReturnType<typeof heldShown>["documents"][number];

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

interface EvidenceProps {
  readonly heading: "h2" | "h3";
  readonly title: string;
  readonly reason: string;
  readonly rule: string;
  readonly facts: Readonly<Record<string, ComponentChildren>>;
  readonly children: ComponentChildren;
}

function Evidence({ heading: Heading, title, reason, rule, facts, children }: EvidenceProps) {
  return (
    <article class="entry">
      <Heading>{title}</Heading>
      <p>
        <Others>{reason}</Others> <span class="dim">({rule})</span>
      </p>
      <Facts as="tiles" facts={facts} />
      <div class="row actions">{children}</div>
    </article>
  );
}

function HeldItem({ held, currency, believed, statements }: HeldEvidence) {
  const { source, date, base, quote, printed, rule, reason, retrievedAt, document } = held;
  const name = { source, date: formatDay(date), currency, printed };
  const canRelease = RELEASABLE_RULES.has(rule);
  const facts = {
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
    "Routes state":
      statements.length === 0 ? (
        <span class="dim">nothing different</span>
      ) : (
        statements.map((said) => (
          <span key={`${said.route} ${said.first}`}>
            {said.route}: <b>{saidText(said)}</b>
          </span>
        ))
      ),
  };
  return (
    <Evidence
      heading="h2"
      title={`${base}/${quote}, ${dateOf(formatDay(date))}`}
      {...{ reason, rule, facts }}
    >
      {canRelease && <Action path="/operator/figures/release" fields={name} name="Release" />}
      <Action path="/operator/figures/discard" fields={name} name="Discard" />
      {!canRelease && <span class="dim">Figures held by this rule cannot be released.</span>}
    </Evidence>
  );
}

function saidText({ says, printed }: Statement): string {
  if (says === "value") return printed ?? "a value";
  return says === "nothing" ? "no figure" : "the accepted figure";
}

function Refused({ feed, currency, pair, price, rule, reason, observedAt, since, reference }: RefusedQuote) {
  const facts = {
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
  };
  return (
    <Evidence heading="h3" title={`${pair}, ${feed}`} {...{ reason, rule, facts }}>
      {rule !== "contradicts" && (
        <Action
          path="/operator/figures/release-quote"
          fields={{ feed, currency, price }}
          name="Release near this price"
        />
      )}
    </Evidence>
  );
}

/** The most listed for one table; the others can be decided only together. */
const MOST_LISTED = 20;

/** A digest of what a page showed of these readings. It changes when other readings, or other rates, are held. */
function seenAs(readings: readonly HeldPublication[]): string {
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
                <b>{reading.publication}</b>, version {reading.version}, read{" "}
                <When at={reading.firstReadAt} />: <Others>{reading.reason}</Others>{" "}
                <span class="dim">({reading.rule})</span>
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
