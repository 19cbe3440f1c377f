/** What the table of the landing page shows, as the server sends it with the page and again for another base. */

export interface BoardData {
  readonly base: string;
  readonly session: string;
  /** When the market's state changes next, and to what. */
  readonly nextTurn: { readonly at: string; readonly session: string };
  /** When the rates were read. */
  readonly timestamp: string;
  readonly notice: string;
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
  readonly isDerived: boolean;
  /** Daily reference rates of the last 30 days, oldest first; empty where there are none. */
  readonly month: readonly number[];
  /** The last daily reference rate of a day before the one of `rate`: what the change is measured against. */
  readonly before: { readonly date: string; readonly rate: number } | null;
}

/** Change of a row against the daily reference before, in percent; null where there is none. */
export function changeOf({ rate, before }: BoardRow): number | null {
  return before === null ? null : (Number(rate) / before.rate - 1) * 100;
}

/** A stream's event, with the digits of its rates as they were sent: a JSON number would be rounded to a double. */
export interface BoardEvent {
  readonly market_session: string;
  readonly timestamp: string;
  readonly sources: Readonly<Record<string, string>>;
  readonly effective_at: Readonly<Record<string, string>>;
  readonly stale: Readonly<Record<string, boolean>>;
  readonly derived_symbols: readonly string[];
  readonly digits: Readonly<Record<string, string>>;
}

const RATES = /"rates":\{([^}]*)\}/;
const RATE = /"([A-Z]{3})":([0-9.eE+-]+)/g;

export function readBoardEvent(text: string): BoardEvent {
  const digits: Record<string, string> = {};
  for (const [, code = "", rate = ""] of (RATES.exec(text)?.[1] ?? "").matchAll(RATE)) digits[code] = rate;
  return { ...JSON.parse(text), digits };
}

/** The board after an event: every currency in the event replaces its row's values, all others stay. */
export function applyEvent(board: BoardData, event: BoardEvent): BoardData {
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
      isDerived: event.derived_symbols.includes(code),
    };
  });
  return { ...board, rows, session: event.market_session, timestamp: event.timestamp };
}
