/** Where the figures of the lake were read, types only: the addresses are in the lake's files alone, and are read when they are asked for. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { DailySource } from "#domain/currency/source.ts";
import type { FigureDocument } from "#domain/explain/explanation.ts";
import type { Day } from "#domain/time/day.ts";

/** A current figure of a version of the lake. */
export interface FigureName {
  readonly source: DailySource;
  readonly date: Day;
  readonly base: CurrencyCode;
  readonly quote: CurrencyCode;
  readonly revision: number;
}

export interface FigureDocuments {
  /** In the order of the question. Null for a figure whose file is damaged, or gone with the retention. */
  of(version: string, figures: readonly FigureName[]): Promise<readonly (FigureDocument | null)[]>;
}
