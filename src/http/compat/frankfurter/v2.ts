/** GET /compat/frankfurter/v2/… and /v2/…: rates in the shape of Frankfurter's second version, as JSON, NDJSON or CSV. */

import { currencyCode } from "#domain/currency/currency.ts";
import { Failure } from "#domain/faults/errors.ts";
import { dayAt, formatDay } from "#domain/time/day.ts";
import { answer, answerLarge, joined, runSteps } from "#http/compat/answer.ts";
import {
  type FrankfurterDeps,
  type FrankfurterV2Deps,
  LATEST_SECONDS,
  PAST_SECONDS,
} from "#http/compat/compat-deps.ts";
import { frankfurterV2 } from "#http/compat/dialects.ts";
import { inDialect, inDialectFree } from "#http/compat/refusal.ts";
import { frankfurterDocument } from "#http/openapi/document.ts";
import type { Route } from "#http/request/route.ts";
import { createStaticBody, madeOnce } from "#http/response/static-body.ts";
import { catalogRoutes } from "./v2-catalog.ts";
import { type RatesQuestion, ratesQuestion } from "./v2-query.ts";
import { type DatedRecord, recordsOf } from "./v2-records.ts";

/** The second is for clients that take a host and no path, such as Frankfurter's own MCP server. */
const PREFIXES = ["/compat/frankfurter/v2", "/v2"] as const;

/** How records become a body. */
interface Format {
  readonly mime: string;
  readonly record: (date: string, base: string, quote: string, rate: string) => string;
  /** What comes before the records, between two, and after them. */
  readonly frame: readonly [before: string, between: string, after: string];
}

const asJson: Format["record"] = (date, base, quote, rate) =>
  `{"date":"${date}","base":"${base}","quote":"${quote}","rate":${rate}}`;

const JSON_FORMAT: Format = {
  mime: "application/json; charset=utf-8",
  record: asJson,
  frame: ["[", ",", "]"],
};

const NDJSON: Format = {
  mime: "application/x-ndjson",
  record: (...cells) => `${asJson(...cells)}\n`,
  frame: ["", "", ""],
};

const CSV: Format = {
  mime: "text/csv",
  record: (...cells) => `${cells.join(",")}\n`,
  frame: ["date,base,quote,rate\n", "", ""],
};

export function frankfurterV2Routes(deps: FrankfurterV2Deps): Route[] {
  return PREFIXES.flatMap((prefix) => routesBelow(prefix, deps));
}

function routesBelow(prefix: string, deps: FrankfurterV2Deps): Route[] {
  const get = (path: string, handle: Route["handle"]): Route => ({
    method: "GET",
    path: `${prefix}${path}`,
    handle: inDialect(deps, frankfurterV2, handle),
  });
  const getFree = (path: string, handle: Route["handle"]): Route => ({
    ...get(path, handle),
    handle: inDialectFree(deps, frankfurterV2, handle),
  });
  return [
    get("/rates", (request) => {
      const wantsLines = request.headers.get("accept")?.includes(NDJSON.mime) ?? false;
      return rates(deps, request, ratesQuestion(request), wantsLines ? NDJSON : JSON_FORMAT);
    }),
    get("/rates.csv", (request) => rates(deps, request, ratesQuestion(request), CSV)),
    get("/rate/:base/:quote", (request, { base = "", quote = "" }) =>
      rate(deps, request, ratesQuestion(request, { base, quotes: quote })),
    ),
    ...catalogRoutes(deps, getFree),
    { method: "GET", path: `${prefix}/openapi.json`, handle: description(prefix, deps) },
  ];
}

/** What its clients read first, in place of Frankfurter's own `openapi.json`. */
function description(prefix: string, deps: FrankfurterV2Deps): Route["handle"] {
  const { version } = deps;
  const load = madeOnce(async () =>
    new TextEncoder().encode(JSON.stringify(frankfurterDocument({ version, serverUrl: prefix }))),
  );
  const cacheControl = `public, max-age=${PAST_SECONDS}, must-revalidate`;
  return createStaticBody({ mime: "application/json", cacheControl, load }, deps);
}

async function rates(
  deps: FrankfurterDeps,
  request: Request,
  question: RatesQuestion,
  { mime, record, frame: [before, between, after] }: Format,
): Promise<Response> {
  const base = currencyCode(question.base);
  const { opening, rest, origin, version } = await runSteps(deps, request, recordsOf(deps, question));
  const print = ({ day, quote, text }: DatedRecord) => record(formatDay(day), base, quote, text);
  const openingText = opening.map(print);
  const following = rest(print);
  let isOpened = false;
  const pages = () => {
    if (isOpened) return following();
    isOpened = true;
    return openingText;
  };
  const today = question.range === null ? null : dayAt(deps.clock.now());
  const requested = JSON.stringify({ ...question, today });
  return answerLarge(deps, request, {
    identity: `frankfurter v2 ${mime} ${version} ${requested} ${openingText.join(between)}`,
    pieces: joined(before, pages, between, after),
    mime,
    origin,
    maxAgeSeconds: question.date === null && question.range === null ? LATEST_SECONDS : PAST_SECONDS,
  });
}

/** The first record of what the same query would list; 404 where there is none. */
async function rate(deps: FrankfurterDeps, request: Request, question: RatesQuestion): Promise<Response> {
  const base = currencyCode(question.base);
  const { opening, rest, origin } = await runSteps(deps, request, recordsOf(deps, question));
  const print = ({ day, quote, text }: DatedRecord) => asJson(formatDay(day), base, quote, text);
  let first = opening[0] === undefined ? undefined : print(opening[0]);
  const following = rest(print);
  for (let rows = following(); first === undefined && rows !== null; rows = following()) first = rows[0];
  if (first === undefined) throw new Failure("not_found");
  return answer(request, deps.simulated, { text: first, origin, maxAgeSeconds: LATEST_SECONDS });
}
