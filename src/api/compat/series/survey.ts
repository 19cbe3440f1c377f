/** The first pass over a series: what headers and the head of an answer need. It is computed with a break after each few milliseconds, and remembered. */

import type { Origin } from "#api/compat/answer.ts";
import { lessFresh, type Source } from "#domain/currency/source.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import type { RangePage } from "#domain/rates/series.ts";
import { type Day, dayAt, formatInstant, type Instant } from "#domain/time/day.ts";
import type { RangeDeps } from "#rates/range/range.ts";
import { listedRowsOf, pagesOf, type SeriesQuestion, spanRowsOf } from "./pages.ts";

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
    for (const day of daysOf(page, question, origin)) {
      first ??= day;
      last = day;
    }
    yield undefined;
  }
  return { origin: origin.origin(), first, last, version };
}

function* daysOf(page: RangePage, question: SeriesQuestion, origin: OriginSoFar): Generator<Day> {
  const { only = null } = question;
  for (const { day } of listedRowsOf(page, question)) {
    origin.add(only ?? page.origin.source, page.origin.dataUpdatedAt);
    yield day;
  }
  if (page.listed !== null) return;
  for (const { day, at, wanted } of spanRowsOf(page, question)) {
    if (only !== null) for (const column of wanted) origin.add(only, column.observedAt[at] as Instant);
    yield day;
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
