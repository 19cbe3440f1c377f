/** A gauge that is absent until it is set, and again once it is cleared: no value is ever made up. Used by the gauge files. */

import { Gauge as PromGauge, type Registry } from "prom-client";

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
  const clear = () => {
    metric.reset();
    // Without labels the library starts at a 0 that nobody measured.
    if (labelNames.length === 0) metric.remove({});
  };
  clear();
  return {
    set(labels, value) {
      if (value !== null && Number.isFinite(value)) metric.set(labels, value);
      else metric.remove(labels);
    },
    clear,
  };
}
