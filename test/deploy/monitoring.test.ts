/**
 * The alert rules and dashboards that are shipped: Prometheus's own tools accept them, every alert fires when it should and has a
 * runbook, and every expression brings something from the metrics as they are.
 */

import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { openGuides } from "#guides/pages.ts";
import { sectionsOf } from "#guides/sections.ts";
import { startMetricsServer } from "#metrics/metrics.ts";
import { ROOT, readDocument, tableAfter } from "#test/docs/document.ts";
import { everything, exportedFamilies, unknownIn } from "#test/metrics/everything.ts";
import { atEnd } from "#test/support/at-end.ts";
import { ofAllTests } from "#test/support/of-all-tests.ts";
import { optionalTool } from "#test/support/require-tool.ts";
import { filledIn, RULE_TESTS, readAlerts, readDashboards, startPrometheus } from "./rules.ts";

setDefaultTimeout(120_000);
const alerts = await readAlerts();
const dashboards = await readDashboards();
const exported = await exportedFamilies();
const operations = openGuides().pages.find(({ slug }) => slug === "operations");
const runbooks = sectionsOf(operations?.markdown ?? "");
const promtool = optionalTool("promtool", "the alert rules");
const prometheusProgram = optionalTool("prometheus", "rules and dashboards in a Prometheus");

describe.skipIf(promtool === null)("promtool", () => {
  const run = (...command: readonly string[]) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync([promtool as string, ...command], {
      cwd: `${ROOT}/deploy/prometheus`,
    });
    return { exitCode, output: `${stdout}${stderr}` };
  };

  test("accepts the configuration of compose.yaml's Prometheus", () => {
    const { exitCode, output } = run("check", "config", "prometheus.yml");
    expect(output).toContain(`${alerts.length} rules found`);
    expect(exitCode).toBe(0);
  });

  test("finds that every alert fires when it should, with these labels and this text, and not before", () => {
    const { exitCode, output } = run("test", "rules", `${ROOT}/${RULE_TESTS}`);
    expect(output).toContain("SUCCESS");
    expect(exitCode).toBe(0);
  });
});

test("every alert has a test in which it does not fire and then fires", async () => {
  const { tests } = Bun.YAML.parse(await readDocument(RULE_TESTS)) as {
    tests: readonly { alert_rule_test: readonly { alertname: string; exp_alerts: readonly object[] }[] }[];
  };
  const tried = tests.map(({ alert_rule_test: cases }) =>
    cases.map(({ alertname, exp_alerts }) => `${alertname} ${exp_alerts.length}`),
  );
  expect(tried).toEqual(alerts.map(({ alert }) => [`${alert} 0`, `${alert} 1`]));
});

test.each(alerts.map((rule) => [rule.alert, rule] as const))(
  "%s names metrics and label values that exist, and leads to its runbook",
  (alert, { expr, for: lasting, labels, annotations, ...more }) => {
    expect(alert).toMatch(/^Crossrate[A-Z]\w+$/);
    expect(Object.keys(more)).toEqual(["alert"]);
    expect(lasting).toMatch(/^\d+m$/);
    expect(["page", "warn"]).toContain(labels.severity);
    expect(Object.keys(annotations)).toEqual(["summary", "runbook_url"]);
    expect(annotations.summary).toContain("{{ $");
    expect(expr).toMatch(/\b(?:crossrate|process)_|^up\{/);
    expect(unknownIn(expr, exported)).toEqual([]);
    // The page of the running server has the section, which says what to do.
    const anchor = alert.toLowerCase();
    expect(annotations.runbook_url).toBe(`http://localhost:3000/docs/operations#${anchor}`);
    const runbook = runbooks.find((section) => section.anchor === anchor);
    expect(runbook?.lines.join(" ").length, alert).toBeGreaterThan(100);
  },
);

test("each alert has a name of its own and is in the document's table; no runbook is left over", async () => {
  const names = alerts.map(({ alert }) => alert);
  expect(new Set(names).size).toBe(names.length);
  const listed = tableAfter(await readDocument("docs/metrics.md"), "alerts").flatMap(([cell = ""]) =>
    cell.split(", "),
  );
  expect(listed.sort()).toEqual([...names].sort());
  const headings = (await readDocument("docs/operations.md")).matchAll(/^#+ (Crossrate[A-Z]\w+)$/gm);
  expect(Array.from(headings, ([, name = ""]) => name).sort()).toEqual([...names].sort());
});

describe.each(dashboards)("%s", (file, { uid, panels, templating }) => {
  const targets = panels.flatMap(({ targets: of = [] }) => of);

  test("is laid out without overlaps, every panel named and explained", () => {
    expect(`${uid}.json`).toBe(file);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(templating.list.map(({ name }) => name)).toEqual(["datasource", "instance"]);
    const taken = new Set<string>();
    for (const { type, title, description, gridPos, targets: of } of panels) {
      expect(title.length).toBeGreaterThan(2);
      if (type !== "row")
        expect([title, description?.endsWith("."), (of ?? []).length > 0]).toEqual([title, true, true]);
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect(taken.has(`${x} ${y}`), title).toBe(false);
          taken.add(`${x} ${y}`);
        }
    }
  });

  test("names metrics and label values that exist", () => {
    expect(targets.length).toBeGreaterThan(10);
    for (const { expr } of targets) {
      expect(expr).toContain('instance=~"$instance"');
      expect(unknownIn(expr, exported)).toEqual([]);
    }
  });
});

describe.skipIf(prometheusProgram === null)("in a Prometheus that scrapes the metrics", () => {
  const prometheus = ofAllTests(async () => {
    const server = startMetricsServer({ port: 0, metrics: everything(), emit: () => {} });
    atEnd(server.stop);
    return await startPrometheus(prometheusProgram as string, new URL(server.url).host);
  });

  test("every rule is evaluated without an error", async () => {
    const rules = await prometheus.rules();
    expect(rules.map(({ name }) => name)).toEqual(alerts.map(({ alert }) => alert));
    expect(rules.filter(({ health }) => health !== "ok")).toEqual([]);
  });

  test.each(
    dashboards.flatMap(([, { panels }]) =>
      panels.flatMap(({ title, targets = [] }) => targets.map((target) => [title, target] as const)),
    ),
  )("the panel %s brings series that have the labels of its legend", async (_, { expr, legendFormat }) => {
    const series = await prometheus.query(filledIn(expr));
    if (!expr.includes("crossrate_event_loop_delay_seconds")) expect(series.length).toBeGreaterThan(0);
    for (const [, label = ""] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
      for (const { metric } of series) expect(Object.keys(metric)).toContain(label);
  });
});
