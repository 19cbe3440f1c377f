/** GET /compat/frankfurter/v2/… and /v2/…: rates in the shape of Frankfurter's second version, as JSON, NDJSON or CSV. */

import { answer, answerLarge, joined, type Rows, runSteps } from "#api/compat/answer.ts";
import {
  type FrankfurterDeps,
  type FrankfurterV2Deps,
  LATEST_SECONDS,
  PAST_SECONDS,
} from "#api/compat/compat-deps.ts";
import { frankfurterV2 } from "#api/compat/dialects.ts";
import { inDialect, inDialectFree } from "#api/compat/refusal.ts";
import { frankfurterDocument } from "#api/openapi/document.ts";
import type { Route } from "#api/request/route.ts";
import { createStaticBody, madeOnce } from "#api/response/static-body.ts";
import { currencyCode } from "#domain/currency/currency.ts";
import { Failure } from "#domain/faults/errors.ts";
import { newAsciiWriter } from "#domain/text/ascii-writer.ts";
import { dayAt } from "#domain/time/day.ts";
import { catalogRoutes } from "./v2-catalog.ts";
import { type RatesQuestion, ratesQuestion } from "./v2-query.ts";
import { type RecordFormat, recordsOf, recordText } from "./v2-records.ts";

/** The second is for clients that take a host and no path, such as Frankfurter's own MCP server. */
const PREFIXES = ["/compat/frankfurter/v2", "/v2"] as const;

/** How records become a body. */
interface Format extends RecordFormat {
  readonly mime: string;
  /** What comes before the records, and after them. */
  readonly before: string;
  readonly after: string;
}

const JSON_FORMAT: Format = {
  mime: "application/json; charset=utf-8",
  before: "[",
  between: ",",
  after: "]",
  start: (date, base) => `{"date":"${date}","base":"${base}","quote":"`,
  afterQuote: '","rate":',
  afterDigits: "}",
};

const NDJSON: Format = {
  ...JSON_FORMAT,
  mime: "application/x-ndjson",
  before: "",
  between: "",
  after: "",
  afterDigits: "}\n",
};

const CSV: Format = {
  mime: "text/csv",
  before: "date,base,quote,rate\n",
  between: "",
  after: "",
  start: (date, base) => `${date},${base},`,
  afterQuote: ",",
  afterDigits: "\n",
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
    new TextEncoder().encode(
      JSON.stringify(frankfurterDocument({ routes: deps.table(), version, serverUrl: prefix })),
    ),
  );
  const cacheControl = `public, max-age=${PAST_SECONDS}, must-revalidate`;
  return createStaticBody({ mime: "application/json", cacheControl, load }, deps);
}

async function rates(
  deps: FrankfurterDeps,
  request: Request,
  question: RatesQuestion,
  format: Format,
): Promise<Response> {
  const { opening, rest, origin, version } = await runSteps(deps, request, recordsOf(deps, question));
  const base = currencyCode(question.base);
  const openingText = opening.map((record) => recordText(format, base, record)).join(format.between);
  const following = rest(format);
  let isOpened = opening.length === 0;
  const rows: Rows = (writer, begin) => {
    if (isOpened) return following(writer, begin);
    isOpened = true;
    begin();
    writer.text(openingText);
    return true;
  };
  const today = question.range === null ? null : dayAt(deps.clock.now());
  const requested = JSON.stringify({ ...question, today });
  return answerLarge(deps, request, {
    identity: `frankfurter v2 ${format.mime} ${version} ${requested} ${openingText}`,
    pieces: joined(format, rows),
    mime: format.mime,
    isFile: format !== JSON_FORMAT,
    origin,
    maxAgeSeconds: question.date === null && question.range === null ? LATEST_SECONDS : PAST_SECONDS,
  });
}

/** The first record of what the same query would list; 404 where there is none. */
async function rate(deps: FrankfurterDeps, request: Request, question: RatesQuestion): Promise<Response> {
  const { opening, rest, origin } = await runSteps(deps, request, recordsOf(deps, question));
  const base = currencyCode(question.base);
  const text = opening[0] === undefined ? firstLine(rest(NDJSON)) : recordText(JSON_FORMAT, base, opening[0]);
  if (text === null) throw new Failure("not_found");
  return answer(request, deps.simulated, { text, origin, maxAgeSeconds: LATEST_SECONDS });
}

/** The first of records that are written a line each, or null. */
function firstLine(rows: Rows): string | null {
  const writer = newAsciiWriter(1024);
  while (writer.length === 0) if (!rows(writer, () => undefined)) return null;
  return new TextDecoder().decode(writer.take()).split("\n")[0] ?? null;
}
