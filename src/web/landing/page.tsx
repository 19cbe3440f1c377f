/** GET /: the landing page with all rates, the provenance of one, and calls for programs. */
/* @jsxImportSource preact */

import { Elysia } from "elysia";
import { baseOf, type Query } from "#api/parameters.ts";
import { formOf } from "#api/request/query.ts";
import { CURRENCIES, currencyCode, parsePair } from "#domain/currency/currency.ts";
import { isOfTwoDays, leastFresh } from "#domain/spot/rates.ts";
import { formatDay, formatInstant } from "#domain/time/day.ts";
import type { Explanation } from "#rates/explain.ts";
import { board, type Board as Rates } from "#rates/latest.ts";
import type { RatesDeps } from "#rates/query.ts";
import type { PageParts } from "#web/page-data.ts";
import { explained, Provenance, type ProvenanceDeps } from "#web/provenance/provenance.tsx";
import { DataBlock, renderPage, type Site } from "#web/shared/page.tsx";
import { Code, Snippets } from "#web/shared/snippets.tsx";
import { Board, type BoardData, type BoardStart, latestSnippets } from "./board.tsx";

type LandingDeps = RatesDeps & ProvenanceDeps & PageParts;

export const landing = ({ house, frame, admit, ...deps }: LandingDeps) => {
  const read = (query: Query) =>
    boardData(board(deps, { base: baseOf(query), delayMinutes: deps.pageDelayMinutes }));
  const page = async (request: Request) => {
    const query = formOf(request);
    const site = await frame.site(request);
    const [amount, search] = [query("amount") ?? "1", query("search") ?? ""];
    const to = query("to");
    const props = () => ({ site, data: read(query), amount, search });
    if (to === undefined) {
      const make = () => landingPage({ ...props(), explanation: null });
      return frame.sharedPage(request, deps.spot(deps.pageDelayMinutes).identity, make);
    }
    const pair = parsePair(currencyCode(baseOf(query)), to);
    admit(request);
    const explanation = explained(deps, pair, null);
    return frame.page(request, landingPage({ ...props(), explanation }));
  };
  return new Elysia({ name: "landing" }).use(house).get("/", async ({ request }) => await page(request));
};

/** Currencies by their share of turnover in the triennial survey of central banks; the others follow by code. */
const FIRST = "USD EUR JPY GBP CNY AUD CAD CHF HKD SGD SEK KRW NOK NZD INR MXN".split(" ");

function byTurnover(rates: Rates["latest"]["rates"]) {
  const place = ({ to }: { readonly to: number }) => {
    const index = FIRST.indexOf(currencyCode(to));
    return index === -1 ? FIRST.length : index;
  };
  return [...rates].sort((a, b) => place(a) - place(b));
}

function boardData({ latest, nextTurn, months }: Rates): BoardData {
  const { base, rates, origin, session } = latest;
  return {
    base: currencyCode(base),
    session,
    nextTurn: { at: formatInstant(nextTurn.at), session: nextTurn.session },
    rows: byTurnover(rates).map((rate) => {
      const { to, text } = rate;
      const code = currencyCode(to);
      const { source, observedAt } = leastFresh(rate.figures);
      const effectiveAt = formatInstant(observedAt);
      const month = months.get(to) ?? [];
      // A rate from figures of two days has no single day before it to be compared with.
      const isBefore = ({ day }: (typeof month)[number]) => formatDay(day) < effectiveAt.slice(0, 10);
      const before = isOfTwoDays(rate) ? undefined : month.findLast(isBefore);
      return {
        code,
        name: CURRENCIES[to]?.name ?? code,
        rate: text,
        source,
        effectiveAt,
        isStale: origin.stale[code] === true,
        isSimulated: origin.simulated.codes.includes(code),
        month: month.map(({ rate }) => rate),
        monthEnds: [month[0], month.at(-1)].flatMap((end) => (end === undefined ? [] : formatDay(end.day))),
        before: before === undefined ? null : { date: formatDay(before.day), rate: before.rate },
      };
    }),
  };
}

export interface LandingProps extends Omit<BoardStart, "selected"> {
  readonly site: Site;
  /** Explains the number of the chosen row; null when no row is chosen. */
  readonly explanation: Explanation | null;
}

function landingPage({ site, data, amount, search, explanation }: LandingProps): string {
  const selected = explanation === null ? null : currencyCode(explanation.quote);
  return renderPage({
    site,
    title: "Crossrate: foreign-exchange rates that say where they come from",
    description:
      "Indicative exchange rates of 31 currencies and 465 pairs, daily from 1999 on, the actively traded ones live. Every number states its source, its age and the arithmetic behind it.",
    path: "/",
    section: "rates",
    script: "landing.js",
    structured: {
      "@context": "https://schema.org",
      "@type": "WebAPI",
      name: "Crossrate",
      description: "Indicative foreign-exchange rates with exact provenance.",
      documentation: `${site.origin}/docs`,
    },
    children: (
      <>
        <div class="hero">
          <h1>Exchange rates that say where they come from</h1>
          <p class="lead">
            31 currencies, 465 pairs: daily from 1999 on, the actively traded ones live through the day. Ask
            any number for its source, its age and the exact arithmetic behind it.
          </p>
        </div>
        <div class="with-side at-end">
          <div id="board">
            <Board {...{ data, amount, search, selected }} />
          </div>
          <DataBlock id="board-data" data={{ data, amount, search, selected }} />
          <aside class="aside" aria-label="Details">
            <div id="provenance">
              {explanation === null ? (
                <div class="provenance-hint">
                  <h2>Where a number comes from</h2>
                  <p class="dim">
                    Select a rate in the table to see its source document, times, earlier values and
                    arithmetic here.
                  </p>
                </div>
              ) : (
                <Provenance explanation={explanation} />
              )}
            </div>
            <h2>Use the API</h2>
            <p class="dim">The rates of this table, without a key.</p>
            <div id="snippets">
              <Snippets snippets={latestSnippets(site.origin, data.base)} />
            </div>
          </aside>
        </div>
        <section class="about" aria-label="About the service">
          <div>
            <h2>What it is for</h2>
            <p class="dim">
              Prices in a shop, reports in another currency, research on twenty-seven years of daily rates.
              Values are stored as their authorities published them, with every later correction.
            </p>
          </div>
          <div>
            <h2>What it is not for</h2>
            <p class="dim">
              Settlement, regulated trading, or a source of record. The rates are indicative mid rates, not
              prices at which a bank buys or sells.
            </p>
          </div>
          <div>
            <h2>Run it yourself</h2>
            <p class="dim">
              One process, no other service. It collects its own data and keeps it as open Parquet files. In a
              clone of the repository:
            </p>
            <Code text={"npx -y bun@1.4.5 run serve\ncurl localhost:3000/v1/latest"} />
          </div>
        </section>
      </>
    ),
  });
}
