/** GET /{base}-{quote}: the page of a pair; GET /site/pair/… and /site/series/…: the data that it loads. */

import { Elysia } from "elysia";
import { formOf } from "#api/request/query.ts";
import { pathOf } from "#api/response/failures.ts";
import {
  CURRENCIES,
  type CurrencyIndex,
  currencyCode,
  currencyIndex,
  mixedCaseHint,
} from "#domain/currency/currency.ts";
import { parsePair } from "#domain/currency/pair.ts";
import { Failure } from "#domain/faults/errors.ts";
import { formatInstant } from "#domain/time/day.ts";
import { type PairHistoryDeps, pairHistory } from "#rates/pair-history.ts";
import { dateOf } from "#rates/parameters.ts";
import type { RatesDeps } from "#rates/query.ts";
import { quote } from "#rates/quote.ts";
import { OWN_PAGES, type PageParts } from "#web/page-data.ts";
import { explained, type ProvenanceDeps } from "#web/provenance/route.ts";
import { pairPage } from "./page.tsx";
import type { PairNow, PairSeries } from "./pair-data.ts";

interface PairDeps extends RatesDeps, PairHistoryDeps, ProvenanceDeps {}

const SLUG = /^([a-z]{3})-([a-z]{3})$/i;
/** The history changes with the dataset alone; its tag says whether it has. */
const REVALIDATED = "public, max-age=60, must-revalidate";

/** Other paths of one segment are no pages of pairs. */
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
    const known = frame.known(request, deps.spot(deps.pageDelayMinutes));
    if (known !== null) return known;
    admit(request);
    const explanation = await explained(deps, request, [base, to], day);
    const make = () =>
      pairPage({ site, now: pairNow(deps, base, to), series: seriesOrNull(deps, base, to), explanation });
    return frame.sharedPage(request, deps.spot(deps.pageDelayMinutes), make);
  };
  return new Elysia({ name: "pair" })
    .use(house)
    .get("/:pair", async ({ request, params }) => await page(request, params.pair), {
      wire: { takes: isSlug },
    })
    .get(
      "/site/pair/:base/:quote",
      async ({ request, params: { base, quote } }) => {
        admit(request);
        return pairNow(deps, ...parsePair(base, quote));
      },
      { ...OWN_PAGES, reply: "no-store" },
    )
    .get(
      "/site/series/:base/:quote",
      async ({ request, params: { base, quote } }) => {
        admit(request);
        return pairSeries(deps, ...parsePair(base, quote));
      },
      { ...OWN_PAGES, reply: { cacheControl: REVALIDATED } },
    );
};

function pairNow(deps: PairDeps, base: CurrencyIndex, to: CurrencyIndex): PairNow {
  const asked = { dp: null, delayMinutes: deps.pageDelayMinutes };
  const found = quote(deps, { base, quote: to, ...asked });
  return {
    base: currencyCode(base),
    quote: currencyCode(to),
    baseName: CURRENCIES[base]?.name ?? "",
    quoteName: CURRENCIES[to]?.name ?? "",
    rate: found.rate,
    inverse: quote(deps, { base: to, quote: base, ...asked }).rate,
    source: found.source,
    effectiveAt: formatInstant(found.dataUpdatedAt),
    isStale: found.stale,
    isDerived: found.derived,
    boundBps: found.boundBps,
  };
}

function pairSeries(deps: PairDeps, base: CurrencyIndex, to: CurrencyIndex): PairSeries {
  const { days, rates, corrected } = pairHistory(deps, base, to);
  const steps = days.map((day, at) => day - (days[at - 1] ?? 0));
  return { base: currencyCode(base), quote: currencyCode(to), days: steps, rates, corrected };
}

/** A pair with a live rate has a page before its history is collected. */
function seriesOrNull(deps: PairDeps, base: CurrencyIndex, to: CurrencyIndex): PairSeries | null {
  try {
    return pairSeries(deps, base, to);
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === "data_unavailable") return null;
    throw thrown;
  }
}
