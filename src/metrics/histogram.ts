/** Histograms for the request path: plain counters there, converted at a scrape. */

import type { Histogram, Registry } from "prom-client";

/** What was counted since the start under one set of labels. */
export interface Distribution {
  /** How many were up to each bound and above the one before; the last place is for those above all bounds. */
  readonly counts: Float64Array;
  /** In the unit of the samples. */
  sum: number;
}

export function newDistribution(bounds: readonly number[]): Distribution {
  return { counts: new Float64Array(bounds.length + 1), sum: 0 };
}

/** Counts one sample. `bounds` rise. What is no finite number above zero counts as 0: a sum never falls. */
export function observe(distribution: Distribution, bounds: readonly number[], sample: number): void {
  const value = sample > 0 && sample < Number.POSITIVE_INFINITY ? sample : 0;
  const { counts } = distribution;
  let place = 0;
  // A handful of comparisons at the most: nearly all samples are among the first bounds.
  while (place < bounds.length && value > (bounds[place] as number)) place += 1;
  counts[place] = (counts[place] as number) + 1;
  distribution.sum += value;
}

interface HistogramOptions {
  readonly registry: Registry;
  readonly name: string;
  readonly help: string;
  readonly label: string;
  /** Rising, in the unit of the samples. */
  readonly bounds: readonly number[];
  /** So many of the samples' unit are one of the metric's. */
  readonly perUnit: number;
  /** Called at each scrape: all series that there are. */
  readonly read: () => Iterable<readonly [label: string, Distribution]>;
}

/** Registers a histogram whose samples are those that `read` gives. */
export function registerHistogram(options: HistogramOptions): void {
  const { registry, name, help } = options;
  const described = { name, help, type: "histogram", aggregator: "sum" };
  const metric = {
    ...described,
    get: async () => ({
      ...described,
      values: [...options.read()].flatMap((series) => samplesOf(options, series)),
    }),
  };
  // The library's own histogram cannot be given counts; of a metric a registry asks only these members.
  registry.registerMetric(metric as unknown as Histogram);
}

type Samples = Awaited<ReturnType<Histogram["get"]>>["values"];

function samplesOf(
  { name, label, bounds, perUnit }: Pick<HistogramOptions, "name" | "label" | "bounds" | "perUnit">,
  [labelled, { counts, sum }]: readonly [string, Distribution],
): Samples {
  const own = { [label]: labelled };
  let upTo = 0;
  const buckets = [...bounds.map((bound) => bound / perUnit), "+Inf"].map((le, place) => {
    upTo += counts[place] as number;
    return { metricName: `${name}_bucket`, labels: { ...own, le }, value: upTo };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels: own, value: sum / perUnit },
    { metricName: `${name}_count`, labels: own, value: upTo },
  ];
}
