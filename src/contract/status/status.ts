/** What /status reports: can the stores be read, how old is the data, what is held back and why. */

import { Type } from "@sinclair/typebox";
import type { Body } from "#contract/body.ts";
import * as field from "#contract/fields.ts";
import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import type { ServiceStatus } from "#domain/rates/status.ts";
import { formatInstant, type Instant } from "#domain/time/day.ts";
import { checkOf, LiveData, liveBody } from "./live.ts";
import {
  DAILY_CHECK_EXAMPLE,
  DailyCheck,
  dailyBody,
  instantOrNull,
  OFFICIAL_CHECKS_EXAMPLE,
  OfficialChecks,
  officialChecksBody,
  oneOf,
  printedInstant,
} from "./sources.ts";

const detail = field.nullable<string>("string", {
  description: "What is wrong; null when nothing is.",
  examples: ["the lake's directory cannot be read"],
});

const kind = <const T extends string>(name: string, values: readonly T[], example: T) =>
  field.oneOfOrNull(name, values, "Where it is stored.", example);

type DailyChecks = Record<DailySource, typeof DailyCheck>;

const Checks = Type.Object(
  {
    database: checkOf("Ledger of accounts; `unused` where access is open.", {
      status: oneOf(["ok", "failed", "unused"], "Whether it can be read and written."),
      kind: kind("LedgerKind", ["sqlite", "postgres"], "sqlite"),
      detail,
    }),
    limits: checkOf("Counters of limits and quotas; `unused` where access is open.", {
      status: oneOf(
        ["ok", "degraded", "unused"],
        "`degraded`: replicas do not see each other's calls, so that each grants its share.",
      ),
      kind: kind("LimitsKind", ["memory", "redis"], "memory"),
      detail,
    }),
    cache: checkOf("Store of the newest quotes.", {
      status: oneOf(
        ["ok", "degraded"],
        "`degraded`: what other processes publish does not arrive here; this one serves from its own memory.",
      ),
      kind: oneOf(["memory", "redis"], "Where it is stored."),
      detail,
      last_seen_at: instantOrNull("When the shared store last answered, UTC.", "2026-04-13T16:29:59Z"),
    }),
    lake: checkOf("Store of every observation.", {
      status: oneOf(["ok", "failed"], "Whether the lake can be read."),
      detail,
      damaged: Type.Array(Type.String(), {
        description:
          "Files that differ from the lake's log, one sentence each. Answers that depend on them are refused with data_unavailable.",
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
    daily: Type.Object(
      Object.fromEntries(DAILY_SOURCES.map((source) => [source, DailyCheck])) as DailyChecks,
      {
        additionalProperties: false,
        description: "Collection of each daily source.",
      },
    ),
    official: OfficialChecks,
  },
  { additionalProperties: false, description: "One entry a dependency." },
);

export const StatusResponse = Type.Object(
  {
    status: oneOf(
      ["ready", "degraded", "unready"],
      "`unready`: the stores cannot be read. `degraded`: they can, but something is stale, missing or failing.",
    ),
    version: Type.String({ description: "Version of the product.", examples: ["0.1.0"] }),
    checks: Checks,
    timestamp: field.timestamp,
  },
  { $id: "StatusResponse", additionalProperties: false, description: "Readiness, with the reasons." },
);

/** The body of /status, served at `now`. */
export function statusBody(report: ServiceStatus, now: Instant) {
  const { database, limits, cache, lake, live, daily, official } = report;
  return {
    status: report.status,
    version: report.version,
    checks: {
      database: { status: database.status, kind: database.kind, detail: database.detail },
      limits: { status: limits.status, kind: limits.kind, detail: limits.detail },
      cache: {
        status: cache.status,
        kind: cache.kind,
        detail: cache.detail,
        last_seen_at: printedInstant(cache.lastSeenAt),
      },
      lake: {
        status: lake.status,
        detail: lake.detail,
        damaged: lake.damaged,
        dataset: lake.dataset,
        observations: lake.observations,
      },
      live_data: liveBody(live),
      daily: { ecb_daily: dailyBody(daily.ecb_daily), fred_daily: dailyBody(daily.fred_daily) },
      official: officialChecksBody(official),
    },
    timestamp: formatInstant(now),
  } satisfies Body<typeof StatusResponse>;
}

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
