/** Instruments over prom-client: gauges and totals that are absent until they are set, counters with bounded labels, tallies read at a scrape. */

import { Counter, Gauge as PromGauge, type Registry } from "prom-client";

export interface Gauge<Label extends string> {
  /** A value that is null or not finite takes the series out. */
  set(labels: Readonly<Record<Label, string>>, value: number | null): void;
  clear(): void;
}

export function gauge<Label extends string = never>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly Label[] = [],
): Gauge<Label> {
  const metric = new PromGauge({ name, help, labelNames, registers: [registry] });
  return absentUntilSet(metric, labelNames, (labels, value) => metric.set(labels, value));
}

/** A counter that is set at a scrape to what has been counted since the start elsewhere. `name` ends in `_total`. */
export function total<Label extends string = never>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly Label[] = [],
): Gauge<Label> {
  const metric = new Counter({ name, help, labelNames, registers: [registry] });
  return absentUntilSet(metric, labelNames, (labels, value) => {
    metric.remove(labels);
    metric.inc(labels, Math.max(value, 0));
  });
}

function absentUntilSet<Label extends string>(
  metric: PromGauge<Label> | Counter<Label>,
  labelNames: readonly Label[],
  put: (labels: Readonly<Record<Label, string>>, value: number) => void,
): Gauge<Label> {
  const clear = () => {
    metric.reset();
    // Without labels the library starts at a 0 that was never measured.
    if (labelNames.length === 0) metric.remove({});
  };
  clear();
  return {
    set(labels, value) {
      if (value !== null && Number.isFinite(value)) put(labels, value);
      else metric.remove(labels);
    },
    clear,
  };
}

export interface BoundedCounter<Label extends string> {
  /** Adds `by`, 1 by default; 0 makes the series appear. What is not a number above zero counts as 0. Never throws. */
  add(labels: Readonly<Record<Label, string>>, by?: number): void;
}

/** Series of one metric; far above what the code's own words can make. Labels beyond it are OTHER. */
export const MOST_SERIES = 200;
export const LONGEST_LABEL = 60;
export const OTHER = "other";

export function boundedCounter<Label extends string = never>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly Label[] = [],
): BoundedCounter<Label> {
  const counter = new Counter({ name, help, labelNames, registers: [registry] });
  const known = new Set<string>();
  return {
    add(labels, by = 1) {
      let values = labelNames.map((label) => String(labels[label]).slice(0, LONGEST_LABEL));
      const key = values.join("\0");
      if (known.size >= MOST_SERIES && !known.has(key)) values = labelNames.map(() => OTHER);
      else known.add(key);
      const series = Object.fromEntries(labelNames.map((label, place) => [label, values[place]]));
      counter.inc(series as Record<Label, string>, by > 0 && Number.isFinite(by) ? by : 0);
    },
  };
}

/** One series: its labels, and what was counted since the start. */
export type Counted<Label extends string> = readonly [
  labels: Readonly<Record<Label, string | number>>,
  count: number,
];

/** `read` is called at each scrape and returns all series. */
export function tally<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly Label[],
  read: () => Iterable<Counted<Label>>,
): void {
  new Counter({
    name,
    help,
    labelNames,
    registers: [registry],
    collect() {
      this.reset();
      for (const [labels, count] of read()) this.inc(labels, count);
    },
  });
}
