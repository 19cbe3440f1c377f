/** GET /: the landing page; GET /site/board: its table for another base. */

import { type Meter, ONE_CALL } from "#api/request/metering.ts";
import { formOf } from "#api/request/query.ts";
import type { Route } from "#api/request/route.ts";
import { respondJson } from "#api/response/json.ts";
import { CURRENCIES, currencyCode } from "#domain/currency/currency.ts";
import { parsePair } from "#domain/currency/pair.ts";
import { noticeText } from "#domain/dataset/provenance.ts";
import { formatDay, formatInstant } from "#domain/time/day.ts";
import { type Board, board } from "#rates/latest.ts";
import { baseOf, type Query } from "#rates/parameters.ts";
import type { RatesDeps } from "#rates/query.ts";
import type { BoardData } from "#web/landing/board-data.ts";
import { landingPage } from "#web/landing/page.tsx";
import type { Frame } from "./frame.ts";
import { explained, type ProvenanceDeps } from "./provenance.ts";

export interface LandingDeps extends RatesDeps, ProvenanceDeps {
  readonly simulated: boolean;
  /** Minutes that live rates are held back. */
  readonly pageDelayMinutes: number;
}

export function landingRoutes(deps: LandingDeps, frame: Frame, meter: Meter): Route[] {
  const read = (query: Query) =>
    boardData(board(deps, { base: baseOf(query, undefined), delayMinutes: deps.pageDelayMinutes }));
  const page = async (request: Request) => {
    const query = formOf(request);
    const site = await frame.site(request);
    const [amount, search] = [query("amount") ?? "1", query("search") ?? ""];
    const to = query("to");
    const props = () => ({ site, data: read(query), amount, search });
    if (to === undefined) {
      const make = () => landingPage({ ...props(), explanation: null });
      return frame.sharedPage(request, deps.spot(deps.pageDelayMinutes), make);
    }
    const pair = parsePair(currencyCode(baseOf(query, undefined)), to);
    return meter.run(request, ONE_CALL, async () =>
      frame.page(
        request,
        landingPage({ ...props(), explanation: await explained(deps, request, pair, null) }),
      ),
    );
  };
  return [
    { method: "GET", path: "/", handle: page },
    {
      method: "GET",
      path: "/site/board",
      isCrossOrigin: false,
      handle: (request) => respondJson(request, deps, read(formOf(request))),
    },
  ];
}

/** Currencies by their share of turnover in the triennial survey of central banks; the others follow by code. */
const FIRST = [
  "USD",
  "EUR",
  "JPY",
  "GBP",
  "CNY",
  "AUD",
  "CAD",
  "CHF",
  "HKD",
  "SGD",
  "SEK",
  "KRW",
  "NOK",
  "NZD",
  "INR",
  "MXN",
];

function byTurnover(rates: Board["latest"]["rates"]) {
  const place = ({ to }: { readonly to: number }) => {
    const found = FIRST.indexOf(currencyCode(to));
    return found === -1 ? FIRST.length : found;
  };
  return [...rates].sort((a, b) => place(a) - place(b));
}

function boardData({ latest, now, nextTurn, months }: Board): BoardData {
  const { base, rates, origin, session, simulated } = latest;
  return {
    base: currencyCode(base),
    session,
    nextTurn: { at: formatInstant(nextTurn.at), session: nextTurn.session },
    timestamp: formatInstant(now),
    notice: noticeText(simulated, origin.isReference),
    rows: byTurnover(rates).map(({ to, text, derived }) => {
      const code = currencyCode(to);
      const effectiveAt = origin.effectiveAt[code] ?? "";
      const month = months.get(to) ?? [];
      const before = month.findLast(({ day }) => formatDay(day) < effectiveAt.slice(0, 10));
      return {
        code,
        name: CURRENCIES[to]?.name ?? code,
        rate: text,
        source: origin.sources[code] ?? origin.source,
        effectiveAt,
        isStale: origin.stale[code] === true,
        isDerived: derived,
        month: month.map(({ rate }) => rate),
        before: before === undefined ? null : { date: formatDay(before.day), rate: before.rate },
      };
    }),
  };
}
