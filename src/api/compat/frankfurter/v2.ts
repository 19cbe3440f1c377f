/** GET /compat/frankfurter/v2/… and /v2/…: rates in the shape of Frankfurter's second version, as JSON, NDJSON or CSV. */

import { Type } from "@sinclair/typebox";
import { type AnyElysia, Elysia } from "elysia";
import * as compat from "#api/compat/compat.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { FRANKFURTER, frankfurterDocument } from "#api/openapi/document.ts";
import { path } from "#api/parameters.ts";
import type { Charge } from "#api/request/metering.ts";
import { earliestOf } from "#api/request/query.ts";
import { frankfurterV2 as dialect } from "#api/response/failures.ts";
import { type StaticDeps, staticJson } from "#api/response/static-body.ts";
import { operation } from "#api/words.ts";
import { Failure } from "#domain/faults/errors.ts";
import { dayAt } from "#domain/time/day.ts";
import { catalog } from "./v2-catalog.ts";
import {
  date,
  providers,
  RATES_PARAMETERS,
  type RatesQuestion,
  type RecordForm,
  ratesQuestion,
  recordsOf,
  refuse,
} from "./v2-records.ts";

export interface FrankfurterV2Deps extends compat.CompatDeps, StaticDeps {
  readonly version: string;
  readonly table: () => AnyElysia["routes"];
}

interface Format extends RecordForm {
  readonly mime?: string;
  readonly before: string;
  readonly after: string;
}

const JSON_FORMAT: Format = {
  before: "[",
  between: ",",
  after: "]",
  print: (date, base, quote, digits) =>
    `{"date":"${date}","base":"${base}","quote":"${quote}","rate":${digits}}`,
};

const NDJSON = {
  mime: "application/x-ndjson",
  ...{ before: "", between: "", after: "" },
  print: (...record) => `${JSON_FORMAT.print(...record)}\n`,
} satisfies Format;

const CSV = {
  mime: "text/csv",
  ...{ before: "date,base,quote,rate\n", between: "", after: "" },
  print: (...record) => `${record.join(",")}\n`,
} satisfies Format;

const Rate = form.named("FrankfurterV2Rate", "The rate of a pair on a date.", {
  date: form.day(
    "The day that its figures are of: the newest on which both sides have theirs.",
    "2026-04-13",
  ),
  base: form.meaning(field.CurrencyCodeModel, "Base currency.", "EUR"),
  quote: form.meaning(field.CurrencyCodeModel, "Quote currency.", "USD"),
  rate: Type.Number({ minimum: 0, description: "Units of `quote` per 1 `base`.", examples: [1.1684] }),
});

const Rates = Type.Array(Rate, {
  $id: "FrankfurterV2Rates",
  description: "By quote; of a range by date, then by quote. The base against itself is among them.",
});

const Refused = form.named("FrankfurterV2Refusal", "A refusal in the form of Frankfurter v2.", {
  status: Type.Integer({ description: "HTTP status.", examples: [422] }),
  message: form.text("What is wrong.", "invalid date"),
});

const routes = compat.routesOf(Refused, { dialect }, [404, 422]);
/** No 404: without a record the answer is an empty list. 412 and 416 are about parts. */
const ofFiles = [412, 416, 422] as const;

const EXAMPLE = [
  { date: "2026-04-10", base: "EUR", quote: "GBP", rate: 0.8709 },
  { date: "2026-04-10", base: "EUR", quote: "USD", rate: 1.1671 },
  { date: "2026-04-13", base: "EUR", quote: "GBP", rate: 0.8713 },
  { date: "2026-04-13", base: "EUR", quote: "USD", rate: 1.1684 },
];

const CSV_EXAMPLE = "date,base,quote,rate\n2026-04-13,EUR,USD,1.1684\n";

const LINES = {
  mime: NDJSON.mime,
  description: "One record a line, with `Accept: application/x-ndjson`.",
  example: '{"date":"2026-04-13","base":"EUR","quote":"USD","rate":1.1684}\n',
};

/** The second prefix is for clients that take a host and no path, such as Frankfurter's own MCP server. */
export const frankfurterV2 = (deps: FrankfurterV2Deps) =>
  new Elysia({ name: "frankfurter v2" }).use(below(FRANKFURTER, deps)).use(below("/v2", deps));

function below(prefix: string, deps: FrankfurterV2Deps): AnyElysia {
  const document = () =>
    frankfurterDocument({ routes: deps.table(), version: deps.version, serverUrl: prefix });
  return new Elysia({ prefix })
    .use(compat.compatible(deps))
    .get(
      "/rates",
      async ({ request, caller }) => {
        const wantsLines = request.headers.get("accept")?.includes(NDJSON.mime) ?? false;
        return await rates(deps, request, caller, wantsLines ? NDJSON : JSON_FORMAT);
      },
      routes.metered({
        query: RATES_PARAMETERS,
        statuses: ofFiles,
        id: "frankfurterV2Rates",
        summary: "Frankfurter v2: rates",
        description:
          "The newest rates, those of a day, or those of a range, one record a pair and date. Unknown parameters are refused, as there. Daily reference rates only, never live ones.",
        ok: { schema: Rates, example: EXAMPLE, ranged: "beside JSON", otherTypes: [LINES] },
      }),
    )
    .get(
      "/rates.csv",
      async ({ request, caller }) => await rates(deps, request, caller, CSV),
      routes.metered({
        query: RATES_PARAMETERS,
        statuses: ofFiles,
        id: "frankfurterV2RatesCsv",
        summary: "Frankfurter v2: rates as CSV",
        description: "The same records as `rates`, in four columns.",
        ok: {
          description: "The records.",
          schema: Type.String(),
          example: CSV_EXAMPLE,
          mime: CSV.mime,
          ranged: true,
        },
      }),
    )
    .get(
      "/rate/:base/:quote",
      async ({ request, params: { base, quote }, caller }) => {
        const question = ratesQuestion(request, { base, quotes: quote });
        if (question.from !== null || question.quotes.length > 1)
          refuse("one pair of one day; see /v2/rates");
        const { text, origin } = await records(deps, request, caller, question, JSON_FORMAT);
        if (text.length === 0) throw new Failure("not_found");
        return { text, origin, maxAgeSeconds: compat.LATEST_SECONDS };
      },
      routes.metered({
        params: path({
          base: compat.code("Base currency.", "EUR"),
          quote: compat.code("Quote currency.", "USD"),
        }),
        query: { date, providers },
        id: "frankfurterV2Rate",
        summary: "Frankfurter v2: one pair",
        description: "The newest rate of one pair, or that of a day.",
        ok: Rate,
      }),
    )
    .use(catalog(deps, routes))
    .get(
      "/openapi.json",
      staticJson(document, deps),
      operation({
        security: [],
        id: "frankfurterV2OpenApi",
        tag: "Compatibility",
        summary: "Frankfurter v2: its description",
        description:
          "These operations alone as OpenAPI 3.1, for clients that read the service's own description.",
        ok: field.OpenApiDocument,
        conditional: true,
      }),
    );
}

async function rates(
  deps: compat.CompatDeps,
  request: Request,
  caller: Charge,
  { mime, before, after, ...form }: Format,
): Promise<compat.Answer> {
  const question = ratesQuestion(request);
  const { text, origin } = await records(deps, request, caller, question, form);
  const isNewest = question.date === null && question.from === null;
  return {
    text: [before, ...text, after],
    ...(mime === undefined ? {} : { mime }),
    origin,
    maxAgeSeconds: isNewest ? compat.LATEST_SECONDS : compat.PAST_SECONDS,
  };
}

function records(
  deps: compat.CompatDeps,
  request: Request,
  caller: Charge,
  question: RatesQuestion,
  form: RecordForm,
) {
  const { date, from, to } = question;
  caller.reach(from === null ? earliestOf(date) : earliestOf(from, to ?? dayAt(deps.clock.now())));
  return compat.runSteps(deps, request, recordsOf(deps, question, form));
}
