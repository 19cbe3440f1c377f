/** The data of the table on the landing page, sent with the page and for each change of the base. */

import type { RateEvent } from "#web/shared/stream.ts";

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

/** Change of a row against the daily reference before, in percent; null where there is none. */
export function changeOf({ rate, before }: BoardRow): number | null {
  return before === null ? null : (Number(rate) / before.rate - 1) * 100;
}

/** The board after an event: every currency in the event replaces its row's values, all others stay. */
export function applyEvent(board: BoardData, event: RateEvent): BoardData {
  const rows = board.rows.map((row) => {
    const { code } = row;
    const rate = event.digits[code];
    if (rate === undefined) return row;
    return {
      ...row,
      rate,
      source: event.sources[code] ?? row.source,
      effectiveAt: event.effective_at[code] ?? row.effectiveAt,
      isStale: event.stale[code] ?? row.isStale,
    };
  });
  return { ...board, rows, session: event.market_session };
}

/**
 * Whether an event says more than rows can take over: another state of the market, with its next change not in the event; a day
 * with its change measured against another rate; a currency that is not in the table. `isWhole`: a snapshot, which lacks what is
 * not there any more.
 */
export function needsReload(board: BoardData, event: RateEvent, isWhole: boolean): boolean {
  const rows = new Map(board.rows.map((row) => [row.code, row]));
  const codes = Object.keys(event.digits).filter((code) => code !== board.base);
  const isOtherDay = codes.some(
    (code) => rows.get(code)?.effectiveAt.slice(0, 10) !== event.effective_at[code]?.slice(0, 10),
  );
  return event.market_session !== board.session || isOtherDay || (isWhole && codes.length !== rows.size);
}
