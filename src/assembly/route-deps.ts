/** What routes need, out of the parts of a process: settings, accounts, explanations, exports, what operators decide on. */

import { availableParallelism } from "node:os";
import { join } from "node:path";
import { openMeterless } from "#api/request/metering.ts";
import type { Config } from "#config.ts";
import { evidenceOf } from "#domain/acceptance/evidence.ts";
import type { CacheBudget } from "#domain/cache/budget.ts";
import type { DailySource } from "#domain/currency/source.ts";
import type { Giver } from "#domain/explain/explanation.ts";
import type { FeedId } from "#domain/live/live-quote.ts";
import type { FigureDocuments } from "#ports/documents.ts";
import type { FigureReview } from "#ports/figure-review.ts";
import type { DailyAdapter } from "#ports/upstream.ts";
import type { Feed } from "#ports.ts";
import type { Archive } from "#store/archive/archive.ts";
import { selectOf } from "#store/archive/quotes.ts";
import { openExports } from "#store/export/exports.ts";
import { openFigureDocuments } from "#store/lake/documents.ts";
import type { OpenedLake } from "#store/lake/lake.ts";
import type { Emit } from "#telemetry.ts";
import type { Accounts } from "./accounts/accounts.ts";
import type { Daily } from "./daily/daily.ts";
import type { Live } from "./live/live.ts";

/** The settings that the HTTP surface reads as they are. */
export function servingSettings({ accounts, port, ...config }: Config) {
  const { answersPerAddress, allowedHosts, batchLimit, streamBounds, mcpOrigins } = config;
  const publicUrl = accounts.publicUrl ?? `http://localhost:${port}`;
  return { answersPerAddress, allowedHosts, batchLimit, streamBounds, mcpOrigins, publicUrl };
}

/** The accounts as routes use them. With open access there are no limits, and no one signs in. */
export function accountDeps(accounts: Accounts | null, delayMinutes: number) {
  if (accounts === null) {
    const none = { account: null, identity: null, billing: null, webhooks: null, accounts: null };
    return { ...none, meter: openMeterless(delayMinutes), pageDelayMinutes: delayMinutes };
  }
  const { meter, account, identity, selling: billing, webhooks, kind, ledger, counters } = accounts;
  const status = { kind, probe: ledger.probe, limits: counters.state };
  // A visitor sees what a caller without a key is served.
  const pageDelayMinutes = accounts.plans.anonymous.live_delay_minutes;
  return { meter, account, identity, billing, webhooks, accounts: status, pageDelayMinutes };
}

interface ExplainOptions {
  readonly lakeDirectory: string;
  readonly lake: OpenedLake;
  readonly caches: CacheBudget;
  readonly adapters: readonly DailyAdapter[];
  readonly feeds: readonly Feed[];
}

interface ExplainParts {
  readonly documents: FigureDocuments;
  readonly giver: (name: DailySource | FeedId) => Giver;
}

/** What explanations of rates need beside the rates: the documents of figures, and who gave them. */
export function explainParts(options: ExplainOptions): ExplainParts {
  const { lakeDirectory: directory, lake, caches, adapters, feeds } = options;
  const givers = new Map<string, Giver>(
    [...adapters, ...feeds].map(({ id, authority, terms }) => [id, { authority, terms }]),
  );
  return {
    documents: openFigureDocuments({ directory, daily: lake.tables.daily, caches }),
    // A quote of a feed that was in use before the last start has its name.
    giver: (name) => givers.get(name) ?? { authority: name, terms: "" },
  };
}

/** What DuckDB may take for exports; DuckDB's own, beside what the process has. */
const EXPORT_MEMORY_MEGABYTES = 320;

/** File exports: what DuckDB may use for them, and where finished files are cached. */
export function exportsOf(
  config: Config,
  lakeDirectory: string,
  archive: Archive,
  emit: Emit,
  serves: boolean,
) {
  return openExports({
    directory: join(config.dataDir, "exports"),
    sources: [lakeDirectory],
    archiveSelect: (plan) => selectOf(archive, plan),
    atOnce: config.exportConcurrency,
    waiting: config.exportQueue,
    threads: Math.max(1, availableParallelism() - 1),
    memoryMegabytes: EXPORT_MEMORY_MEGABYTES,
    // A command makes one export and ends; a single binary has no file that another process could start from.
    isOwnProcess: serves && !Bun.isStandaloneExecutable,
    keptBytes: config.exportCacheBytes,
    emit,
  });
}

/** What operators decide on: held figures of the lake, held publications, and live quotes that are refused. */
export function figureReview(
  { holder, decide, decideDocument }: Pick<Daily, "holder" | "decide" | "decideDocument">,
  { operator }: Pick<Live, "operator">,
  publications: FigureReview["publications"],
): FigureReview {
  return {
    publications,
    held: holder.held,
    evidence: (held) => evidenceOf(held, holder.dataset()?.history ?? null, holder.statements()),
    contradictions: () =>
      Object.values(holder.unsettled()).flatMap(({ contradictions }) => contradictions ?? []),
    decide,
    decideDocument,
    refused: operator.refused,
    releases: operator.inForce,
    release: operator.release,
  };
}
