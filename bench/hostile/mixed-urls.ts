/** Random queries of every kind, hardly any of them repeated: the load of many callers together. */

import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { formatDay, parseDay } from "#domain/time/day.ts";

const FIRST = parseDay("1999-01-04") as number;
const LAST = parseDay("2026-04-13") as number;
const FIRST_QUOTED = parseDay("2026-03-14") as number;
const OFFICIAL = ["MEX/fix", "MEX/dof", "POL/a", "GBR/customs", "CZE/fixing", "ROU/reference"];

/** Draws from [0, 1). */
type Random = () => number;

/** Shares of a hundred. Long answers are requested less often than short ones. */
const SORTS: readonly (readonly [share: number, make: (random: Random) => string])[] = [
  [22, (random) => `/v1/latest?symbols=${subset(random)}&base=${code(random)}`],
  [22, (random) => `/v1/${day(random)}?symbols=${subset(random)}&base=${code(random)}`],
  [
    12,
    (random) => `/v1/convert/${code(random)}/${code(random)}/${whole(random, 1, 1e6)}?date=${day(random)}`,
  ],
  [14, (random) => `/v1/range?symbols=${subset(random)}&base=${code(random)}&${span(random, 400)}`],
  [
    6,
    (random) =>
      `/v1/range?symbols=${subset(random)}&${span(random, 1500)}&interval=${one(random, ["1w", "1mo"])}&aggregate=mean`,
  ],
  [4, (random) => `/v1/${day(random)}?as_of=${instant(random)}`],
  [3, (random) => `/v1/range?symbols=${subset(random)}&${span(random, 400)}&as_of=${instant(random)}`],
  [
    3,
    (random) =>
      `/v1/range?symbols=EUR,GBP&${quotedSpan(random)}&interval=${one(random, ["1m", "5m", "1h", "1d"])}`,
  ],
  [
    4,
    (random) =>
      `/v1/official/${one(random, OFFICIAL)}/publications?from=${day(random)}&limit=${whole(random, 1, 366)}`,
  ],
  [4, (random) => `/compat/frankfurter/v1/${day(random)}?symbols=${subset(random)}`],
  [2, (random) => `/compat/frankfurter/v2/rates?${fromTo(random, 400)}&quotes=${subset(random)}`],
  [0.2, (random) => `/compat/frankfurter/v2/rates?from=${day(random)}&quotes=${subset(random)}`],
  [2, (random) => `/compat/oxr/time-series.json?${span(random, 366).replaceAll("_date", "")}`],
  [
    1,
    (random) =>
      `/v1/range?symbols=${subset(random)}&${span(random, 400)}&format=${one(random, ["csv", "ndjson", "parquet"])}`,
  ],
  [1, () => "/status"],
];

const SUM = SORTS.reduce((sum, [share]) => sum + share, 0);

/** Path and query of one question. */
export function mixedUrl(random: Random): string {
  let left = random() * SUM;
  for (const [share, make] of SORTS) {
    left -= share;
    if (left < 0) return make(random);
  }
  throw new Error("shares that do not add up");
}

function whole(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1));
}

function one<T>(random: Random, choices: readonly T[]): T {
  return choices[Math.floor(random() * choices.length)] as T;
}

function code(random: Random): string {
  return one(random, CURRENCY_CODES);
}

function subset(random: Random): string {
  return CURRENCY_CODES.filter(() => random() < 0.3)
    .concat(one(random, CURRENCY_CODES))
    .join(",");
}

function day(random: Random): string {
  return formatDay(whole(random, FIRST, LAST) as Parameters<typeof formatDay>[0]);
}

function span(random: Random, longest: number): string {
  return spanOf(whole(random, FIRST, LAST - longest), whole(random, 0, longest));
}

/** The same with the parameter names of Frankfurter. */
function fromTo(random: Random, longest: number): string {
  return span(random, longest).replace("start_date", "from").replace("end_date", "to");
}

function quotedSpan(random: Random): string {
  return spanOf(whole(random, FIRST_QUOTED, LAST - 8), whole(random, 0, 7));
}

function spanOf(start: number, days: number): string {
  const [first, last] = [start, start + days].map((one) => formatDay(one as Parameters<typeof formatDay>[0]));
  return `start_date=${first}&end_date=${last}`;
}

/** After the collection, so that there is something known. */
function instant(random: Random): string {
  return new Date(Date.parse("2026-04-13T16:30:00Z") - whole(random, 0, 86_400_000)).toISOString();
}
