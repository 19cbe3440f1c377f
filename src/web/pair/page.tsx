/** The page of a pair: the current rate, its history, and the provenance of each number. */
/* @jsxImportSource preact */

import { CURRENCIES, CURRENCY_CODES, currencyIndex } from "#domain/currency/currency.ts";
import { COVERAGE_START, type Day, formatDay } from "#domain/time/day.ts";
import type { Explanation } from "#rates/explain.ts";
import { Provenance } from "#web/provenance/provenance.tsx";
import { Away } from "#web/shared/away.tsx";
import { Options, Submit } from "#web/shared/forms.tsx";
import { DataBlock, renderPage, type Site } from "#web/shared/page.tsx";
import { Snippets } from "#web/shared/snippets.tsx";
import { HistoryTable, Summary, WindowButtons } from "./history.tsx";
import { Converter, PairOrigin } from "./now.tsx";
import {
  momentOf,
  type PairNow,
  type PairSeries,
  pairSnippets,
  pairTitle,
  shownRate,
  unpacked,
  windowStart,
} from "./pair-data.ts";

export interface PairPageProps {
  readonly site: Site;
  readonly now: PairNow;
  /** Without daily figures the reason. */
  readonly series: PairSeries | string;
  readonly explanation: Explanation;
}

const FIRST_WINDOW = "1Y";
const FIRST_ROWS = 15;

export function pairPage({ site, now, series: stored, explanation }: PairPageProps): string {
  const { base, quote, baseName, quoteName, rate } = now;
  const shown = shownRate(now, rate);
  const series = typeof stored === "string" ? null : stored;
  const whole = series === null || series.days.length === 0 ? null : unpacked(series);
  const last = whole?.days.at(-1) ?? 0;
  const first = whole === null ? 0 : windowStart(FIRST_WINDOW, whole.days[0] as number, last);
  const since = whole === null ? "" : ` since ${formatDay(whole.days[0] as number).slice(0, 4)}`;
  const span = { first, last };
  return renderPage({
    site,
    title: pairTitle(now),
    description: `${now.mark}1 ${baseName} was ${shown} ${quoteName} on ${momentOf(now)}. Daily rates${since} with their sources, corrections included; CSV and Parquet.`,
    path: `/${base}-${quote}`.toLowerCase(),
    section: "rates",
    script: "pair.js",
    // Programs that read this block would not notice that rates are simulated.
    ...(now.mark === "" && {
      structured: {
        "@context": "https://schema.org",
        "@type": "ExchangeRateSpecification",
        currency: base,
        currentExchangeRate: {
          ...{ "@type": "UnitPriceSpecification", price: rate, priceCurrency: quote },
          validFrom: now.effectiveAt,
        },
      },
    }),
    children: (
      <>
        <nav class="crumbs" aria-label="Breadcrumb">
          <a href="/">Rates</a> <span aria-hidden="true">/</span> {base}/{quote}
        </nav>
        <div class="hero" id="pair-head">
          <h1>
            {baseName} to {quoteName}
          </h1>
          <p class="big" aria-live="polite">
            1 {base} ={" "}
            <a href="#provenance" class="explained" data-explain="" title="Where this number comes from">
              <strong id="pair-rate">{shown}</strong>
            </a>{" "}
            {quote}
          </p>
          <PairPicker base={base} quote={quote} />
          <p class="row small" id="pair-origin">
            <PairOrigin {...now} />
          </p>
          <div id="away">
            <Away reason={null} age={null} />
          </div>
        </div>
        <div class="with-side at-end">
          <section class="pair-history" aria-label={`History of ${base}/${quote}`}>
            <div id="history">
              {whole === null ? (
                <p>
                  {typeof stored === "string"
                    ? `The history of this pair cannot be shown: ${stored}.`
                    : "No daily rates of this pair."}
                </p>
              ) : (
                <>
                  <div class="row chart-controls small">
                    <WindowButtons window={FIRST_WINDOW} />
                  </div>
                  <div class="chart" />
                  <Summary series={whole} span={span} />
                  <HistoryTable {...{ base, quote, span }} series={whole} rows={FIRST_ROWS} />
                </>
              )}
            </div>
            <DataBlock
              id="pair-data"
              data={{ now, codes: CURRENCY_CODES, version: series?.version ?? null }}
            />
          </section>
          <aside class="aside" aria-label="Details">
            <div id="converter">
              <Converter {...{ base, quote, rate }} />
            </div>
            <DayPicker chosen={explanation.day} />
            <div id="provenance">
              <Provenance explanation={explanation} />
            </div>
            <h2>Use the API</h2>
            <Snippets snippets={pairSnippets(site.origin, base, quote)} />
          </aside>
        </div>
      </>
    ),
  });
}

/** Two lists to choose another pair; without JavaScript the button sends the form. */
function PairPicker({ base, quote }: { readonly base: string; readonly quote: string }) {
  const list = (name: string, label: string, chosen: string) => (
    <label>
      <span class="visually-hidden">{label}</span>
      <select name={name} id={`pair-${name}`}>
        <Options
          values={CURRENCY_CODES}
          chosen={chosen}
          textOf={(code) => `${code} · ${CURRENCIES[currencyIndex(code)]?.name}`}
        />
      </select>
    </label>
  );
  return (
    <form class="row pair-picker small" id="pair-picker" action="/pair" method="get" autocomplete="off">
      {list("from", "From", base)}
      <a class="button" href={`/${quote}-${base}`.toLowerCase()} title={`${quote}/${base}`}>
        Swap
      </a>
      {list("to", "To", quote)}
      <noscript>
        <Submit kind="">Show</Submit>
      </noscript>
    </form>
  );
}

/** Opens the page with the rate of a day, its sources and its digits. */
function DayPicker({ chosen }: { readonly chosen: Day | null }) {
  return (
    <form class="row pair-picker small" action="#provenance" method="get" autocomplete="off">
      <label>
        Rate of a day{" "}
        <input
          type="date"
          name="date"
          min={formatDay(COVERAGE_START)}
          value={chosen === null ? "" : formatDay(chosen)}
          required
        />
      </label>
      <Submit kind="">Show</Submit>
    </form>
  );
}
