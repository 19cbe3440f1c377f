/** A counter whose number of series has a ceiling, whatever its labels are told to be. Used by counters.ts. */

import { Counter, type Registry } from "prom-client";

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
