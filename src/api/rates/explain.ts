/** GET /v1/explain/{from_ccy}/{to_ccy}: the sources of one rate, and its computation. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { day, pair, path, query } from "#api/parameters.ts";
import type { House } from "#api/plugins/house.ts";
import { print } from "#api/print.ts";
import { earliestOf } from "#api/request/query.ts";
import { cacheFor } from "#api/response/headers.ts";
import { NO_LATEST_RATE, operation } from "#api/words.ts";
import { currencyIndex } from "#domain/currency/currency.ts";
import { noticeText } from "#domain/dataset/dataset.ts";
import { lakeQuery, type RateLeg } from "#domain/explain/explanation.ts";
import { FEEDS, type FeedId } from "#domain/live/live-quote.ts";
import { parseDay } from "#domain/time/day.ts";
import { type ExplainDeps, type Explanation, explain as explained } from "#rates/explain.ts";
import { LATEST } from "./latest.ts";

const DOCUMENT_EXAMPLE = "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist-90d.xml";

const ExplainedRevision = form.named("ExplainedRevision", "A value that a figure had before.", {
  revision: form.count("Number of the revision; the one in force has a higher one.", 1, 1),
  value: form.digits("What it was, with the digits as published.", 1.1671),
  published_at: form.instantOrNull("When the authority published it, UTC; null where not stated.", null),
  retrieved_at: form.instant("When this server retrieved it, UTC.", "2026-04-10T14:01:00Z"),
  superseded_at: form.instant("When the document that ended it was retrieved, UTC.", "2026-04-13T14:01:00Z"),
  why: form.oneOf(["revised", "withdrawn"], "How it ended."),
  document: form.text("Address of the document that it was read from.", DOCUMENT_EXAMPLE, { format: "uri" }),
  document_sha256: form.sha256("SHA-256 of that document, in hex."),
});

const ExplainedLeg = form.named("ExplainedLeg", "A figure that a rate is made of.", {
  operation: form.oneOf<"multiply" | "divide">(
    ["multiply", "divide"],
    "What the figure does in the computation.",
    "divide",
  ),
  base: form.meaning(field.CurrencyCodeModel, "1 unit of this currency …", "EUR"),
  quote: form.meaning(field.CurrencyCodeModel, "… is `value` units of this one.", "USD"),
  value: form.meaning(field.rate, "The figure, its digits and its direction as published.", 1.1671),
  error: form.meaning(
    field.rate,
    "By how much the figure may be off, in units of `quote`: half a unit of its last digit that counts, or half its spread. `derivation_bps_max` is made of these.",
    0.00005,
  ),
  source: field.source,
  simulated: Type.Optional(
    Type.Literal(true, { description: "Only in the demo: the figure is made up. Absent where it is real." }),
  ),
  authority: form.text("Who publishes it, or delivers the quote.", "European Central Bank"),
  terms: form.text(
    "Attribution and terms; to be passed on with the figure.",
    "Source: European Central Bank, euro foreign exchange reference rates.",
  ),
  date: form.dayOrNull("Day of the observation; null for a quote.", "2026-04-10"),
  observed_at: form.instant("Instant that the figure describes, UTC.", "2026-04-10T12:15:00Z"),
  published_at: form.instantOrNull("When the authority published it, UTC; null where not stated.", null),
  retrieved_at: form.instant("When this server retrieved it, UTC.", "2026-04-10T14:01:00Z"),
  document: form.textOrNull(
    "Address of the document that it was read from; null for a quote.",
    DOCUMENT_EXAMPLE,
  ),
  document_sha256: form.textOrNull("SHA-256 of that document, in hex.", "3f".repeat(32)),
  revision: form.countOrNull("1 for the first value, one more for each change; null for a quote.", 1, 1),
  revisions: form.list(
    ExplainedRevision,
    "The values that the figure had before, the oldest first; empty where it was never corrected.",
    [],
  ),
  feed: form.oneOfOrNull<FeedId>("ExplainedFeed", FEEDS, "Who delivered a quote; else null.", "coinbase"),
  bid: form.digitsOrNull("Bid of the quote; null without one, and for a daily figure.", 0.85581),
  ask: form.digitsOrNull("The same for the ask.", 0.85589),
});

const LIVE_ONLY = { feed: null, bid: null, ask: null };
const DAILY_ONLY = { date: null, publishedAt: null, revision: null, earlier: [], document: null };

function legFacts(leg: RateLeg) {
  const { document, earlier, ...facts } = { ...LIVE_ONLY, ...DAILY_ONLY, ...leg };
  return {
    ...facts,
    operation: leg.multiplies ? ("multiply" as const) : ("divide" as const),
    value: leg.printed,
    simulated: leg.simulated ? (true as const) : undefined,
    document: document?.document ?? null,
    documentSha256: document?.documentSha256 ?? null,
    revisions: earlier.map((old) => ({ ...old, value: old.printed })),
  };
}

const Computation = form.named("RateComputation", "The exact arithmetic of a rate.", {
  expression: form.text("The rate in figures as published.", "0.8709 / 1.1671"),
  numerator: form.text("The same as a fraction of whole numbers: above.", "8709", { pattern: "^[0-9]+$" }),
  denominator: form.text("Below.", "11671", { pattern: "^[0-9]+$" }),
  significant_digits: form.countOrNull(
    "The quotient is rounded half-even to so many significant digits; null where the rate is printed as published.",
    10,
    1,
  ),
  lines: form.list(Type.String(), "The same for people, a step a line.", [
    "1 EUR = 0.8709 GBP (ecb_daily)",
    "1 EUR = 1.1671 USD (ecb_daily)",
    "1 USD = 0.8709 / 1.1671 GBP",
    "= 8709 / 11671",
    "= 0.746208551109587867363…",
    "= 0.7462085511, rounded half-even to 10 significant digits",
  ]),
});

const ExplainResponse = field.answer("ExplainResponse", "Where one rate comes from.", {
  from: form.meaning(field.CurrencyCodeModel, "The rate is for 1 unit of this currency.", "USD"),
  to: form.meaning(field.CurrencyCodeModel, "The rate is in units of this currency.", "GBP"),
  date: form.dayOrNull("The day requested, UTC; null for the latest rate.", "2026-04-11"),
  is_forward_filled: Type.Unsafe<boolean | null>({
    type: ["boolean", "null"],
    description: "True when a figure is of an earlier day than `date`; null for the latest rate.",
    examples: [true],
  }),
  rate: field.rate,
  derived: field.derived,
  derivation_bps_max: field.derivationBpsMax,
  source: field.source,
  stale: field.stale,
  legs: form.list(
    ExplainedLeg,
    "The figures that the rate is made of, in the order of the computation. One is a direct rate or its inverse, more are triangulated; the list is empty for a currency against itself.",
    [],
  ),
  computation: Computation,
  query: form.closed("The same rate out of the lake.", {
    engine: form.oneOf(["duckdb"], "What runs it.", "duckdb"),
    sql: form.text(
      "Returns one row with the column `rate`, the double nearest to the rate. The first statement names the lake: this server's, or a directory. Over HTTP DuckDB needs its extension httpfs, and for past years a key (docs/lake.md). While `in_lake` is false it returns no row.",
      "SELECT 1.0::DOUBLE AS rate;",
    ),
    in_lake: form.flag(
      "Whether the lake has every figure of the rate: a quote is in its files only after the next flush, five minutes at the most.",
      true,
    ),
    in_lake_at: form.instantOrNull("When the next flush is due, UTC; null where `in_lake` is true.", null),
  }),
  market_session: field.marketSession,
  timestamp: field.timestamp,
  data_updated_at: field.dataUpdatedAt,
  notice: field.notice,
});

const explainBody = ({ legs, sql, inLakeAt, ...explanation }: Explanation) =>
  print(ExplainResponse, {
    ...explanation,
    from: explanation.base,
    to: explanation.quote,
    date: explanation.day,
    isForwardFilled: explanation.forwardFilled,
    derivationBpsMax: explanation.boundBps,
    legs: legs.map(legFacts),
    query: { engine: "duckdb", sql, inLake: inLakeAt === null, inLakeAt },
    marketSession: explanation.session,
    notice: noticeText(explanation.simulated, explanation.isReference),
  });

/** The figures of the document's example: each multiplies or divides 10,000ths of a currency per euro. */
const EXAMPLE_LEGS = [
  ["multiply", "GBP", 8709],
  ["divide", "USD", 11671],
] as const;

/** What the query of the lake takes from a leg. */
const exampleFigures = EXAMPLE_LEGS.map(([operation, quote, units]) => ({
  ...{ kind: "daily", source: "ecb_daily", base: "EUR", quote, units, scale: 4 },
  ...{ multiplies: operation === "multiply", date: parseDay("2026-04-10") },
})) as readonly object[] as readonly RateLeg[];

const EXAMPLE = {
  ...form.exampleOf(ExplainResponse, "answer"),
  rate: 0.7462085511,
  derivation_bps_max: 1.01,
  legs: EXAMPLE_LEGS.map(([operation, quote, units]) => ({
    ...form.exampleOf(ExplainedLeg, "answer"),
    ...{ operation, quote, value: units / 10_000, feed: null, bid: null, ask: null },
  })),
  query: {
    ...form.exampleOf(ExplainResponse.properties.query, "answer"),
    sql: lakeQuery(exampleFigures, {
      ...{ base: currencyIndex("USD"), quote: currencyIndex("GBP"), rate: "0.7462085511" },
      lake: "http://localhost/v1/lake",
    }),
  },
  data_updated_at: "2026-04-10T12:15:00Z",
};

type RouteDeps = ExplainDeps & { readonly house: House };

export const explain = ({ house, ...deps }: RouteDeps) =>
  new Elysia({ name: "explain" }).use(house).get(
    "/v1/explain/:from_ccy/:to_ccy",
    async ({
      params: {
        from_ccy: [from, to],
      },
      query: { date: day },
      caller,
    }) => {
      caller.reach(earliestOf(day));
      const { delayMinutes } = caller;
      return explainBody(explained(deps, { from, to, day, delayMinutes }));
    },
    operation({
      metered: true,
      reply: { cacheControl: cacheFor(LATEST.maxAgeSeconds) },
      params: path(pair("USD", "GBP")),
      query: query({
        date: day({
          description: "Explains the rate of this day, `YYYY-MM-DD`, UTC, instead of the latest.",
          example: "2026-04-11",
        }),
      }),
      id: "explainRate",
      tag: "Rates",
      summary: "Where a rate comes from",
      description:
        "The figures that one rate is made of, each as published with its document, times and earlier values; the exact computation; and a query over the lake that returns the same rate. It is the rate of `/v1/{date}`, or without `date` of `/v1/latest`, digit for digit.",
      ok: { schema: ExplainResponse, example: EXAMPLE },
      errors: ["plan_gated", "invalid_request", ...NO_LATEST_RATE, "not_found"],
    }),
  );
