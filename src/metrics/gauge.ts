/** Gauges, and totals that others count, absent until they are set and again once they are cleared: no value is ever made up. */

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
    // Without labels the library starts at a 0 that nobody measured.
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
