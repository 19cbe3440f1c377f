/** The table of an attack, and whether what was promised held. */

import type { Crowd } from "./crowd.ts";
import { healthOf, type Watched } from "./watch.ts";

export interface Row {
  readonly access: string;
  readonly route: string;
  readonly kind: string;
  /** null: ended early, because the server had grown too large. */
  readonly crowd: Crowd | null;
  readonly seen: Watched;
}

export interface Quiet {
  readonly access: string;
  readonly seconds: number;
  /** Resident after so many seconds without requests. */
  readonly megabytes: number;
  /** Of these, memory that is no file's: the system cannot take it back. */
  readonly anonymousMegabytes: number;
}

export const BOUNDS = {
  /** Of the server alone: docs/decisions/0013-runtime-as-it-comes.md. */
  peakMegabytes: 700,
  /** With DuckDB's process, which takes what exports need: the limit of deploy/kubernetes is 805 MB. */
  withProcessesMegabytes: 800,
  healthMilliseconds: 300,
  quietMegabytes: 300,
} as const;

export function tableOf(rows: readonly Row[]): readonly string[] {
  const head = [
    "| access | routes | clients | opened | ended by the server | most at once | peak RSS, MB | with its processes, shared pages once | /health p50, ms | p99 | max | answers |",
    "|---|---|---|---|---|---|---|---|---|---|---|---|",
  ];
  return [...head, ...rows.map(lineOf)];
}

export function lineOf({ access, route, kind, crowd, seen }: Row): string {
  const { p50, p99, max } = seen.health;
  const answers = Object.entries(crowd?.answers ?? {}).map(([status, count]) => `${count} × ${status}`);
  const cells = [
    access,
    route.replaceAll("|", "\\|"),
    kind,
    crowd?.opened ?? "given up",
    crowd?.ended ?? "–",
    seen.connections,
    seen.peakMegabytes.toFixed(0),
    seen.withProcessesMegabytes.toFixed(0),
    ...[p50, p99, max].map((milliseconds) => milliseconds.toFixed(0)),
    answers.join(", ") || "–",
  ];
  return `| ${cells.join(" | ")} |`;
}

/** A line for each bound, and whether all of them held. */
export function verdictOf(
  rows: readonly Row[],
  quiets: readonly Quiet[],
): { readonly lines: readonly string[]; readonly holds: boolean } {
  const fattest = most(rows, ({ seen }) => seen.peakMegabytes);
  const together = most(rows, ({ seen }) => seen.withProcessesMegabytes);
  const all = healthOf(rows.flatMap(({ seen }) => seen.health.samples));
  const slowest = most(rows, ({ seen }) => seen.health.p99);
  const checks = [
    judge("most resident memory", fattest?.seen.peakMegabytes, BOUNDS.peakMegabytes, "MB", whereOf(fattest)),
    judge(
      "the same with the processes that it starts, pages that they share counted once",
      together?.seen.withProcessesMegabytes,
      BOUNDS.withProcessesMegabytes,
      "MB",
      whereOf(together),
    ),
    judge(
      "p99 of /health throughout",
      rows.length === 0 ? undefined : all.p99,
      BOUNDS.healthMilliseconds,
      "ms",
      `worst phase ${slowest?.seen.health.p99.toFixed(0)} ms: ${whereOf(slowest)}`,
    ),
    ...quiets.map(({ access, seconds, megabytes, anonymousMegabytes }) =>
      judge(
        `resident memory after ${seconds} s of quiet`,
        megabytes,
        BOUNDS.quietMegabytes,
        "MB",
        `${access}; ${anonymousMegabytes.toFixed(0)} MB of it are no file's`,
      ),
    ),
  ];
  return { lines: checks.map(({ line }) => line), holds: checks.every(({ holds }) => holds) };
}

function most(rows: readonly Row[], figure: (row: Row) => number): Row | undefined {
  return rows.toSorted((a, b) => figure(b) - figure(a))[0];
}

function judge(what: string, measured: number | undefined, bound: number, unit: string, where: string) {
  const holds = measured !== undefined && measured <= bound;
  const figure = measured === undefined ? "nothing measured" : `${measured.toFixed(0)} ${unit}`;
  return {
    holds,
    line: `- ${holds ? "holds" : "MISSED"}: ${what}: ${figure}, bound ${bound} ${unit} (${where})`,
  };
}

function whereOf(row: Row | undefined): string {
  return row === undefined ? "–" : `${row.access}, ${row.kind}, ${row.route}`;
}
