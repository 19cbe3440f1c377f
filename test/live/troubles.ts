/** Every fault of the primary feed in these tests, and for which currencies the fall-back must then be active. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Instant } from "#domain/time/day.ts";
import { type Trouble, tenfold, tickers } from "./feed-server.ts";
import { LIVE } from "./fixture.ts";

export interface Case {
  readonly name: string;
  readonly trouble: (since: Instant) => Trouble;
  /** Currencies for which another feed must be active after three polls; null where it depends on which feed is requested first. */
  readonly lost: readonly CurrencyCode[] | null;
  /** Of the last poll in /status; "quotes" where it does not say. */
  readonly outcome?: "failed";
  readonly detail?: RegExp;
  readonly minutes?: number;
  readonly doubt?: string;
}

const MINUTE = 60_000;

export const CASES: readonly Case[] = [
  {
    name: "answers 503 for twenty minutes",
    trouble: () => ({ status: 503 }),
    lost: LIVE,
    outcome: "failed",
    detail: /massive/,
    minutes: 20,
  },
  {
    name: "hangs until the deadline",
    trouble: () => ({ hangs: true }),
    lost: LIVE,
    outcome: "failed",
    detail: /10 s/,
  },
  {
    name: "leaves two currencies out",
    trouble: () => ({
      rewrite: tickers((code, bid, ask) => (code === "GBP" || code === "MXN" ? null : [bid, ask])),
    }),
    lost: ["GBP", "MXN"],
  },
  {
    name: "says ten times the yen",
    trouble: () => ({
      rewrite: tickers((code, bid, ask) => (code === "JPY" ? [tenfold(bid), tenfold(ask)] : [bid, ask])),
    }),
    lost: ["JPY"],
    doubt: "decimal_slip",
  },
  {
    name: "says ten times everything",
    trouble: () => ({ rewrite: tickers((_, bid, ask) => [tenfold(bid), tenfold(ask)]) }),
    lost: LIVE,
    doubt: "decimal_slip",
  },
  { name: "repeats itself", trouble: (since) => ({ standsStillAt: since }), lost: LIVE },
  { name: "has a clock two minutes ahead", trouble: () => ({ skewMilliseconds: 2 * MINUTE }), lost: [] },
  {
    name: "has a clock two minutes behind",
    // Its quotes are two minutes old when they come, and three, which is the limit, when the next ones do.
    trouble: () => ({ skewMilliseconds: -2 * MINUTE }),
    lost: null,
  },
  {
    name: "has a clock twenty minutes ahead",
    trouble: () => ({ skewMilliseconds: 20 * MINUTE }),
    lost: LIVE,
  },
  {
    name: "says a negative price of the euro",
    trouble: () => ({
      rewrite: tickers((code, bid, ask) => (code === "EUR" ? [`-${ask}`, `-${bid}`] : [bid, ask])),
    }),
    lost: ["EUR"],
  },
];
