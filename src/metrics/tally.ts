/** A counter for what is counted on the path of a request: plain numbers there, made into samples only at a scrape. */

import { Counter, type Registry } from "prom-client";

/** One series: its labels, and what was counted since the start. */
export type Counted<Label extends string> = readonly [
  labels: Readonly<Record<Label, string | number>>,
  count: number,
];

/** `read` is called at each scrape and tells all series that there are. */
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
