/** The provenance of one number: figures, documents, times, earlier values, computation and query. Part of pages, and a fragment of HTML. */
/* @jsxImportSource preact */

import { Elysia } from "elysia";
import { renderToString } from "preact-render-to-string";
import { dateOf as dayIn } from "#api/parameters.ts";
import { queryOf } from "#api/request/query.ts";
import { type CurrencyIndex, currencyCode, parsePair } from "#domain/currency/currency.ts";
import { simulatedMark } from "#domain/dataset/dataset.ts";
import { citationOf, type DailyFigure, type LiveFigure, type RateLeg } from "#domain/explain/explanation.ts";
import { Failure } from "#domain/faults/errors.ts";
import { crossRate } from "#domain/history/cross.ts";
import { type Day, formatDay } from "#domain/time/day.ts";
import { quote } from "#rates/convert.ts";
import { type ExplainDeps, type Explanation, explain } from "#rates/explain.ts";
import { OWN_PAGES, type PageParts } from "#web/page-data.ts";
import { dateOf, Others, OutsideLink, When } from "#web/shared/figure.tsx";
import { CopyButton, Facts } from "#web/shared/forms.tsx";
import { Code } from "#web/shared/snippets.tsx";

export interface ProvenanceDeps extends ExplainDeps {
  /** Minutes that live rates are held back. */
  readonly pageDelayMinutes: number;
}

export function explained(
  deps: ProvenanceDeps,
  [from, to]: readonly [number, number],
  day: Day | null,
): Explanation {
  return explain(deps, { from, to, day, delayMinutes: deps.pageDelayMinutes });
}

/**
 * The newest day, if its rate is too old to be the latest, as after a start with the packaged history: pages then show it as
 * stale. Null if there is a latest rate. Throws the Failure of `quote` if that day has no rate either.
 */
export function dayWithoutLatest(deps: ProvenanceDeps, base: CurrencyIndex, to: CurrencyIndex): Day | null {
  try {
    quote(deps, { base, quote: to, dp: null, delayMinutes: deps.pageDelayMinutes });
    return null;
  } catch (thrown) {
    const history = deps.dataset()?.history;
    const isOld = thrown instanceof Failure && thrown.code === "data_unavailable";
    if (!isOld || history === undefined || crossRate(history, history.lastDay, base, to) === null)
      throw thrown;
    return history.lastDay;
  }
}

export const provenance = ({ house, frame, admit, ...deps }: ProvenanceDeps & PageParts) => {
  const asked = (request: Request, { from, to }: { readonly from: string; readonly to: string }) => {
    const pair = parsePair(from, to);
    const date = queryOf(request)("date");
    const day = date === undefined ? dayWithoutLatest(deps, ...pair) : dayIn(date);
    admit(request);
    return explained(deps, pair, day);
  };
  return new Elysia({ name: "provenance" })
    .use(house)
    .get(
      "/site/provenance/:from/:to",
      async ({ request, params }) =>
        frame.page(request, renderToString(<Provenance explanation={await asked(request, params)} />)),
      OWN_PAGES,
    );
};

export function Provenance({ explanation }: { readonly explanation: Explanation }) {
  const { base, quote, day, rate, derived, boundBps, stale, forwardFilled, legs, computation } = explanation;
  const [from, to] = [currencyCode(base), currencyCode(quote)];
  const days = new Set(legs.flatMap((leg) => (leg.kind === "daily" ? dateOf(formatDay(leg.date)) : [])));
  return (
    <section class="provenance small" aria-label="Where this number comes from">
      <h2>Where this number comes from</h2>
      <p class="big provenance-rate">
        1 {from} = <strong data-rate={rate}>{rate}</strong> {to}
      </p>
      <p class="dim">
        {kindOf(legs, derived)}
        {boundBps !== null && `, error ≤ ${boundBps} bps`}
        {day !== null && `, for ${dateOf(formatDay(day))}`}
        {forwardFilled === true && `, from the figures of ${[...days].join(" and ")}`}
        {stale && ", stale: a newer publication was due"}.
      </p>
      <ol class="computation" aria-label="Computation">
        {computation.lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ol>
      <Citation legs={legs} />
      {legs.map((leg) => (
        <Leg key={`${leg.source} ${leg.base} ${leg.quote}`} {...leg} />
      ))}
      <FromLake {...explanation} />
      <p class="provenance-api">
        <a href={`/v1/explain/${from}/${to}${day === null ? "" : `?date=${formatDay(day)}`}`}>As JSON</a>
      </p>
    </section>
  );
}

/** A line to cite, of daily figures. */
function Citation({ legs }: Pick<Explanation, "legs">) {
  const daily = legs.filter((leg) => leg.kind === "daily");
  if (daily.length < legs.length) return <p class="dim">The rate of a day has a line to cite.</p>;
  const text = simulatedMark(daily.some(({ simulated }) => simulated)) + citationOf(daily);
  return (
    <p>
      <span class="dim">To cite:</span> <code class="breaks">{text}</code>{" "}
      <CopyButton text={text} class="button" />
    </p>
  );
}

/** Offers the query once it returns the figure; before that, shows the time from which it does. */
function FromLake({ sql, inLakeAt }: Pick<Explanation, "sql" | "inLakeAt">) {
  if (inLakeAt !== null)
    return (
      <p class="dim" data-awaits-lake>
        Not in the lake yet: the quote is stored on <When at={inLakeAt} />. The query that returns this figure
        then appears here.
      </p>
    );
  return (
    <details>
      <summary>Reproduce with DuckDB</summary>
      <p class="dim">Run this query on the Parquet files to get the same figure.</p>
      <Code text={sql} />
    </details>
  );
}

function kindOf(legs: readonly RateLeg[], derived: boolean): string {
  if (legs.length === 0) return "A currency against itself";
  const [leg] = legs;
  const isMixed = legs.some(({ kind }) => kind !== leg?.kind);
  const figures = isMixed
    ? "quotes and published values"
    : leg?.kind === "live"
      ? "quotes"
      : "published values";
  if (derived) return `A cross of ${legs.length} ${figures}`;
  if (leg?.kind === "live") return leg.multiplies ? "A live quote" : "The inverse of a live quote";
  return leg?.multiplies === true ? "Printed as published" : "The inverse of a published value";
}

function Leg(leg: RateLeg) {
  const { base, quote, printed, simulated, terms } = leg;
  return (
    <div class="leg">
      <h3>
        {base}/{quote} {printed}
        {simulated && <span class="dim"> simulated</span>}
      </h3>
      <Facts as="list" facts={leg.kind === "daily" ? dailyFacts(leg) : liveFacts(leg)} />
      <p class="dim terms">{terms}</p>
    </div>
  );
}

function dailyFacts(figure: DailyFigure) {
  const { authority, date, observedAt, publishedAt, retrievedAt, document, earlier, printed } = figure;
  return {
    Authority: authority,
    Day: dateOf(formatDay(date)),
    Observed: <When at={observedAt} />,
    Published: <When at={publishedAt} absent="not stated by the document" />,
    Retrieved: <When at={retrievedAt} />,
    Document:
      document === null ? (
        "unknown"
      ) : (
        <>
          <OutsideLink url={document.document} rel="noreferrer nofollow">
            <Others>{nameOf(document.document)}</Others>
          </OutsideLink>
          <br />
          <span class="dim digest">sha256 {document.documentSha256}</span>
        </>
      ),
    Revisions:
      earlier.length === 0 ? (
        "none"
      ) : (
        <ol class="plain-list">
          {earlier.map((old) => (
            <li key={old.revision}>
              <s>{old.printed}</s> until <When at={old.supersededAt} />, {old.why}
            </li>
          ))}
          <li>
            <b>{printed}</b> since
          </li>
        </ol>
      ),
  };
}

function liveFacts({ authority, observedAt, retrievedAt, bid, ask }: LiveFigure) {
  return {
    Feed: authority,
    Observed: <When at={observedAt} />,
    Retrieved: <When at={retrievedAt} />,
    "Bid and ask": bid !== null && ask !== null ? `${bid} / ${ask}` : undefined,
  };
}

/** The last part of an address's path, else its host. */
function nameOf(address: string): string {
  const url = URL.parse(address);
  if (url === null) return address;
  return url.pathname.split("/").findLast((part) => part !== "") ?? url.hostname;
}
