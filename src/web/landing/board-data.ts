/** The data of the table on the landing page, sent with the page. */

export interface BoardData {
  readonly base: string;
  readonly session: string;
  /** When the market's state changes next, and to what. */
  readonly nextTurn: { readonly at: string; readonly session: string };
  /** The most traded currencies first; the base is not among them. */
  readonly rows: readonly BoardRow[];
}

export interface BoardRow {
  readonly code: string;
  readonly name: string;
  /** Digits as the API prints them. */
  readonly rate: string;
  readonly source: string;
  readonly effectiveAt: string;
  readonly isStale: boolean;
  /** Daily reference rates of the last 30 days, oldest first; empty where there are none. */
  readonly month: readonly number[];
  /** The last daily reference rate of a day before the one of `rate`: what the change is measured against. */
  readonly before: { readonly date: string; readonly rate: number } | null;
}
