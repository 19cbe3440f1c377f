/** docs/metrics.md describes every metric that is exported, and no other: names, types, labels; its rules use what exists. */

import { expect, test } from "bun:test";
import { createMetrics } from "#metrics/metrics.ts";
import { readDocument, tableAfter } from "#test/docs/document.ts";
import { parseExposition } from "./exposition.ts";
import { watchAll } from "./ports.ts";
import { NOON, READERS, SAMPLE_EVENTS } from "./sample-events.ts";

const DOCUMENT = "docs/metrics.md";
const ALERTS = "docs/alerts.yaml";

/** Everything that can be exported, each metric with a sample. */
async function everything() {
  const metrics = createMetrics({ clock: { now: () => NOON }, version: "1.2.3" });
  metrics.readFrom(READERS);
  for (const { event } of Object.values(SAMPLE_EVENTS)) metrics.emit(event);
  watchAll(metrics);
  for (const route of ["/v1/latest", "/v1/range", "/v1/stream", "/status"])
    metrics.countRequest(route, 200, 1, 100);
  metrics.countRequest("/status", 503, 1, 100);
  for (const status of [200, 401, 429]) metrics.countRequest("/v1/auth/sign-in", status, 1, 100);
  await metrics.text();
  metrics.close();
  return parseExposition(await metrics.text());
}

const exported = await everything();

test("every metric can have a sample", () => {
  const missing = [...exported.values()].filter(({ samples }) => samples.length === 0);
  // The delay of the event loop needs a beat of the clock.
  expect(missing.map(({ name }) => name)).toEqual(["crossrate_event_loop_delay_seconds"]);
});

test("the table is what is exported: names, types and labels, each with a meaning", async () => {
  const rows = tableAfter(await readDocument(DOCUMENT), "metric");
  const exportedRows = [...exported.values()].map(({ name, type, samples }) => {
    const own = Object.keys(samples[0]?.labels ?? {}).filter((label) => label !== "le");
    const labels = own.map((label) => `\`${label}\``);
    return [name, type, labels.join(", ").replace(/^`([^`]*)`$/, "$1") || "–"];
  });
  expect(rows.map((row) => row.slice(0, 3)).sort()).toEqual(exportedRows.sort());
  for (const [name, , , meaning = ""] of rows) expect(meaning.length, name).toBeGreaterThan(15);
});

const alerts = (Bun.YAML.parse(await readDocument(ALERTS)) as { groups: readonly Group[] }).groups.flatMap(
  ({ rules }) => rules,
);

test.each(alerts.map((rule) => [rule.alert, rule] as const))(
  "%s is a rule that Prometheus loads, and names metrics and label values that exist",
  (alert, { expr, for: lasting, labels, annotations, ...more }) => {
    expect(alert).toMatch(/^Crossrate[A-Z]\w+$/);
    expect(Object.keys(more)).toEqual(["alert"]);
    expect(lasting).toMatch(/^\d+m$/);
    expect(["page", "warn"]).toContain(labels.severity);
    expect(Object.keys(annotations)).toEqual(["summary"]);
    expect(annotations.summary).toContain("{{ $");
    onlyWhatExists(expr);
    expect(promql(expr)).toBe("");
  },
);

test("each alert has a name of its own and is in the document's table", async () => {
  const names = alerts.map(({ alert }) => alert);
  expect(new Set(names).size).toBe(names.length);
  const listed = tableAfter(await readDocument(DOCUMENT), "alerts").flatMap(([cell = ""]) =>
    cell.split(", "),
  );
  expect(listed.sort()).toEqual([...names].sort());
});

test("there are alerts for damage, held figures, memory, errors and slow answers", () => {
  const all = alerts.map(({ expr }) => expr).join("\n");
  for (const name of [
    "crossrate_damage_total",
    "crossrate_daily_figures_held",
    "crossrate_official_publications_held",
    "process_resident_memory_bytes",
    "crossrate_http_requests_total",
    "crossrate_http_request_duration_seconds_bucket",
    "crossrate_webhook_due_seconds",
    "crossrate_daily_source_status",
    "crossrate_daily_whole_read_age_seconds",
  ])
    expect(all).toContain(name);
});

test("the expressions that answer questions name what exists, too", async () => {
  const document = await readDocument(DOCUMENT);
  const rows = tableAfter(document, "question");
  expect(rows.length).toBeGreaterThanOrEqual(14);
  for (const [question = "", expression = ""] of rows) {
    expect(question).toEndWith("?");
    onlyWhatExists(expression);
  }
});

/** Names, labels and values in an expression are those of metrics that can be exported. */
function onlyWhatExists(expr: string): void {
  const named = [...expr.matchAll(SELECTOR)];
  expect(named.length, expr).toBeGreaterThan(0);
  for (const [, name = "", matchers = ""] of named) {
    const family = exported.get(name) ?? exported.get(name.replace(/_(bucket|sum|count)$/, ""));
    expect(family, name).toBeDefined();
    for (const [, label = "", values = ""] of matchers.matchAll(/(\w+)(?:=~?|!=|!~)"([^"]*)"/g)) {
      const known = new Set(family?.samples.map(({ labels }) => labels[label]));
      for (const value of values.split("|")) expect(known, `${name} ${label}`).toContain(value);
    }
  }
}

/** What is left of an expression when everything that PromQL has and these rules use is taken away: nothing, if it is sound. */
function promql(expr: string): string {
  const LABELS = "[a-z_]+(?:, [a-z_]+)*";
  const GRAMMAR: readonly (readonly [RegExp, string])[] = [
    // Selectors, then ranges of them, become V; numbers are V, too.
    [
      /\b(?:crossrate|process)_\w+(?:\{[a-z_]+(?:=~|!~|!=|=)"[^"]*"(?:,[a-z_]+(?:=~|!~|!=|=)"[^"]*")*\})?/g,
      "V",
    ],
    [/\b(?:rate|increase)\(V\[\d+[mhd]\]\)/g, "V"],
    [/(?<=[ (])\d+(?:\.\d+)?(?:e\d+)?(?=[ ,)]|$)/g, "V"],
    [new RegExp(`\\b(?:sum|max)(?: by \\(${LABELS}\\))? ?\\(V\\)`, "g"), "V"],
    [/\bhistogram_quantile\(V, V\)/g, "V"],
    [/\bV \/ V/g, "V"],
    [/\bV (?:>|<|==|!=) V/g, "V"],
    [new RegExp(`\\bV (?:and|or)(?: on \\(${LABELS}\\))? V`, "g"), "V"],
  ];
  const reduced = GRAMMAR.reduce((text, [form, value]) => text.replace(form, value), expr.trim());
  return reduced === "V" ? "" : reduced;
}

interface Group {
  readonly rules: readonly {
    readonly alert: string;
    readonly expr: string;
    readonly for: string;
    readonly labels: { readonly severity: string };
    readonly annotations: { readonly summary: string };
  }[];
}

const SELECTOR = /\b((?:crossrate|process)_\w+)(?:\{([^}]*)\})?/g;
