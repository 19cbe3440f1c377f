/**
 * Wraps prom-client: counters, and gauges and totals that are absent until set. A scrape calls all readers at once, each
 * with a deadline: a reader that fails costs only its own gauges.
 */

import { Counter, Gauge as PromGauge, type Registry } from "prom-client";
import type { Instant } from "#domain/time/day.ts";
import type { MetricsReaders } from "./readers.ts";

/** Metrics by the code's own names, each defined in one text: `name{label,label} help`, braces only around labels. */
type Definitions = Readonly<Record<string, string>>;
export type LabelsOf<Definition extends string> = Definition extends `${string}{${infer Names}} ${string}`
  ? EachOf<Names>
  : never;
type EachOf<Names extends string> = Names extends `${infer First},${infer Rest}`
  ? First | EachOf<Rest>
  : Names;

const DEFINITION = /^(\w+)(?:\{([\w,]+)\})? (.+)$/;

function optionsOf(registry: Registry, definition: string) {
  const [, name = "", labels, help = ""] = DEFINITION.exec(definition) ?? [];
  return { name, help, labelNames: labels?.split(",") ?? [], registers: [registry] };
}

function each<Instrument>(definitions: Definitions, make: (definition: string) => Instrument) {
  return Object.fromEntries(Object.entries(definitions).map(([member, text]) => [member, make(text)]));
}

export interface Gauge<Label extends string> {
  /** Null, or not finite, removes the series. */
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

/** Counters that a scrape sets to a count from elsewhere. Their names end in `_total`. */
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

export interface CountOf<Label extends string> {
  /** Adds `by`, 1 by default; 0 makes the series appear, and less than 0, after a clock was set back, adds nothing. */
  add(labels: Readonly<Record<Label, string>>, by?: number): void;
}
type Counters<D extends Definitions> = { readonly [member in keyof D]: CountOf<LabelsOf<D[member]>> };

/** Values of labels must be few: known to the code, never from a request. */
export function counters<const D extends Definitions>(registry: Registry, definitions: D): Counters<D> {
  return each(definitions, (definition): CountOf<string> => {
    const counter = new Counter(optionsOf(registry, definition));
    return { add: (labels, by = 1) => counter.inc(labels, Math.max(by, 0)) };
  }) as Counters<D>;
}

interface Clearable {
  clear(): void;
}

type Reading<Name extends keyof MetricsReaders> = Awaited<ReturnType<MetricsReaders[Name]>>;

export interface ReaderGroup<Name extends keyof MetricsReaders> {
  readonly name: Name;
  /** Fills the gauges with the reader's answer; without a reader clears them. Rejects with its fault. */
  refresh(readers: Partial<MetricsReaders>, now: Instant, deadline: Deadline): Promise<void>;
}

export type Deadline = <T>(promise: Promise<T>) => Promise<T>;

export function group<Name extends keyof MetricsReaders>(
  name: Name,
  gauges: Readonly<Record<string, Clearable>>,
  fill: (reading: Reading<Name>, now: Instant) => void,
): ReaderGroup<Name> {
  const clear = () => {
    for (const gauge of Object.values(gauges)) gauge.clear();
  };
  // A reader that hangs is awaited by every scrape, and not called again.
  let asked: Promise<Reading<Name>> | null = null;
  return {
    name,
    async refresh(readers, now, deadline) {
      try {
        const reader = readers[name];
        if (reader === undefined) return clear();
        asked ??= Promise.try(reader as () => Reading<Name>).finally(() => {
          asked = null;
        });
        const reading = await deadline(asked);
        clear();
        fill(reading, now);
      } catch (fault) {
        clear();
        throw fault;
      }
    },
  };
}

/** Never rejects: faults are counted by reader. */
export async function refreshAll(
  groups: readonly ReaderGroup<keyof MetricsReaders>[],
  readers: Partial<MetricsReaders>,
  now: Instant,
  deadline: Deadline,
  errors: CountOf<"reader">,
): Promise<void> {
  const refreshed = groups.map(async ({ name, refresh }) => {
    try {
      await refresh(readers, now, deadline);
    } catch {
      errors.add({ reader: readerLabel(name) });
    }
  });
  await Promise.all(refreshed);
}

/** `hot_book` of `hotBook`. */
export function readerLabel(name: keyof MetricsReaders): string {
  return name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
}

/** Makes a deadline: it rejects when the promise takes longer. Its timer does not keep the process alive. */
export function within(milliseconds: number): Deadline {
  return async (promise) => {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error(`no answer in ${milliseconds} ms`)), milliseconds);
    timer.unref();
    try {
      return await Promise.race([promise, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Never below zero: another clock may be a little ahead. */
export function secondsSince(instant: Instant | null, now: Instant): number | null {
  return instant === null ? null : Math.max(now - instant, 0) / 1000;
}
