/** The alert rules and dashboards of deploy/, as files, and a Prometheus of the test. */

import { join } from "node:path";
import { ROOT, readDocument } from "#test/docs/document.ts";
import { atEnd } from "#test/support/at-end.ts";
import { freePort } from "#test/support/free-port.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { until } from "#test/support/until.ts";

const RULES = "deploy/prometheus/alerts.yaml";
export const RULE_TESTS = "deploy/prometheus/alerts.test.yaml";

export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

export async function readAlerts(): Promise<readonly Alert[]> {
  const { groups } = Bun.YAML.parse(await readDocument(RULES)) as {
    readonly groups: readonly { readonly rules: readonly Alert[] }[];
  };
  return groups.flatMap(({ rules }) => rules);
}

export interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

export interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: unknown }[] };
  readonly panels: readonly Panel[];
}

export async function readDashboards(): Promise<readonly (readonly [file: string, Dashboard])[]> {
  const files = await Array.fromAsync(new Bun.Glob("*.json").scan(`${ROOT}/deploy/grafana`));
  return await Promise.all(
    files
      .sort()
      .map(async (file) => [file, JSON.parse(await readDocument(`deploy/grafana/${file}`))] as const),
  );
}

/** An expression as Grafana sends it, for all processes. */
export function filledIn(expr: string): string {
  return expr.replaceAll("$__rate_interval", "4s").replaceAll("$instance", ".*");
}

export interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

interface Rule {
  readonly name: string;
  readonly health: string;
  readonly lastError?: string;
}

/** Scrapes `target` (host:port) every second under the job of the documents, and evaluates the rules; resolves after two scrapes. */
export async function startPrometheus(program: string, target: string) {
  const directory = temporaryDirectory();
  const scrape = { job_name: "crossrate", static_configs: [{ targets: [target] }] };
  // JSON is YAML.
  const configuration = {
    global: { scrape_interval: "1s", evaluation_interval: "1s" },
    rule_files: [join(ROOT, RULES)],
    scrape_configs: [scrape],
  };
  const file = join(directory, "prometheus.yml");
  await Bun.write(file, JSON.stringify(configuration));
  const port = freePort();
  const child = Bun.spawn(
    [
      program,
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(directory, "data")}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdout: "ignore", stderr: Bun.file(join(directory, "log")) },
  );
  atEnd(() => child.kill("SIGKILL"));
  const ask = async <T>(path: string): Promise<T> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`);
    const { status, data, error } = await answer.json();
    if (status !== "success") throw new Error(`${path}: ${error}`);
    return data;
  };
  const prometheus = {
    /** Throws with Prometheus's own message where the expression is wrong. */
    query: async (expr: string) =>
      (await ask<{ result: readonly Series[] }>(`query?query=${encodeURIComponent(expr)}`)).result,
    rules: async () =>
      (await ask<{ groups: readonly { rules: readonly Rule[] }[] }>("rules?type=alert")).groups.flatMap(
        ({ rules }) => rules,
      ),
  };
  try {
    await until("Prometheus has scraped three times", async () => {
      const counted = await prometheus.query("count_over_time(crossrate_build_info[1m])").catch(() => []);
      return Number(counted[0]?.value[1] ?? 0) >= 3;
    });
  } catch (fault) {
    throw new Error(`${fault}\n${await Bun.file(join(directory, "log")).text()}`);
  }
  return prometheus;
}
