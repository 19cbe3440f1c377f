/** Metrics, where they are asked for: what happens and what is answered goes in, Prometheus takes it out. */

import type { CacheBudget } from "#domain/cache/budget.ts";
import type { ListenerReading, MetricsReaders } from "#metrics/readers.ts";
import type { CountRequest } from "#metrics/requests.ts";
import type { Watch } from "#metrics/watch.ts";
import type { Clock, HotBook, Lake } from "#ports.ts";
import { type LiveStatusDeps, liveStatus } from "#rates/live-status.ts";
import { officialVerdict } from "#rates/official-status.ts";
import { dailyStatus, type StatusDeps } from "#rates/status.ts";
import type { Stream } from "#rates/stream/stream.ts";
import type { Tell } from "#telemetry.ts";
import { type AccountSources, accountReaders } from "./account-metrics.ts";
import type { Live } from "./live.ts";

export interface OpenMetrics {
  /** Tells the log and counts. */
  readonly tell: Tell;
  readonly countRequest: CountRequest;
  readonly watch: Watch;
  readFrom(sources: MetricsSources): void;
  close(): Promise<void>;
}

export interface MetricsSources {
  readonly live: Live;
  readonly hotBook: HotBook;
  readonly status: StatusDeps & LiveStatusDeps;
  readonly lake: Lake;
  readonly stream: Pick<Stream, "subscribers" | "totals">;
  /** Null where access is open. */
  readonly accounts: AccountSources | null;
  readonly caches: Pick<CacheBudget, "uses">;
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
  at: { readonly port: number; readonly host: string },
  { clock, tell, version }: { readonly clock: Clock; readonly tell: Tell; readonly version: string },
): Promise<OpenMetrics> {
  const { createMetrics } = await import("#metrics/metrics.ts");
  const { startMetricsServer } = await import("#metrics/server.ts");
  const metrics = createMetrics({ clock, version });
  const listener = startMetricsServer({ ...at, metrics, tell });
  tell({ kind: "notice", text: `metrics are served on ${listener.url}` });
  return {
    tell: (happening) => {
      tell(happening);
      metrics.tell(happening);
    },
    countRequest: metrics.countRequest,
    watch: metrics.watch,
    readFrom: (sources) => metrics.readFrom(readersOf(sources, clock)),
    close: async () => {
      await listener.stop();
      metrics.close();
    },
  };
}

function readersOf(
  { live, hotBook, status, lake, stream, accounts, caches, listener }: MetricsSources,
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
    daily: () => dailyStatus(status),
    ...(status.officialStandings === null ? {} : officialReader(status.officialStandings)),
    lakeReadable: () =>
      lake.version().then(
        () => true,
        () => false,
      ),
    stream: () => ({ subscribers: stream.subscribers(), ...stream.totals() }),
    listener: () => listenerReading(listener()),
    caches: () => caches.uses(),
  };
}

/** Loaded with the metrics: nothing else counts connections. */
async function listenerReading(listener: Listener | null): Promise<ListenerReading> {
  if (listener === null) return { connections: null, requestsInFlight: null };
  const { port, pendingRequests } = listener;
  const { connectionsOf } = await import("#metrics/connections.ts");
  return {
    connections: port === undefined ? null : await connectionsOf(port),
    requestsInFlight: pendingRequests,
  };
}

function officialReader(standings: NonNullable<StatusDeps["officialStandings"]>): Partial<MetricsReaders> {
  return {
    official: async () =>
      (await standings()).map((standing) => ({
        table: standing.table,
        status: officialVerdict(standing),
        lastSuccessAt: standing.lastSuccessAt,
        held: standing.held.length,
      })),
  };
}
