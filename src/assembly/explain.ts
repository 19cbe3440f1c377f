/** What explanations of rates need beside the rates: the documents of figures, and who gave them. */

import type { CacheBudget } from "#domain/cache/budget.ts";
import type { DailySource } from "#domain/currency/source.ts";
import type { Giver } from "#domain/explain/explanation.ts";
import type { FeedId } from "#domain/live/live-quote.ts";
import type { FigureDocuments } from "#ports/documents.ts";
import type { DailyAdapter } from "#ports/upstream.ts";
import type { Feed } from "#ports.ts";
import { openFigureDocuments } from "#store/lake/documents.ts";
import type { OpenedLake } from "#store/lake/lake.ts";

export interface ExplainOptions {
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
