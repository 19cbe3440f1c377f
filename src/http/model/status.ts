/** What /status says: can the stores be read, how old is the data, what is held back and why. */

import { Type } from "@sinclair/typebox";
import { FEEDS } from "#domain/live/live-quote.ts";
import { DAILY_SOURCES } from "#domain/source.ts";
import * as field from "./fields.ts";
import { dayOrNull, instantOrNull, word } from "./status-fields.ts";
import { OFFICIAL_CHECKS_EXAMPLE, OfficialChecks } from "./status-official.ts";

const HeldFigure = Type.Object(
  {
    date: field.day("Day that the figure is for.", "2026-04-13"),
    base: field.meaning(field.CurrencyCodeModel, "Currency that the figure is for 1 unit of.", "EUR"),
    quote: field.meaning(field.CurrencyCodeModel, "Currency that the figure is in units of.", "NOK"),
    value: Type.String({
      description: "The figure as printed, in units of `quote` per 1 unit of `base`.",
      examples: ["118.529"],
    }),
    rule: Type.String({ description: "Name of the rule that holds it.", examples: ["implausible_jump"] }),
    reason: Type.String({
      description: "Why, with the numbers.",
      examples: ["118.529 is 10 times the 11.8301 of 2026-04-10"],
    }),
    retrieved_at: field.instant("When the figure was read, UTC.", "2026-04-13T14:05:00Z"),
  },
  {
    $id: "HeldFigure",
    additionalProperties: false,
    description: "A published figure that is not served until it is confirmed or released.",
  },
);

const DailyCheck = Type.Object(
  {
    status: word(
      ["ok", "stale", "failing", "missing"],
      "`stale`: a newer publication was due. `failing`: the last attempt to collect failed. `missing`: nothing was ever collected.",
    ),
    newest_date: dayOrNull("Newest day with a figure.", "2026-04-13"),
    covered_through: dayOrNull("Last day that the source's documents speak for.", "2026-04-13"),
    last_attempt_at: instantOrNull("Last attempt to collect, UTC.", "2026-04-13T16:05:00Z"),
    last_success_at: instantOrNull("Last attempt that read an intact document, UTC.", "2026-04-13T16:05:00Z"),
    outcome: word(
      ["never", "figures", "unchanged", "holiday", "empty", "failed"],
      "How the last attempt went; `never` before the first one of this process.",
    ),
    detail: field.nullable<string>("string", {
      description: "Why the last attempt failed or was empty.",
      examples: ["the server answered 503"],
    }),
    held_count: Type.Integer({ minimum: 0, description: "Number of figures held back.", examples: [0] }),
    held: Type.Array(HeldFigure, { maxItems: 20, description: "The first 20 of them.", examples: [[]] }),
  },
  { $id: "DailyCheck", additionalProperties: false, description: "Collection of one daily source." },
);

const detail = field.nullable<string>("string", {
  description: "What is wrong; null when nothing is.",
  examples: ["the lake's directory cannot be read"],
});

const kind = (values: readonly string[], example: string) =>
  field.nullable<string>("string", {
    enum: [...values, null],
    description: "Where it is kept.",
    examples: [example],
  });

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
    outcome: field.nullable<string>("string", {
      enum: ["never", "quotes", "unchanged", "failed", null],
      description: "How the last poll went; null on a server that leaves polling to another.",
      examples: ["quotes"],
    }),
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
    ["ok", "stale", "missing", "waiting", "off"],
    "`stale`: a currency that was live is older than its window, or a daily figure stands in for it. `missing`: no quote has come in although the market is open; `waiting`: it is closed. `off`: no feed is configured.",
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
  feeds: Type.Array(FeedCheck, {
    description: "The configured feeds, in order of preference.",
    examples: [[]],
  }),
});

const Checks = Type.Object(
  {
    database: seen("Ledger of accounts; `unused` where access is open.", {
      status: word(["ok", "failed", "unused"], "Whether it can be read and written."),
      kind: kind(["sqlite", "postgres"], "sqlite"),
      detail,
    }),
    limits: seen("Counters of limits and quotas; `unused` where access is open.", {
      status: word(
        ["ok", "degraded", "unused"],
        "`degraded`: replicas do not see each other's calls, so that each grants its share.",
      ),
      kind: kind(["memory", "redis"], "memory"),
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

const daily = {
  status: "ok",
  newest_date: "2026-04-13",
  covered_through: "2026-04-13",
  last_attempt_at: "2026-04-13T16:05:00Z",
  last_success_at: "2026-04-13T16:05:00Z",
  outcome: "unchanged",
  detail: null,
  held_count: 0,
  held: [],
};

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
      feeds: [],
    },
    daily: {
      ecb_daily: daily,
      fred_daily: { ...daily, newest_date: "2026-04-10", covered_through: "2026-04-10" },
    },
    official: OFFICIAL_CHECKS_EXAMPLE,
  },
  timestamp: "2026-04-13T16:30:00Z",
};
