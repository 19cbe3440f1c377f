/** Metrics and traces of a server. Each library is loaded only if it is configured. */

import { RECONCILED_MARK } from "#accounts/billing/reconcile.ts";
import type { CountRequest } from "#api/request/count-request.ts";
import type { Config } from "#config.ts";
import type { CacheBudget } from "#domain/cache/budget.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import type { MetricsReaders } from "#metrics/gauges.ts";
import type { Clock, HotBook, Lake } from "#ports.ts";
import {
  dailyStatus,
  type LiveStatusDeps,
  liveStatus,
  officialVerdict,
  type StatusDeps,
} from "#rates/status.ts";
import type { Stream } from "#rates/stream/stream.ts";
import type { Emit } from "#telemetry.ts";
import type { Accounts } from "./accounts.ts";
import type { Live } from "./live.ts";

export interface ObservationOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly version: string;
  readonly serves: boolean;
  readonly publicUrl: string;
}

export interface MetricsSources {
  readonly live: Live;
  readonly hotBook: HotBook;
  readonly status: StatusDeps & LiveStatusDeps;
  readonly lake: Lake;
  readonly stream: Pick<Stream, "subscribers" | "totals">;
  readonly accounts: Accounts | null;
  readonly caches: CacheBudget;
  readonly listener: () => Listener | null;
}

export interface Listener {
  readonly pendingRequests: number;
}

type Answering = { readonly answer: (request: Request) => Response | Promise<Response> };

/** Without metrics and traces, events and requests pass unchanged. Rejects when the port of the metrics is taken. */
export async function openObservation(options: ObservationOptions) {
  const { config, clock, serves } = options;
  const metrics = serves && config.metrics !== null ? await openMetrics(options, config.metrics) : null;
  const emit: Emit = (event) => {
    options.emit(event);
    metrics?.emit(event);
  };
  const tracing = serves && config.traces !== null ? await openTracing(options, config.traces, emit) : null;
  const countRequest: CountRequest = (route, status, milliseconds, bytes) => {
    metrics?.countRequest(route, status, milliseconds, bytes);
    tracing?.countRequest(route, status);
  };
  return {
    emit: tracing?.emitting(emit) ?? emit,
    http: metrics === null && tracing === null ? {} : { countRequest },
    accounts: metrics?.accounts ?? null,
    app: <App extends Answering>(app: App): App =>
      tracing === null ? app : { ...app, answer: tracing.answering(app.answer) },
    readFrom: (sources: MetricsSources) => metrics?.readFrom(readersOf(sources, clock)),
    /** Call it last: spans are made until everything else is closed. */
    close: async () => {
      await metrics?.close();
      await tracing?.close();
    },
  };
}

async function openMetrics(
  { config: { allowedHosts }, clock, emit, version }: ObservationOptions,
  at: NonNullable<Config["metrics"]>,
) {
  const { createMetrics, startMetricsServer } = await import("#metrics/metrics.ts");
  const metrics = createMetrics(clock, version);
  const listener = startMetricsServer({ ...at, allowedHosts, metrics, emit });
  return { ...metrics, close: listener.stop };
}

async function openTracing(
  { version, publicUrl }: ObservationOptions,
  { url, headers, serviceName, resourceAttributes, sampler, ratio }: NonNullable<Config["traces"]>,
  emit: Emit,
) {
  const { createTracing, openExport } = await import("#tracing/tracing.ts");
  const service = { "service.name": serviceName, "service.version": version };
  return createTracing({
    ...{ processor: openExport({ url, headers, emit }), sampler, ratio, version, publicUrl },
    resource: { "service.instance.id": crypto.randomUUID(), ...resourceAttributes, ...service },
  });
}

function readersOf(
  { live, hotBook, status, lake, stream, accounts, caches, listener }: MetricsSources,
  clock: Clock,
): Partial<MetricsReaders> {
  const { officialStatus } = status;
  return {
    ...(accounts === null ? {} : accountReaders(accounts, clock)),
    hotBook: () => {
      const { stale, unconfirmed } = liveStatus(status);
      return {
        book: hotBook.read(),
        state: hotBook.state(),
        kind: live.feeds.kind,
        staleQuotes: stale.length,
        unconfirmed,
      };
    },
    feeds: live.feedsNow,
    daily: () => {
      const sources = dailyStatus(status);
      return DAILY_SOURCES.map((source) => ({ source, ...sources[source] }));
    },
    ...(officialStatus === null
      ? {}
      : {
          official: async () =>
            (await officialStatus()).map((table) => ({
              table: table.table,
              status: officialVerdict(table),
              lastSuccessAt: table.lastSuccessAt,
              held: table.held.length,
            })),
        }),
    lakeReadable: () =>
      lake.version().then(
        () => true,
        () => false,
      ),
    clockAhead: () => status.ownClock?.().ahead ?? 0,
    ...(status.process().role === "api" ? {} : { collecting: () => status.process().collecting }),
    stream: () => ({ subscribers: stream.subscribers(), ...stream.totals() }),
    requestsInFlight: () => listener()?.pendingRequests ?? null,
    caches: () => caches.uses(),
  };
}

/** A notice that is older waits for the hourly reconciliation. */
const WAITING_MILLISECONDS = 60_000;
const MOST_WAITING = 500;

function accountReaders(
  { counters, usage, ledger, billing, kind }: Accounts,
  clock: Clock,
): Partial<MetricsReaders> {
  return {
    limits: counters.state,
    usage: usage.waiting,
    ledger: async () => {
      const began = performance.now();
      const isReachable = await ledger.probe().then(
        () => true,
        () => false,
      );
      return { kind, answeredInSeconds: isReachable ? (performance.now() - began) / 1000 : null };
    },
    webhooks: () => ledger.outbox.backlog(clock.now()),
    ...(billing.kind === "none" ? {} : { billing: () => billingOf(ledger, clock) }),
  };
}

async function billingOf({ billingEvents, installation }: Accounts["ledger"], clock: Clock) {
  const before = clock.now() - WAITING_MILLISECONDS;
  const [waiting, mark] = await Promise.all([
    billingEvents.unprocessed(before, MOST_WAITING),
    installation.read(RECONCILED_MARK),
  ]);
  return { waiting: waiting.length, reconciledAt: mark === null ? null : Number(mark) };
}
