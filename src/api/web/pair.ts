/** GET /{base}-{quote}: the page of a pair; GET /site/pair/… and /site/series/…: the data that it loads. */

import type { Meter } from "#api/request/metering.ts";
import { ONE_CALL } from "#api/request/metering.ts";
import { formOf } from "#api/request/query.ts";
import type { Params, Route } from "#api/request/route.ts";
import { pathOf } from "#api/response/failures.ts";
import { respondJson, respondTagged } from "#api/response/json.ts";
import type { LargeBodies } from "#api/response/large-bodies.ts";
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
import { pairPage } from "#web/pair/page.tsx";
import type { PairNow, PairSeries } from "#web/pair/pair-data.ts";
import type { Frame } from "./frame.ts";
import { explained, type ProvenanceDeps } from "./provenance.ts";

export interface PairDeps extends RatesDeps, PairHistoryDeps, ProvenanceDeps {
  readonly simulated: boolean;
  readonly large: LargeBodies;
}

const SLUG = /^([a-z]{3})-([a-z]{3})$/i;
/** The history changes with the dataset alone; its tag says whether it has. */
const REVALIDATED = "public, max-age=60, must-revalidate";

export function pairRoutes(deps: PairDeps, frame: Frame, meter: Meter): Route[] {
  const page = async (request: Request, { pair: slug = "" }: Params) => {
    const [from = "", quoted = ""] = slug.split("-");
    const hint = mixedCaseHint(from) ?? mixedCaseHint(quoted);
    if (hint !== null) throw new Failure("invalid_pair", { wording: hint });
    const [base, to] = [currencyIndex(from), currencyIndex(quoted)];
    if (base < 0 || to < 0 || base === to) throw new Failure("not_found", { path: pathOf(request.url) });
    if (slug !== slug.toLowerCase()) return frame.moved(request, `/${slug.toLowerCase()}`);
    const site = await frame.site(request);
    const date = formOf(request)("date");
    const day = date === undefined ? null : dateOf(date);
    const known = frame.known(request, deps.spot(deps.pageDelayMinutes));
    if (known !== null) return known;
    return meter.run(request, ONE_CALL, async () => {
      const explanation = await explained(deps, request, [base, to], day);
      const make = () =>
        pairPage({ site, now: pairNow(deps, base, to), series: seriesOrNull(deps, base, to), explanation });
      return frame.sharedPage(request, deps.spot(deps.pageDelayMinutes), make);
    });
  };
  return [
    { method: "GET", path: "/:pair", takes: (path) => SLUG.test(path.split("/")[1] ?? ""), handle: page },
    {
      method: "GET",
      path: "/site/pair/:base/:quote",
      isCrossOrigin: false,
      handle: (request, params) =>
        meter.run(request, ONE_CALL, () =>
          respondJson(
            request,
            deps,
            pairNow(deps, ...parsePair(params["base"] ?? "", params["quote"] ?? "")),
          ),
        ),
    },
    {
      method: "GET",
      path: "/site/series/:base/:quote",
      isCrossOrigin: false,
      handle: (request, params) =>
        meter.run(request, ONE_CALL, () =>
          respondTagged(
            request,
            deps,
            REVALIDATED,
            pairSeries(deps, ...parsePair(params["base"] ?? "", params["quote"] ?? "")),
          ),
        ),
    },
  ];
}

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
