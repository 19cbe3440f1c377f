/** The first pass over a series: what headers and the head of an answer need. It is computed with a break after each few milliseconds, and remembered. */

import type { Origin } from "#api/compat/answer.ts";
import { USD } from "#domain/currency/currency.ts";
import { lessFresh, type Source } from "#domain/currency/source.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import type { RangePage } from "#domain/rates/series.ts";
import { type Day, dayAt, formatInstant, type Instant } from "#domain/time/day.ts";
import type { RangeDeps } from "#rates/range/range.ts";
import { baseRestsOn, isListed, isWanted, listedRestsOn, pagesOf, type SeriesQuestion } from "./pages.ts";

/** What is known of a series before it is printed. */
export interface Survey {
  readonly origin: Origin;
  /** Days of the first and the last row; null where there is none. */
  readonly first: Day | null;
  readonly last: Day | null;
  /** Names the data: equal for equal series. */
  readonly version: string;
}

/** The first pass, in steps of a few milliseconds; without any where the same was asked of the same data today. */
export function* surveySeries(deps: RangeDeps, question: SeriesQuestion): Generator<undefined, Survey> {
  const dataset = deps.dataset();
  if (dataset === null) return yield* survey(deps, question);
  const known = deps.caches.cache<string, Survey>("surveys", { share: SURVEYS_SHARE });
  const key = `${numberOf(dataset)} ${dayAt(deps.clock.now())} ${JSON.stringify(question)}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const found = yield* survey(deps, question);
  if (deps.dataset() === dataset) known.set(key, found, key.length + SURVEY_BYTES);
  return found;
}

/** Of the cache budget. */
const SURVEYS_SHARE = 0.02;
const SURVEY_BYTES = 300;

/** A number for each dataset: two of one version differ in what is damaged. */
const numbers = new WeakMap<Dataset, number>();
let lastNumber = 0;

function numberOf(dataset: Dataset): number {
  const number = numbers.get(dataset) ?? ++lastNumber;
  numbers.set(dataset, number);
  return number;
}

function* survey(deps: RangeDeps, question: SeriesQuestion): Generator<undefined, Survey> {
  const { only = null } = question;
  const origin = createOrigin();
  let [first, last]: [Day | null, Day | null] = [null, null];
  let version = "";
  const next = pagesOf(deps, question, null);
  for (let page = yield* next(); page !== null; page = yield* next()) {
    version = page.dataset.history.version;
    if (only === null) origin.add(page.origin.source, page.origin.dataUpdatedAt);
    const days =
      page.listed === null ? daysOfSpans(page, question, origin) : daysOfListed(page, question, origin);
    for (const day of days) {
      first ??= day;
      last = day;
    }
    yield undefined;
  }
  return { origin: origin.origin(), first, last, version };
}

function* daysOfSpans({ spans }: RangePage, question: SeriesQuestion, origin: OriginSoFar): Generator<Day> {
  const { only = null } = question;
  for (const { block, from, to, columns } of spans) {
    const usd = columns.find((column) => column.to === USD);
    const asked = columns.filter(({ to: symbol }) => question.symbols.includes(symbol));
    for (let row = from; row < to; row++) {
      const day = block.days[row] as Day;
      const at = day - (columns[0]?.firstDay ?? 0);
      if (only === null) {
        // A block has a row for every day on which any of its columns has a value.
        yield day;
        continue;
      }
      if (!baseRestsOn(usd, at, only)) continue;
      const wanted = asked.filter((column) => isWanted(column, at, only));
      for (const column of wanted) origin.add(only, column.observedAt[at] as Instant);
      if (wanted.length > 0) yield day;
    }
  }
}

function* daysOfListed(page: RangePage, question: SeriesQuestion, origin: OriginSoFar): Generator<Day> {
  if (!listedRestsOn(page, question, USD)) return;
  origin.add(question.only ?? page.origin.source, page.origin.dataUpdatedAt);
  for (const { date, rates } of page.listed ?? []) {
    if (rates.some(({ symbol }) => isListed(page, question, symbol))) yield date;
  }
}

type OriginSoFar = ReturnType<typeof createOrigin>;

/** The least fresh of what is added. */
export function createOrigin() {
  let source: Source | null = null;
  let oldest: Instant | null = null;
  return {
    add(next: Source | null, at: Instant | null): void {
      if (next === null || at === null) return;
      if (source === null || oldest === null || lessFresh(next, at, source, oldest)) {
        source = next;
        oldest = at;
      }
    },
    origin: (): Origin => ({ source, dataUpdatedAt: oldest === null ? null : formatInstant(oldest) }),
  };
}
