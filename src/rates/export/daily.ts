/** An export of daily rates: its rows, their order, and the identity by which the file is cached. */

import { currencyCode } from "#domain/currency/currency.ts";
import { simulatedOnDays, type View } from "#domain/dataset/dataset.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { RatesPlan } from "#domain/history/rate-columns.ts";
import { lastDayOf, type Since, tokenOf } from "#domain/point-in-time/since.ts";
import { COVERAGE_START, type Day, dayAt } from "#domain/time/day.ts";
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
import { changeBlocks, hasRow } from "./rows.ts";

/**
 * Plans long rows ordered by symbol, then date, or wide rows ordered by date. Failures as for the JSON pages: `invalid_request` for
 * a reversed window, contradictions and instants after now; `no_data_for_date` when there is no row and filling would give none (an
 * export of changes may be empty); `data_unavailable`.
 */
export function planDailyExport(deps: DailyDeps, query: DailyExport) {
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
  const { dataset } = view;
  const { base, symbols, layout, dp, order = "asc" } = query;
  const { content, identity, last } =
    updatedAfter === null ? inForce(view, query) : changed(view, query, updatedAfter);
  const sorted = [...new Set(symbols)].sort((a, b) => a - b);
  if (!("blocks" in content) && !hasRow(content, base, sorted)) refuseEmptyWindow(present, view, query);
  const listed = layout === "wide" ? symbols : sorted;
  const plan: RatesPlan = { kind: "rates", base, symbols, layout, order, dp, content };
  return {
    plan,
    /** Identifies the content in every format, across processes. */
    identity: `${dataset.history.version} ${currencyCode(base)} ${layout} ${listed.map(currencyCode).join(",")} ${order} dp${dp} ${identity}`,
    asOf,
    /** Which symbols are simulated. */
    simulated: simulatedOnDays(dataset, base, sorted, function* () {
      for (let day = firstDay(query); day <= last; day++) yield day;
    }),
    /** The next value of `updated_after`; null unless changes were requested. */
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

function firstDay({ start }: DailyExport): Day {
  return Math.max(start, COVERAGE_START);
}

interface Content {
  readonly content: RatesPlan["content"];
  /** Distinguishes the content from others of the same version, symbols and form. */
  readonly identity: string;
  readonly last: Day;
}

/** Rows without filling end with the last publication: the file stays the same until the next one. */
function inForce({ dataset, now }: View, query: DailyExport): Content {
  const { fill, interval = "1d", aggregate = "last" } = query;
  const { history } = dataset;
  const first = firstDay(query);
  const until = Math.min(query.end, dayAt(now));
  const last = Math.min(until, fill === "none" ? history.lastDay : seriesEnd(dataset, now));
  const periods = interval === "1d" ? "" : ` ${until} ${interval} ${aggregate}`;
  return {
    content: { history, first, last, until, fill, interval, aggregate },
    identity: `${first} ${last} ${fill}${periods}`,
    last,
  };
}

/** Includes days after the last publication: a withdrawn value may be later than any value in force now. */
function changed({ dataset, now }: View, query: DailyExport, updatedAfter: Since): Content {
  const { base, fill, order = "asc" } = query;
  const today = dayAt(now);
  const reach = reachOfCopy(updatedAfter, dataset, now);
  const [first, last] = [firstDay(query), Math.min(query.end, lastDayOf(reach, today))];
  const symbols = [...new Set(query.symbols)].sort((a, b) => a - b);
  const blocks = () => changeBlocks({ dataset, base, symbols, first, last, today, fill, order, reach });
  const identity = `${first} ${last} ${fill} since ${reach.instant} ${reach.day} ${reach.foreign} ${today}`;
  const rows = `${dataset.history.version} ${currencyCode(base)} ${symbols.join(",")} ${order} ${identity}`;
  return { content: { rows, blocks }, identity, last };
}
