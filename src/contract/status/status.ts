/** What /status says: can the stores be read, how old is the data, what is held back and why. */

import { Type } from "@sinclair/typebox";
import * as field from "#contract/fields.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import { FEEDS } from "#domain/live/live-quote.ts";
import { DAILY_CHECK_EXAMPLE, DailyCheck } from "./daily.ts";
import { instantOrNull, word } from "./fields.ts";
import { RefusedQuoteModel } from "./live.ts";
import { OFFICIAL_CHECKS_EXAMPLE, OfficialChecks } from "./official.ts";

const detail = field.nullable<string>("string", {
  description: "What is wrong; null when nothing is.",
  examples: ["the lake's directory cannot be read"],
});

const kind = (name: string, values: readonly string[], example: string) =>
  field.wordOrNull(name, values, "Where it is kept.", example);

const seen = (description: string, properties: Parameters<typeof Type.Object>[0]) =>
  Type.Object(properties, { additionalProperties: false, description });

const FeedCheck = Type.Object(
  {
    feed: word(FEEDS, "Name of the feed."),
    role: word(["primary", "fallback"], "The first feed of the configuration is the primary one."),
    speaks_for: Type.Integer({
      minimum: 0,
      description: "Number of currencies whose newest quote is this feed's.",
      examples: [19],
    }),
    outcome: field.wordOrNull(
      "FeedOutcome",
      ["never", "quotes", "unchanged", "failed"],
      "How the last poll went; null on a server that leaves polling to another.",
      "quotes",
    ),
    last_attempt_at: instantOrNull("Last poll, UTC.", "2026-04-13T16:29:02Z"),
    last_success_at: instantOrNull("Last poll that read an intact document, UTC.", "2026-04-13T16:29:02Z"),
    paused_until: instantOrNull(
      "Until when the feed is left alone because it asked for that, UTC.",
      "2026-04-13T16:45:00Z",
    ),
    detail: field.nullable<string>("string", {
      description: "Why the last poll failed.",
      examples: ["the server answered 503"],
    }),
  },
  { $id: "FeedCheck", additionalProperties: false, description: "One live feed." },
);

const LiveData = seen("Live quotes.", {
  status: word(
    ["ok", "unconfirmed", "refused", "stale", "missing", "waiting", "off"],
    "`stale`: a currency that was live is older than its window, or a daily figure stands in for it. `refused`: quotes of a currency are refused, and no other feed speaks for it. `unconfirmed`: a currency is served on one feed's word although it is far from its reference. `missing`: no quote has come in although the market is open; `waiting`: it is closed. `off`: no feed is configured.",
  ),
  age_seconds: field.nullable<number>("number", {
    minimum: 0,
    description: "Seconds since the newest quote was observed; null without one.",
    examples: [12],
  }),
  source: field.nullable<string>("string", {
    description: "Feed that speaks for most currencies; null without a quote.",
    examples: ["coinbase"],
  }),
  market_session: field.marketSession,
  live_currencies: Type.Integer({
    minimum: 0,
    description: "Number of currencies served live now.",
    examples: [19],
  }),
  configured_currencies: Type.Integer({
    minimum: 0,
    description: "Number of currencies that are to be live.",
    examples: [19],
  }),
  stale: Type.Array(field.CurrencyCodeModel, {
    description: "Currencies that were live and are stale now.",
    examples: [[]],
  }),
  unconfirmed: Type.Array(field.CurrencyCodeModel, {
    description:
      "Currencies whose live quote is more than 1.1 times their daily reference, either way, on one feed's word alone.",
    examples: [[]],
  }),
  refused: Type.Array(RefusedQuoteModel, {
    description:
      "Quotes that are refused now, with the evidence; empty on a server that leaves asking the feeds to another.",
    examples: [[]],
  }),
  feeds: Type.Array(FeedCheck, {
    description: "The configured feeds, in order of preference.",
    examples: [[]],
  }),
});

const Checks = Type.Object(
  {
    database: seen("Ledger of accounts; `unused` where access is open.", {
      status: word(["ok", "failed", "unused"], "Whether it can be read and written."),
      kind: kind("LedgerKind", ["sqlite", "postgres"], "sqlite"),
      detail,
    }),
    limits: seen("Counters of limits and quotas; `unused` where access is open.", {
      status: word(
        ["ok", "degraded", "unused"],
        "`degraded`: replicas do not see each other's calls, so that each grants its share.",
      ),
      kind: kind("LimitsKind", ["memory", "redis"], "memory"),
      detail,
    }),
    cache: seen("Store of the newest quotes.", {
      status: word(
        ["ok", "degraded"],
        "`degraded`: what other processes publish does not arrive here; this one serves from its own memory.",
      ),
      kind: word(["memory", "redis"], "Where it is kept."),
      detail,
      last_seen_at: instantOrNull("When the shared store last answered, UTC.", "2026-04-13T16:29:59Z"),
    }),
    lake: seen("Store of every observation.", {
      status: word(["ok", "failed"], "Whether the lake can be read."),
      detail,
      damaged: Type.Array(Type.String(), {
        description:
          "Files that are not what the lake's log says, one sentence each. Answers that depend on them are refused with data_unavailable.",
        examples: [[]],
      }),
      dataset: field.nullable<string>("string", {
        description: "Version of the data that is served; null before the first collection.",
        examples: ["4f1c09d2"],
      }),
      observations: Type.Integer({
        minimum: 0,
        description: "Number of current observations.",
        examples: [254_109],
      }),
    }),
    live_data: LiveData,
    daily: Type.Object(Object.fromEntries(DAILY_SOURCES.map((source) => [source, DailyCheck])), {
      additionalProperties: false,
      description: "Collection of each daily source.",
    }),
    official: OfficialChecks,
  },
  { additionalProperties: false, description: "One entry a dependency." },
);

export const StatusResponse = Type.Object(
  {
    status: word(
      ["ready", "degraded", "unready"],
      "`unready`: the stores cannot be read. `degraded`: they can, but something is stale, missing or failing.",
    ),
    version: Type.String({ description: "Version of the product.", examples: ["0.1.0"] }),
    checks: Checks,
    timestamp: field.timestamp,
  },
  { $id: "StatusResponse", additionalProperties: false, description: "Readiness, with the reasons." },
);

export const STATUS_EXAMPLE = {
  status: "ready",
  version: "0.1.0",
  checks: {
    database: { status: "unused", kind: null, detail: null },
    limits: { status: "unused", kind: null, detail: null },
    cache: { status: "ok", kind: "memory", detail: null, last_seen_at: null },
    lake: { status: "ok", detail: null, damaged: [], dataset: "4f1c09d2", observations: 254_109 },
    live_data: {
      status: "off",
      age_seconds: null,
      source: null,
      market_session: "open",
      live_currencies: 0,
      configured_currencies: 0,
      stale: [],
      unconfirmed: [],
      refused: [],
      feeds: [],
    },
    daily: {
      ecb_daily: DAILY_CHECK_EXAMPLE,
      fred_daily: { ...DAILY_CHECK_EXAMPLE, newest_date: "2026-04-10", covered_through: "2026-04-10" },
    },
    official: OFFICIAL_CHECKS_EXAMPLE,
  },
  timestamp: "2026-04-13T16:30:00Z",
};
