/** docs/metrics.md describes every metric that is exported, and no other: names, types, labels; its rules use what exists. */

import { expect, test } from "bun:test";
import { createMetrics } from "#metrics/metrics.ts";
import { codeBlocks, readDocument, tableAfter } from "#test/docs/document.ts";
import { parseExposition } from "./exposition.ts";
import { watchAll } from "./ports.ts";
import { NOON, READERS, TOLD } from "./told.ts";

const DOCUMENT = "docs/metrics.md";

/** Everything that can be exported, each metric with a sample. */
async function everything() {
  const metrics = createMetrics({ clock: { now: () => NOON }, version: "1.2.3" });
  metrics.readFrom(READERS);
  for (const { happening } of Object.values(TOLD)) metrics.tell(happening);
  watchAll(metrics);
  metrics.countRequest("/v1/latest", 200);
  for (const status of [200, 401, 429]) metrics.countRequest("/v1/auth/sign-in", status);
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
  const told = [...exported.values()].map(({ name, type, samples }) => {
    const labels = Object.keys(samples[0]?.labels ?? {}).map((label) => `\`${label}\``);
    return [name, type, labels.join(", ").replace(/^`([^`]*)`$/, "$1") || "–"];
  });
  expect(rows.map((row) => row.slice(0, 3)).sort()).toEqual(told.sort());
  for (const [name, , , meaning = ""] of rows) expect(meaning.length, name).toBeGreaterThan(15);
});

test("the example alerts name metrics and label values that exist", async () => {
  const alerts = codeBlocks(await readDocument(DOCUMENT))
    .filter(({ language }) => language === "yaml")
    .flatMap(({ content }) => (Bun.YAML.parse(content) as { groups?: readonly Group[] }).groups ?? [])
    .flatMap(({ rules }) => rules);
  expect(alerts.length).toBeGreaterThanOrEqual(3);
  for (const { alert, expr, for: lasting, annotations } of alerts) {
    expect(alert).toMatch(/^Crossrate[A-Z]\w+$/);
    expect(lasting).toMatch(/^\d+m$/);
    expect(annotations.summary).toContain("{{ $");
    onlyWhatExists(expr);
  }
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
    const family = exported.get(name);
    expect(family, name).toBeDefined();
    for (const [, label = "", values = ""] of matchers.matchAll(/(\w+)(?:=~?|!=)"([^"]*)"/g)) {
      const known = new Set(family?.samples.map(({ labels }) => labels[label]));
      for (const value of values.split("|")) expect(known, `${name} ${label}`).toContain(value);
    }
  }
}

interface Group {
  readonly rules: readonly {
    readonly alert: string;
    readonly expr: string;
    readonly for: string;
    readonly annotations: { readonly summary: string };
  }[];
}

const SELECTOR = /\b((?:crossrate|process)_\w+)(?:\{([^}]*)\})?/g;
