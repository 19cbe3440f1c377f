/** GET /: the landing page; GET /site/board: its table for another base. */

import { Elysia } from "elysia";
import { baseOf, type Query } from "#api/parameters.ts";
import { formOf } from "#api/request/query.ts";
import { CURRENCIES, currencyCode } from "#domain/currency/currency.ts";
import { parsePair } from "#domain/currency/pair.ts";
import { noticeText } from "#domain/dataset/provenance.ts";
import { formatDay, formatInstant } from "#domain/time/day.ts";
import { type Board, board } from "#rates/latest.ts";
import type { RatesDeps } from "#rates/query.ts";
import { OWN_PAGES, type PageParts } from "#web/page-data.ts";
import { explained, type ProvenanceDeps } from "#web/provenance/route.ts";
import type { BoardData } from "./board-data.ts";
import { landingPage } from "./page.tsx";

type LandingDeps = RatesDeps & ProvenanceDeps & PageParts;

export const landing = ({ house, frame, admit, ...deps }: LandingDeps) => {
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
    admit(request);
    const explanation = await explained(deps, request, pair, null);
    return frame.page(request, landingPage({ ...props(), explanation }));
  };
  return new Elysia({ name: "landing" })
    .use(house)
    .get("/", async ({ request }) => await page(request))
    .get("/site/board", async ({ request }) => read(formOf(request)), { ...OWN_PAGES, reply: "no-store" });
};

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
