/** Metrics for operators: events and requests are counted as they happen, everything else is read at a scrape. */

import { Registry } from "prom-client";
import type { Clock } from "#ports.ts";
import { countEvents } from "./events.ts";
import { accountGauges } from "./gauges/accounts.ts";
import { liveGauges, storeGauges } from "./gauges/data.ts";
import { listenerGauges, processGauges } from "./gauges/process.ts";
import { counters } from "./instruments.ts";
import type { MetricsReaders } from "./readers.ts";
import { countRequests } from "./requests.ts";
import { readerLabel, refreshAll, within } from "./scrape.ts";
import { createWatch } from "./watch.ts";

export type Metrics = ReturnType<typeof createMetrics>;

export interface MetricsOptions {
  readonly clock: Clock;
  readonly version: string;
  /** How long a scrape waits for a reader, at the most. */
  readonly readerMilliseconds?: number;
}

/** Below Prometheus's own scrape_timeout of 10 s, so that one hanging store does not hide the rest. */
const READER_MILLISECONDS = 3_000;

/** Makes an independent set of metrics: nothing is shared between two of them. */
export function createMetrics(options: MetricsOptions) {
  const { clock, version, readerMilliseconds = READER_MILLISECONDS } = options;
  const registry = new Registry();
  const startedAt = clock.now() - process.uptime() * 1000;
  const ownProcess = processGauges(registry, startedAt, version);
  const countRequest = countRequests(registry);
  const emit = countEvents(registry);
  const watch = createWatch(registry);
  const groups = [
    ...liveGauges(registry),
    ...storeGauges(registry),
    ...accountGauges(registry),
    ...listenerGauges(registry),
  ];
  const { errors } = counters(registry, {
    errors:
      "crossrate_scrape_errors_total{reader} Times a scrape had to leave metrics out because their reader failed or was late.",
  });
  for (const { name } of groups) errors.add({ reader: readerLabel(name) }, 0);
  let readers: Partial<MetricsReaders> = {};

  return {
    /** A sink of telemetry beside the log; never throws. */
    emit,
    /** For the hot path. */
    countRequest,
    /** For the ports of the accounts; what is not watched has no samples. */
    watch,
    /** From now on scrapes ask these; what is not given has no samples. Before the stores are open there is nothing to ask. */
    readFrom: (given: Partial<MetricsReaders>): void => {
      readers = given;
    },
    /** Everything in the Prometheus text format 0.0.4. */
    text: async (): Promise<string> => {
      const now = clock.now();
      ownProcess.refresh(now);
      await refreshAll(groups, readers, now, within(readerMilliseconds), errors);
      return await registry.metrics();
    },
    contentType: registry.contentType,
    /** Ends the measuring of the event loop. */
    close: ownProcess.stop,
  };
}
