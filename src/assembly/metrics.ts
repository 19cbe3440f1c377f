/** Metrics, where a port is configured: events and requests are counted, Prometheus scrapes the counts. */

import type { CacheBudget } from "#domain/cache/budget.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import type { ListenerReading, MetricsReaders, TracesReading } from "#metrics/readers.ts";
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
import { type AccountSources, accountReaders } from "./accounts/metrics.ts";
import type { Live } from "./live/live.ts";

export interface MetricsSources {
  readonly live: Live;
  readonly hotBook: HotBook;
  readonly status: StatusDeps & LiveStatusDeps;
  readonly lake: Lake;
  readonly stream: Pick<Stream, "subscribers" | "totals">;
  /** Null where access is open. */
  readonly accounts: AccountSources | null;
  readonly caches: Pick<CacheBudget, "uses">;
  /** Null where no traces are made. */
  readonly traces: (() => TracesReading) | null;
  /** Null until the server listens. */
  readonly listener: () => Listener | null;
}

/** What the API's server says of itself. */
export interface Listener {
  readonly port?: number | undefined;
  readonly pendingRequests: number;
}

/** Loaded only where a port is configured: the library costs some 50 ms of a start. Rejects when the port is taken. */
export async function openMetrics(
  at: { readonly port: number; readonly host: string; readonly allowedHosts: readonly string[] },
  { clock, emit, version }: { readonly clock: Clock; readonly emit: Emit; readonly version: string },
) {
  const { createMetrics } = await import("#metrics/metrics.ts");
  const { startMetricsServer } = await import("#metrics/server.ts");
  const metrics = createMetrics({ clock, version });
  const listener = startMetricsServer({ ...at, metrics, emit });
  return {
    /** Logs and counts. */
    emit: (event: Parameters<Emit>[0]) => {
      emit(event);
      metrics.emit(event);
    },
    countRequest: metrics.countRequest,
    watch: metrics.watch,
    readFrom: (sources: MetricsSources) => metrics.readFrom(readersOf(sources, clock)),
    close: async () => {
      await listener.stop();
      metrics.close();
    },
  };
}

function readersOf(
  { live, hotBook, status, lake, stream, accounts, caches, traces, listener }: MetricsSources,
  clock: Clock,
): Partial<MetricsReaders> {
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
      return DAILY_SOURCES.map((source) => {
        const { status: verdict, newestObservedAt, wholeReadAt, ...unsettled } = sources[source];
        const { heldByRule, contradictions, behind } = unsettled;
        return { source, status: verdict, newestObservedAt, wholeReadAt, heldByRule, contradictions, behind };
      });
    },
    ...(status.officialStatus === null ? {} : officialReader(status.officialStatus)),
    lakeReadable: () =>
      lake.version().then(
        () => true,
        () => false,
      ),
    clockAhead: () => status.ownClock?.().ahead ?? 0,
    ...(status.process().role === "api" ? {} : { collecting: () => status.process().collecting }),
    stream: () => ({ subscribers: stream.subscribers(), ...stream.totals() }),
    listener: () => listenerReading(listener()),
    ...(traces === null ? {} : { traces }),
    caches: () => caches.uses(),
  };
}

/** Loaded with the metrics: nothing else counts connections. */
async function listenerReading(listener: Listener | null): Promise<ListenerReading> {
  if (listener === null) return { connections: null, requestsInFlight: null };
  const { port, pendingRequests } = listener;
  const { connectionsOf } = await import("#metrics/gauges/process.ts");
  return {
    connections: port === undefined ? null : await connectionsOf(port),
    requestsInFlight: pendingRequests,
  };
}

function officialReader(readTables: NonNullable<StatusDeps["officialStatus"]>): Partial<MetricsReaders> {
  return {
    official: async () =>
      (await readTables()).map((table) => ({
        table: table.table,
        status: officialVerdict(table),
        lastSuccessAt: table.lastSuccessAt,
        held: table.held.length,
      })),
  };
}
