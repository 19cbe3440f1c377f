/** The metrics of a process in which everything has happened once: each metric that can be exported has a sample. */

import { createMetrics, type Metrics } from "#metrics/metrics.ts";
import { type Family, parseExposition } from "./exposition.ts";
import { NOON, READERS, SAMPLE_EVENTS } from "./sample-events.ts";

export function everything(): Metrics {
  const metrics = createMetrics({ now: () => NOON }, "1.2.3");
  metrics.readFrom(READERS);
  for (const event of Object.values(SAMPLE_EVENTS)) metrics.emit(event);
  metrics.accounts.open(true);
  for (const route of ["/v1/latest", "/v1/range", "/v1/stream", "/status"])
    metrics.countRequest(route, 200, 1, 100);
  metrics.countRequest("/status", 503, 1, 100);
  for (const status of [200, 401, 429]) metrics.countRequest("/v1/auth/sign-in", status, 1, 100);
  return metrics;
}

export async function exportedFamilies(): Promise<ReadonlyMap<string, Family>> {
  const metrics = everything();
  // What delayed the event loop until now is in this one.
  await metrics.text();
  return parseExposition(await metrics.text());
}

const SELECTOR = /\b((?:crossrate|process)_\w+)(?:\{([^}]*)\})?/g;

/** What an expression names and no metric has: names, labels, values of labels. `instance` is a label of every target. */
export function unknownIn(expr: string, exported: ReadonlyMap<string, Family>): readonly string[] {
  const unknown: string[] = [];
  for (const [, name = "", matchers = ""] of expr.matchAll(SELECTOR)) {
    const family = exported.get(name) ?? exported.get(name.replace(/_(bucket|sum|count)$/, ""));
    if (family === undefined) {
      unknown.push(name);
      continue;
    }
    for (const [, label = "", values = ""] of matchers.matchAll(/(\w+)(?:=~?|!=|!~)"([^"]*)"/g)) {
      if (label === "instance") continue;
      const known = new Set(family.samples.map(({ labels }) => labels[label]));
      for (const value of values.split("|"))
        if (!known.has(value)) unknown.push(`${name}{${label}="${value}"}`);
    }
  }
  return unknown;
}
