/** GET /{base}-{quote}: the page of a pair; GET /site/series/…: the history that it loads. */

import { Elysia } from "elysia";
import { choice, dateOf, day, query } from "#api/parameters.ts";
import { type ExportDeps, sendExport } from "#api/range/export.ts";
import { formOf } from "#api/request/query.ts";
import { pathOf } from "#api/response/failures.ts";
import {
  CURRENCIES,
  type CurrencyIndex,
  currencyCode,
  currencyIndex,
  mixedCaseHint,
  parsePair,
} from "#domain/currency/currency.ts";
import { simulatedMark } from "#domain/dataset/dataset.ts";
import { Failure } from "#domain/faults/errors.ts";
import { COVERAGE_START, dayAt, formatInstant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { publishedUntil } from "#rates/archive.ts";
import { pairOn, quote } from "#rates/convert.ts";
import type { FileQuery } from "#rates/export/export.ts";
import { type PairHistoryDeps, pairHistory } from "#rates/pair-history.ts";
import type { RatesDeps } from "#rates/query.ts";
import { type BarsDeps, barsPage } from "#rates/range/bars.ts";
import { OWN_PAGES, type PageDataDeps, type PageParts } from "#web/page-data.ts";
import { dayWithoutLatest, explained, type ProvenanceDeps } from "#web/provenance/provenance.tsx";
import { pairPage } from "./page.tsx";
import { BARS, type PairNow, type PairSeries, WINDOWS, type Window, windowStart } from "./pair-data.ts";

type PairDeps = RatesDeps & PairHistoryDeps & ProvenanceDeps & ExportDeps & BarsDeps;

const SLUG = /^([a-z]{3})-([a-z]{3})$/i;
/** The history, and with it its ETag, changes only with the dataset. */
const REVALIDATED = "public, max-age=60, must-revalidate";

/** Other paths of one segment are not pages of pairs. */
function isSlug(path: string): boolean {
  return SLUG.test(path.split("/")[1] ?? "");
}

export const pair = ({ house, frame, admit, ...deps }: PairDeps & PageParts) => {
  const page = async (request: Request, slug: string) => {
    const path = pathOf(request.url);
    if (!isSlug(path)) throw new Failure("not_found", { path });
    const [from = "", quoted = ""] = slug.split("-");
    const hint = mixedCaseHint(from) ?? mixedCaseHint(quoted);
    if (hint !== null) throw new Failure("invalid_pair", { wording: hint });
    const [base, to] = [currencyIndex(from), currencyIndex(quoted)];
    if (base < 0 || to < 0 || base === to) throw new Failure("not_found", { path });
    if (slug !== slug.toLowerCase()) return frame.moved(request, `/${slug.toLowerCase()}`);
    const site = await frame.site(request);
    const date = formOf(request)("date");
    const day = date === undefined ? null : dateOf(date);
    const cached = frame.cachedPage(request, deps.spot(deps.pageDelayMinutes).identity);
    if (cached !== null) return cached;
    admit(request);
    const explainedDay = day ?? dayWithoutLatest(deps, base, to);
    const explanation = explained(deps, [base, to], explainedDay);
    const make = () =>
      pairPage({ site, now: pairNow(deps, base, to), series: seriesOrReason(deps, base, to), explanation });
    return frame.sharedPage(request, deps.spot(deps.pageDelayMinutes).identity, make);
  };
  return new Elysia({ name: "pair" })
    .use(house)
    .get("/pair", async ({ request }) => {
      const form = formOf(request);
      const [from, to] = parsePair(form("from") ?? "", form("to") ?? "");
      return frame.moved(request, `/${currencyCode(from)}-${currencyCode(to)}`.toLowerCase());
    })
    .get("/:pair", async ({ request, params }) => await page(request, params.pair), {
      wire: { takes: isSlug },
    })
    .get(
      "/site/series/:base/:quote",
      async ({ request, params: { base, quote } }) => {
        admit(request);
        const window = WINDOWS.find((name) => name === formOf(request)("range"));
        const pair = parsePair(base, quote);
        return window === undefined || BARS[window] === undefined
          ? pairSeries(deps, ...pair)
          : await barSeries(deps, window, ...pair);
      },
      { ...OWN_PAGES, reply: { cacheControl: REVALIDATED } },
    )
    .get(
      "/site/series/:base/:quote/file",
      async ({ request, params, query: { format, interval, start_date, end_date } }) => {
        admit(request);
        const [base, to] = parsePair(params.base, params.quote);
        const days = { start: start_date ?? COVERAGE_START, end: end_date ?? dayAt(deps.clock.now()) };
        const series = { base, symbols: [to], ...days, order: "asc", cursor: null } as const;
        const file: FileQuery =
          interval === "1d"
            ? { kind: "daily", daily: { ...series, fill: "none", layout: "long", dp: null, limit: 1 } }
            : { kind: "archive", archive: { ...series, interval, side: "mid", all: false } };
        return await sendExport(published(deps), request, file, { format, estimate: false });
      },
      { ...OWN_PAGES, query: query(FILE) },
    );
};

const FILE = {
  format: choice(["csv", "xlsx", "parquet"], "Form of the file."),
  interval: choice(["1d", "15m", "1h"], "Daily rates, or bars of intraday quotes."),
  start_date: day({ description: "First day.", example: "2026-04-01" }),
  end_date: day({ description: "Last day.", example: "2026-04-13" }),
};

/** Limits bars to the quotes that callers without a key may see now. */
function published<Deps extends PairDeps & Pick<PageDataDeps, "pageDelayMinutes">>(deps: Deps): Deps {
  return { ...deps, publishedUntil: publishedUntil(deps.clock.now(), deps.pageDelayMinutes) };
}

/** The last values of the bars of a window that ends now; empty without a quote in it. */
async function barSeries(
  deps: PairDeps & Pick<PageDataDeps, "pageDelayMinutes">,
  window: Window,
  base: CurrencyIndex,
  to: CurrencyIndex,
): Promise<PairSeries> {
  const now = deps.clock.now();
  const end = dayAt(now);
  const from = now - (end - windowStart(window, 0, end)) * MILLISECONDS_PER_DAY;
  const width = BARS[window] ?? "1h";
  const asked = { base, symbols: [to], start: dayAt(from), end, interval: width };
  const query = { ...asked, side: "mid", order: "asc", limit: MOST_BARS, cursor: null } as const;
  const { rows } = await barsPage(published(deps), query).catch((fault: unknown) => {
    if (fault instanceof Failure && fault.code === "no_data_for_date") return { rows: [] };
    throw fault;
  });
  const bars = rows.filter(({ start }) => start >= from);
  const starts = bars.map(({ start }) => start / MILLISECONDS_PER_DAY);
  return {
    version: null,
    days: starts.map((start, at) => (at === 0 ? start : start - (starts[at - 1] as number))),
    rates: bars.map(({ bars: [bar] }) => String(bar?.[1].close)),
    corrected: [],
    simulated: deps.spot(deps.pageDelayMinutes).simulated ? starts : [],
    width,
  };
}

/** Two days of quarters of an hour, or eight days of hours, and some more. */
const MOST_BARS = 250;

function pairNow(deps: PairDeps, base: CurrencyIndex, to: CurrencyIndex): PairNow {
  const asked = { dp: null, delayMinutes: deps.pageDelayMinutes };
  const oldDay = dayWithoutLatest(deps, base, to);
  const rateOf = (pair: { readonly base: CurrencyIndex; readonly quote: CurrencyIndex }) =>
    oldDay === null
      ? quote(deps, { ...pair, ...asked })
      : { ...pairOn(deps, { ...pair, dp: null }, oldDay).pair, stale: true };
  const rate = rateOf({ base, quote: to });
  return {
    base: currencyCode(base),
    quote: currencyCode(to),
    baseName: CURRENCIES[base]?.name ?? "",
    quoteName: CURRENCIES[to]?.name ?? "",
    rate: rate.rate,
    inverse: rateOf({ base: to, quote: base }).rate,
    source: rate.source,
    effectiveAt: formatInstant(rate.dataUpdatedAt),
    isStale: rate.stale,
    mark: simulatedMark(rate.simulated.codes.length > 0),
    isDerived: rate.derived,
    boundBps: rate.boundBps,
    apart: apartOf(rate.effectiveAt),
  };
}

function apartOf(effectiveAt: Readonly<Record<string, string>>): PairNow["apart"] {
  const figures = Object.entries(effectiveAt);
  const instants = figures.map(([, text]) => Date.parse(text));
  return Math.max(...instants) - Math.min(...instants) > MILLISECONDS_PER_DAY ? figures : [];
}

function pairSeries(deps: PairDeps, base: CurrencyIndex, to: CurrencyIndex): PairSeries {
  const { days, ...series } = pairHistory(deps, base, to);
  const steps = days.map((day, at) => day - (days[at - 1] ?? 0));
  return { ...series, days: steps, width: null };
}

/** A pair has a page before its history is collected, and while a part of that is damaged. */
function seriesOrReason(deps: PairDeps, base: CurrencyIndex, to: CurrencyIndex): PairSeries | string {
  try {
    return pairSeries(deps, base, to);
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === "data_unavailable") return thrown.message;
    throw thrown;
  }
}
