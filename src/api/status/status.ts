/**
 * Routes for monitors and balancers, never metered or stored. GET /health says whether the process answers; GET /status
 * has the age of the data, and the held figures with reasons.
 */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { choice, query } from "#api/parameters.ts";
import type { House } from "#api/plugins/house.ts";
import type { Body } from "#api/print.ts";
import { print } from "#api/print.ts";
import { operation } from "#api/words.ts";
import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import { type ServiceStatus, type StatusDeps, status as serviceStatus } from "#rates/status.ts";
import { DailyCheck, dailyFacts, LiveData, liveFacts, OfficialChecks } from "./checks.ts";

export const HealthResponse = field.answer("HealthResponse", "Liveness.", {
  status: form.constant("ok", "The process answers."),
  version: form.text("Version of the product.", "0.1.0"),
});

export function healthBody(version: string) {
  return { result: "success", status: "ok", version } satisfies Body<typeof HealthResponse>;
}

const detail = form.textOrNull("What is wrong; null when nothing is.", null);

const kind = <const T extends string>(name: string, values: readonly T[], example: T) =>
  form.oneOfOrNull(name, values, "Where it is stored.", example);

type DailyChecks = Record<DailySource, typeof DailyCheck>;

const Checks = form.closed("One entry a dependency.", {
  process: form.closed("This server process among those of its installation.", {
    role: form.oneOf(["all", "api", "collector"], "Whether it collects, answers, or both."),
    collecting: form.flag("Whether it is the one that collects; a collector that does not stands by.", true),
    stopping: form.flag("Whether it was asked to end, and takes requests only for a moment longer.", false),
  }),
  clock: form.closed(
    "This machine's clock, held against the Date of the sources' answers and a Postgres ledger.",
    {
      status: form.oneOf(
        ["ok", "off", "wrong"],
        "`off`: two hosts, or Postgres, say that it differs by more than two minutes. `wrong`: by more than an hour, and nothing is committed.",
      ),
      detail,
    },
  ),
  database: form.closed("Ledger of accounts; `unused` where access is open.", {
    status: form.oneOf(["ok", "failed", "unused"], "Whether it can be read and written."),
    kind: kind("LedgerKind", ["sqlite", "postgres"], "sqlite"),
    detail,
  }),
  limits: form.closed("Counters of limits and quotas; `unused` where access is open.", {
    status: form.oneOf(
      ["ok", "degraded", "unused"],
      "`degraded`: replicas do not see each other's calls: each grants its share; or another server on the ledger has another table of plans.",
    ),
    kind: kind("LimitsKind", ["memory", "redis"], "memory"),
    detail,
  }),
  cache: form.closed("Store of the newest quotes.", {
    status: form.oneOf(
      ["ok", "degraded"],
      "`degraded`: what other processes publish does not arrive here; this one serves from its own memory.",
    ),
    kind: form.oneOf(["memory", "redis"], "Where it is stored."),
    detail,
    last_seen_at: form.instantOrNull("When the shared store last answered, UTC.", "2026-04-13T16:29:59Z"),
  }),
  lake: form.closed("Store of every observation.", {
    status: form.oneOf(["ok", "failed"], "Whether the lake can be read."),
    detail,
    damaged: form.list(
      Type.String(),
      "Files that differ from the lake's log, one sentence each. Answers that depend on them are refused with data_unavailable.",
      [],
    ),
    dataset: form.textOrNull("Version of the data served; null before the first collection.", "4f1c09d2"),
    observations: form.count("Number of current observations.", 254_109),
  }),
  live_data: LiveData,
  daily: form.closed(
    "Collection of each daily source.",
    Object.fromEntries(DAILY_SOURCES.map((source) => [source, DailyCheck])) as DailyChecks,
  ),
  official: OfficialChecks,
});

export const StatusResponse = form.named("StatusResponse", "Readiness, with the reasons.", {
  result: form.oneOf(["success", "error"], "`error` with 503, as on every refusal."),
  code: Type.Optional(form.oneOf(["service_unavailable"], "With 503 only, as on every refusal.")),
  message: Type.Optional(
    form.text("With 503 only: the state, for people.", "this server is unready: see checks"),
  ),
  status: form.oneOf(
    ["ready", "degraded", "unready"],
    "`unready`: the stores cannot be read, or the server is stopping. `degraded`: they can, but something is stale, missing, failing or contradicted.",
  ),
  version: form.text("Version of the product.", "0.1.0"),
  checks: Checks,
  timestamp: field.timestamp,
});

/** With `isRefusal` (503) the body is also the envelope of a refusal. */
function statusBody({ status, version, live, daily, ...report }: ServiceStatus, isRefusal: boolean) {
  const refusal = { code: "service_unavailable", message: `this server is ${status}: see checks` } as const;
  return print(StatusResponse, {
    result: isRefusal ? "error" : "success",
    ...(isRefusal ? refusal : {}),
    ...{ status, version },
    checks: {
      ...report,
      liveData: liveFacts(live),
      daily: { ecbDaily: dailyFacts(daily.ecb_daily), fredDaily: dailyFacts(daily.fred_daily) },
    },
  });
}

const strict = choice(["0", "1"], "`1` answers 503 when anything is degraded.");

export const probes = ({ house, ...deps }: StatusDeps & { readonly house: House }) =>
  new Elysia({ name: "probes" })
    .use(house)
    .get(
      "/health",
      async () => healthBody(deps.version),
      operation({
        reply: "no-store",
        id: "getHealth",
        tag: "Service",
        summary: "Liveness",
        description: "Answers as long as the process runs; checks nothing else. Public and never limited.",
        ok: HealthResponse,
      }),
    )
    .get(
      "/status",
      async ({ query: { strict }, status: withStatus }) => {
        const report = await serviceStatus(deps);
        const isRefusal = report.status === "unready" || (strict === "1" && report.status !== "ready");
        const body = statusBody(report, isRefusal);
        return isRefusal ? withStatus(503, body) : body;
      },
      operation({
        reply: "no-store",
        query: query({ strict }),
        id: "getStatus",
        tag: "Service",
        summary: "Readiness",
        description:
          "Whether the stores can be read, how old the data is, and which figures are held back. Public and never limited.",
        ok: {
          description: "`ready`, or `degraded` with the reason in the checks.",
          schema: StatusResponse,
          alsoAs: { 503: "`unready`; with `strict=1` also `degraded`." },
        },
      }),
    );
