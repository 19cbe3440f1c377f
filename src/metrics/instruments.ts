/** Metrics of prom-client, each defined in one text: `name{label,label} help`, braces only around labels. Counters end in `_total`. */

import { Counter, Gauge, type Registry } from "prom-client";
import type { Instant } from "#domain/time/day.ts";

const DEFINITION = /^(\w+)(?:\{([\w,]+)\})? (.+)$/;

function instrument(registry: Registry, definition: string): Counter | Gauge {
  const [, name = "", labels, help = ""] = DEFINITION.exec(definition) ?? [];
  const options = { name, help, labelNames: labels?.split(",") ?? [], registers: [registry] };
  return name.endsWith("_total") ? new Counter(options) : new Gauge(options);
}

/** Counters by the code's own names. */
type Definitions = Readonly<Record<string, string>>;
export type LabelsOf<Definition extends string> = Definition extends `${string}{${infer Names}} ${string}`
  ? EachOf<Names>
  : never;
type EachOf<Names extends string> = Names extends `${infer First},${infer Rest}`
  ? First | EachOf<Rest>
  : Names;
type Counters<D extends Definitions> = { readonly [member in keyof D]: Counter<LabelsOf<D[member]>> };

/** Values of labels must be few: known to the code, never from a request. */
export function counters<const D extends Definitions>(registry: Registry, definitions: D): Counters<D> {
  const made = Object.entries(definitions).map(([member, text]) => [member, instrument(registry, text)]);
  return Object.fromEntries(made) as unknown as Counters<D>;
}

/** A value without labels, or each with its labels. Null, or not finite, is no sample. */
type Samples =
  | number
  | null
  | Iterable<readonly [labels: Readonly<Record<string, string>>, value: number | null]>;

/** The samples of each metric, by its definition, from what a reader answers at a scrape. */
export type Shown<Reading> = Readonly<Record<string, (reading: Reading, now: Instant) => Samples>>;

/** The returned function replaces all samples by those of one reading. Without a reading, or if it throws, there are none. */
export function shown<Reading>(registry: Registry, metrics: Shown<Reading>) {
  const all = Object.entries(metrics).map(([definition, samplesOf]) => {
    return { metric: instrument(registry, definition), hasLabels: /^\w+\{/.test(definition), samplesOf };
  });
  const show = (reading: Reading | undefined, now: Instant): void => {
    for (const { metric, hasLabels } of all) {
      metric.reset();
      // Without labels the library starts at a 0 that was never measured.
      if (!hasLabels) metric.remove({});
    }
    if (reading === undefined) return;
    const read = all.map(({ metric, samplesOf }) => {
      const samples = samplesOf(reading, now);
      return {
        metric,
        samples: samples === null || typeof samples === "number" ? [[{}, samples] as const] : [...samples],
      };
    });
    for (const { metric, samples } of read)
      for (const [labels, value] of samples)
        if (value !== null && Number.isFinite(value)) metric.inc(labels, value);
  };
  show(undefined, 0);
  return show;
}

/** Never below zero: another clock may be a little ahead. */
export function secondsSince(instant: Instant | null, now: Instant): number | null {
  return instant === null ? null : Math.max(now - instant, 0) / 1000;
}
