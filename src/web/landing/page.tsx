/** The landing page: all rates, the provenance of one, calls for programs, and how to run the service. */
/* @jsxImportSource preact */

import { currencyCode } from "#domain/currency/currency.ts";
import type { Explanation } from "#domain/explain/explanation.ts";
import { Provenance } from "#web/provenance/provenance.tsx";
import { DataBlock, renderPage, type Site } from "#web/shared/page.tsx";
import { Snippets } from "#web/shared/snippets.tsx";
import { Board } from "./board.tsx";
import type { BoardData } from "./board-data.ts";
import { latestSnippets } from "./snippets.ts";

export interface LandingProps {
  readonly site: Site;
  readonly data: BoardData;
  readonly amount: string;
  readonly search: string;
  /** Where the number of one row comes from; null where no row is chosen. */
  readonly explanation: Explanation | null;
}

const NOTHING: ReadonlySet<string> = new Set();

export function landingPage({ site, data, amount, search, explanation }: LandingProps): string {
  const selected = explanation === null ? null : currencyCode(explanation.quote);
  return renderPage({
    site,
    title: "Crossrate: foreign-exchange rates that say where they come from",
    description:
      "Indicative exchange rates of 31 currencies and 465 pairs, live and daily since 1999. Every number states its source, its age and the arithmetic behind it.",
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
            31 currencies, 465 pairs, live through the day and daily since 1999. Ask any number for its
            source, its age and the exact arithmetic behind it.
          </p>
        </div>
        <div class="with-aside">
          <div id="board">
            <Board {...{ data, amount, search, selected }} moved={NOTHING} reason={null} since={null} />
          </div>
          <DataBlock id="board-data" data={{ data, amount, search, selected }} />
          <aside class="aside" aria-label="Details">
            <div id="provenance">
              {explanation === null ? <Hint /> : <Provenance explanation={explanation} />}
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
            <p>
              Prices in a shop, reports in another currency, research on twenty-seven years of daily rates.
              Values are stored as their authorities published them, with every later correction.
            </p>
          </div>
          <div>
            <h2>What it is not for</h2>
            <p>
              Settlement, regulated trading, or a source of record. The rates are indicative mid rates, not
              prices at which a bank buys or sells.
            </p>
          </div>
          <div>
            <h2>Run it yourself</h2>
            <p>
              One process, no other service. It collects its own data and keeps it as open Parquet files. In a
              clone of the repository:
            </p>
            <pre>
              <code>{"npx -y bun@1.4.5 run serve\ncurl localhost:3000/v1/latest"}</code>
            </pre>
          </div>
        </section>
      </>
    ),
  });
}

function Hint() {
  return (
    <div class="provenance-hint">
      <h2>Where a number comes from</h2>
      <p class="dim">
        Select a rate in the table to see its source document, times, earlier values and arithmetic here.
      </p>
    </div>
  );
}
