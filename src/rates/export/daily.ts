/** An export of daily rates: its rows, their order, and the identity by which the file is cached. */

import { currencyCode } from "#domain/currency/currency.ts";
import { type Dataset, type Simulated, simulatedOnDays, type View } from "#domain/dataset/dataset.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { AsOf } from "#domain/history/observation.ts";
import type { RatesPlan } from "#domain/history/rate-columns.ts";
import { lastDayOf, tokenOf } from "#domain/point-in-time/since.ts";
import { COVERAGE_START, dayAt, type Instant } from "#domain/time/day.ts";
import {
  type DailyDeps,
  openView,
  reachOfCopy,
  refuseEmptyWindow,
  refusePendingDays,
  viewAsOf,
  windowFor,
} from "#rates/query.ts";
import { type DailyExport, refuseContradictions, refuseDamagedRange } from "#rates/range/query.ts";
import { seriesEnd } from "#rates/range/range.ts";
import { exportBlocks, hasRow, type RowsQuery } from "./rows.ts";

/** A plan, and what the headers of its answer need. */
export interface PlannedExport {
  readonly plan: RatesPlan;
  /** Identifies the content in every format, across processes. */
  readonly identity: string;
  readonly asOf: AsOf | null;
  /** Which of its symbols are. */
  readonly simulated: Simulated;
  /** What to send as `updated_after` next time; null unless changes were requested. */
  readonly syncFrom: string | null;
}

/**
 * Long rows ordered by symbol, then date; wide rows by date. Failures as for the JSON pages: `invalid_request` for a
 * reversed window, contradictions, and instants after now; `no_data_for_date` when there is no row and filling would give none (of changes there
 * may be none), `data_unavailable`.
 */
export function planDailyExport(deps: DailyDeps, query: DailyExport): PlannedExport {
  refuseContradictions(query);
  refuseCursor(query);
  const present = openView(deps);
  refuseDamagedRange(present.dataset, query);
  refusePendingDays(present, query);
  const asOf = query.asOf ?? null;
  const updatedAfter = query.updatedAfter ?? null;
  if (updatedAfter !== null && query.layout === "wide") {
    throw new Failure("invalid_request", { reason: "updated_after needs layout=long" });
  }
  const view =
    asOf === null ? present : viewAsOf(present, asOf, windowFor(query.start, query.end, asOf.instant));
  const question = questionOf(view, query);
  const rows = rowsIdentity(question);
  const blocks = () => exportBlocks(question);
  if (updatedAfter === null && isEmpty(question)) {
    refuseEmptyWindow(present, view, query);
  }
  const { base, symbols, layout, order = "asc" } = query;
  const columns = layout === "wide" ? ` wide ${symbols.map(currencyCode).join(",")}` : "";
  return {
    plan: { kind: "rates", base, symbols, layout, order, changes: updatedAfter !== null, rows, blocks },
    identity: rows + columns,
    asOf,
    simulated: simulatedOnDays(question.dataset, base, question.symbols, function* () {
      for (let day = question.first; day <= question.last; day++) yield day;
    }),
    syncFrom: updatedAfter === null ? null : tokenOf(present.dataset, present.now),
  };
}

/** Failure `invalid_request` for a cursor: a file holds the whole window. */
export function refuseCursor({ cursor }: { readonly cursor: string | null }): void {
  if (cursor === null) return;
  throw new Failure("invalid_request", {
    reason: "a file has the whole window: leave cursor out",
  });
}

/** Of weeks and months the last one may be without a value although its days have some: then the blocks decide. */
function isEmpty(question: RowsQuery): boolean {
  if (!hasRow(question)) return true;
  return question.interval !== "1d" && exportBlocks(question).next().done === true;
}

function questionOf({ dataset, now }: View, query: DailyExport): RowsQuery {
  const today = dayAt(now);
  const reach = query.updatedAfter ? reachOfCopy(query.updatedAfter, dataset, now) : null;
  const until = Math.min(query.end, reach === null ? today : lastDayOf(reach, today));
  return {
    dataset,
    base: query.base,
    symbols: [...new Set(query.symbols)].sort((a, b) => a - b),
    first: Math.max(query.start, COVERAGE_START),
    last: reach === null ? Math.min(until, lastDay(dataset, now, query)) : until,
    today,
    until,
    fill: query.fill,
    interval: query.interval ?? "1d",
    aggregate: query.aggregate ?? "last",
    order: query.order ?? "asc",
    dp: query.dp,
    reach,
  };
}

/**
 * Without filling no value is in force after the last publication, so that the file stays the same from day to day. Of changes
 * every day counts: what was withdrawn may have been later than any value in force now.
 */
function lastDay(dataset: Dataset, now: Instant, { fill }: DailyExport): number {
  return fill === "none" ? dataset.history.lastDay : seriesEnd(dataset, now);
}

function rowsIdentity(question: RowsQuery): string {
  const { dataset, base, symbols, first, last, until, fill, interval, aggregate, order, dp, reach } =
    question;
  const window = interval === "1d" ? `${first} ${last}` : `${first} ${last} ${until}`;
  const periods = interval === "1d" ? "" : ` ${interval} ${aggregate}`;
  return `${dataset.history.version} ${currencyCode(base)} ${symbols.map(currencyCode).join(",")} ${window} ${fill} ${order} dp${dp}${periods} since${reach === null ? "null" : `${reach.instant} ${reach.day} ${question.today}`}`;
}
