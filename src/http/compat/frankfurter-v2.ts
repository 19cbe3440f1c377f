/** GET /compat/frankfurter/v2/…: rates in the shape of Frankfurter's second version, as JSON, NDJSON or CSV. */

import { currencyCode } from "#domain/currency.ts";
import { formatDay } from "#domain/day.ts";
import { Failure } from "#domain/errors.ts";
import type { Route } from "#http/route.ts";
import { answer } from "./answer.ts";
import { type FrankfurterDeps, LATEST_SECONDS, PAST_SECONDS } from "./compat-deps.ts";
import { frankfurterV2 } from "./dialects.ts";
import { catalogRoutes } from "./frankfurter-v2-catalog.ts";
import { type RatesQuestion, ratesQuestion } from "./frankfurter-v2-query.ts";
import { emitRecords } from "./frankfurter-v2-records.ts";
import { inDialect } from "./refusal.ts";

export const PREFIX = "/compat/frankfurter/v2";

/** How records become a body. */
interface Format {
  readonly mime: string;
  readonly record: (date: string, base: string, quote: string, rate: string) => string;
  readonly join: (records: readonly string[]) => string;
}

const asJson: Format["record"] = (date, base, quote, rate) =>
  `{"date":"${date}","base":"${base}","quote":"${quote}","rate":${rate}}`;

const JSON_FORMAT: Format = {
  mime: "application/json; charset=utf-8",
  record: asJson,
  join: (records) => `[${records.join(",")}]`,
};

const NDJSON: Format = {
  mime: "application/x-ndjson",
  record: asJson,
  join: (records) => records.map((record) => `${record}\n`).join(""),
};

const CSV: Format = {
  mime: "text/csv",
  record: (...cells) => `${cells.join(",")}\n`,
  join: (records) => `date,base,quote,rate\n${records.join("")}`,
};

export function frankfurterV2Routes(deps: FrankfurterDeps): Route[] {
  const get = (path: string, handle: Route["handle"]): Route => ({
    method: "GET",
    path: `${PREFIX}${path}`,
    handle: inDialect(deps, frankfurterV2, handle),
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
    ...catalogRoutes(deps, get),
  ];
}

async function rates(
  deps: FrankfurterDeps,
  request: Request,
  question: RatesQuestion,
  { mime, record, join }: Format,
): Promise<Response> {
  const base = currencyCode(question.base);
  const records: string[] = [];
  const origin = await emitRecords(deps, question, (day, quote, text) => {
    records.push(record(formatDay(day), base, quote, text));
  });
  const maxAgeSeconds = question.date === null && question.range === null ? LATEST_SECONDS : PAST_SECONDS;
  return answer(request, deps.simulated, { text: join(records), mime, origin, maxAgeSeconds });
}

/** The first record of what the same query would list; 404 where there is none. */
async function rate(deps: FrankfurterDeps, request: Request, question: RatesQuestion): Promise<Response> {
  const base = currencyCode(question.base);
  let first: string | null = null;
  const origin = await emitRecords(deps, question, (day, quote, text) => {
    first ??= asJson(formatDay(day), base, quote, text);
  });
  if (first === null) throw new Failure("not_found");
  return answer(request, deps.simulated, { text: first, origin, maxAgeSeconds: LATEST_SECONDS });
}
