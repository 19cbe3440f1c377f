/** What DuckDB's engine tells of each use, on a channel of the runtime: without a listener it costs nothing. */

export interface EngineUse {
  readonly milliseconds: number;
  /** It was interrupted, or a statement failed. */
  readonly isFailed: boolean;
}
