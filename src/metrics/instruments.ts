/** Wrappers of prom-client: gauges and totals that are absent until set, counters with bounded labels. */

import { Counter, Gauge as PromGauge, type Registry } from "prom-client";

/** Metrics by the names that the code gives them, each defined in one text: `name{label,label} help`, braces only around labels. */
type Definitions = Readonly<Record<string, string>>;
export type LabelsOf<Definition extends string> = Definition extends `${string}{${infer Names}} ${string}`
  ? EachOf<Names>
  : never;
type EachOf<Names extends string> = Names extends `${infer First},${infer Rest}`
  ? First | EachOf<Rest>
  : Names;

const DEFINITION = /^(\w+)(?:\{([\w,]+)\})? (.+)$/;

/** What the library takes of a definition. */
function optionsOf(registry: Registry, definition: string) {
  const [, name = "", labels, help = ""] = DEFINITION.exec(definition) ?? [];
  return { name, help, labelNames: labels?.split(",") ?? [], registers: [registry] };
}

function each<Instrument>(definitions: Definitions, make: (definition: string) => Instrument) {
  return Object.fromEntries(Object.entries(definitions).map(([member, text]) => [member, make(text)]));
}

export interface Gauge<Label extends string> {
  /** A value that is null or not finite takes the series out. */
  set(labels: Readonly<Record<Label, string>>, value: number | null): void;
  clear(): void;
}
type Gauges<D extends Definitions> = { readonly [member in keyof D]: Gauge<LabelsOf<D[member]>> };

export function gauges<const D extends Definitions>(registry: Registry, definitions: D): Gauges<D> {
  return each(definitions, (definition) => {
    const metric = new PromGauge(optionsOf(registry, definition));
    return absentUntilSet(metric, definition, (labels, value) => metric.set(labels, value));
  }) as Gauges<D>;
}

/** Counters that are set at a scrape to what has been counted since the start elsewhere. Their names end in `_total`. */
export function totals<const D extends Definitions>(registry: Registry, definitions: D): Gauges<D> {
  return each(definitions, (definition) => {
    const metric = new Counter(optionsOf(registry, definition));
    return absentUntilSet(metric, definition, (labels, value) => {
      metric.remove(labels);
      metric.inc(labels, Math.max(value, 0));
    });
  }) as Gauges<D>;
}

function absentUntilSet(
  metric: PromGauge | Counter,
  definition: string,
  put: (labels: Readonly<Record<string, string>>, value: number) => void,
): Gauge<string> {
  const hasLabels = DEFINITION.exec(definition)?.[2] !== undefined;
  const clear = () => {
    metric.reset();
    // Without labels the library starts at a 0 that was never measured.
    if (!hasLabels) metric.remove({});
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
type Counters<D extends Definitions> = { readonly [member in keyof D]: BoundedCounter<LabelsOf<D[member]>> };

/** Series of one metric; far above what the code's own labels can make. Labels beyond it are OTHER. */
export const MOST_SERIES = 200;
export const LONGEST_LABEL = 60;
export const OTHER = "other";

export function counters<const D extends Definitions>(registry: Registry, definitions: D): Counters<D> {
  return each(definitions, (definition): BoundedCounter<string> => {
    const options = optionsOf(registry, definition);
    const { labelNames } = options;
    const counter = new Counter(options);
    const known = new Set<string>();
    return {
      add(labels, by = 1) {
        let values = labelNames.map((label) => String(labels[label]).slice(0, LONGEST_LABEL));
        const key = values.join("\0");
        if (known.size >= MOST_SERIES && !known.has(key)) values = labelNames.map(() => OTHER);
        else known.add(key);
        const series = Object.fromEntries(labelNames.map((label, place) => [label, values[place]]));
        counter.inc(series as Record<string, string>, by > 0 && Number.isFinite(by) ? by : 0);
      },
    };
  }) as Counters<D>;
}
