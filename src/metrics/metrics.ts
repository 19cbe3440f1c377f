/** Metrics for operators: telemetry and requests are counted as they come, the rest is read when Prometheus asks. */

import { Registry } from "prom-client";
import type { Clock } from "#ports.ts";
import type { Emit } from "#telemetry.ts";
import { createCounters } from "./counters.ts";
import { countEvents } from "./event-counters.ts";
import { accountGauges } from "./gauges/accounts.ts";
import { liveGauges } from "./gauges/live.ts";
import { listenerGauges, processGauges } from "./gauges/process.ts";
import { storeGauges } from "./gauges/stores.ts";
import { boundedCounter } from "./instruments.ts";
import type { MetricsReaders } from "./readers.ts";
import { type CountRequest, countRequests } from "./requests.ts";
import { readerLabel, refreshAll, within } from "./scrape.ts";
import { createWatch, type Watch } from "./watch/watch.ts";

export interface Metrics {
  /** A sink of telemetry beside the log; never throws. */
  readonly emit: Emit;
  /** For the hot path: some tens of nanoseconds. */
  readonly countRequest: CountRequest;
  /** For the ports of the accounts; what is not watched has no samples. */
  readonly watch: Watch;
  /** From now on scrapes ask these; what is not given has no samples. Before the stores are open there is nothing to ask. */
  readFrom(readers: Partial<MetricsReaders>): void;
  /** Everything in the Prometheus text format 0.0.4. */
  text(): Promise<string>;
  readonly contentType: string;
  /** Ends the measuring of the event loop. */
  close(): void;
}

export interface MetricsOptions {
  readonly clock: Clock;
  readonly version: string;
  /** How long a scrape waits for a reader, at the most. */
  readonly readerMilliseconds?: number;
}

/** Below Prometheus's own scrape_timeout of 10 s, so that one hanging store does not hide the rest. */
const READER_MILLISECONDS = 3_000;

/** Makes an independent set of metrics: nothing is shared between two of them. */
export function createMetrics(options: MetricsOptions): Metrics {
  const { clock, version, readerMilliseconds = READER_MILLISECONDS } = options;
  const registry = new Registry();
  const startedAt = clock.now() - process.uptime() * 1000;
  const ownProcess = processGauges(registry, startedAt, version);
  const countRequest = countRequests(registry);
  const emit = countEvents(createCounters(registry));
  const watch = createWatch(registry);
  const groups = [
    ...liveGauges(registry),
    ...storeGauges(registry),
    ...accountGauges(registry),
    ...listenerGauges(registry),
  ];
  const errors = boundedCounter(
    registry,
    "crossrate_scrape_errors_total",
    "Times a scrape had to leave metrics out because their reader failed or was late.",
    ["reader"],
  );
  for (const { name } of groups) errors.add({ reader: readerLabel(name) }, 0);
  let readers: Partial<MetricsReaders> = {};

  return {
    emit,
    countRequest,
    watch,
    readFrom: (given) => {
      readers = given;
    },
    text: async () => {
      const now = clock.now();
      ownProcess.refresh(now);
      await refreshAll(groups, readers, now, within(readerMilliseconds), errors);
      return await registry.metrics();
    },
    contentType: registry.contentType,
    close: ownProcess.stop,
  };
}
