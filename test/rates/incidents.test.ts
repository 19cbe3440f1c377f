/** Time to publication: from the authority's timetable to the first collection of each day, since an instant; and looks that an outage keeps. */

import { expect, test } from "bun:test";
import { currencyIndex } from "#domain/currency/currency.ts";
import { buildHistory, emptyObservations } from "#domain/history/history.ts";
import { type Day, dayOf } from "#domain/time/day.ts";
import type { StatusLog } from "#ports/ledger.ts";
import { lookKeeper, publicationDelays } from "#rates/incidents.ts";
import type { ServiceStatus } from "#rates/status.ts";

const MINUTE = 60_000;
const at = (text: string) => Date.parse(text);
/** Source, day, when it was collected, which revision. */
const ROWS = [
  [0, "2026-04-09", "2026-04-09T14:20:00Z", 1],
  [0, "2026-04-10", "2026-04-10T14:04:00Z", 1],
  [0, "2026-04-13", "2026-04-13T13:58:00Z", 1],
  [0, "2026-04-14", "2026-04-20T10:00:00Z", 2],
  [1, "2026-04-09", "2026-04-13T20:45:00Z", 1],
  [1, "2026-04-10", "2026-04-13T20:45:00Z", 1],
] as const;

test("is counted from 16:00 in Frankfurt on the day, and for H.10 from the Monday after it; revisions and earlier days are left out", () => {
  const columns = emptyObservations(ROWS.length);
  for (const [row, [source, day, retrievedAt, revision]] of ROWS.entries()) {
    columns.source[row] = source;
    columns.date[row] = at(`${day}T00:00:00Z`) / 86_400_000;
    columns.base[row] = currencyIndex("EUR");
    columns.quote[row] = currencyIndex("USD");
    columns.retrievedAt[row] = at(retrievedAt);
    columns.revision[row] = revision;
  }
  const history = buildHistory("test", columns, dayOf(2026, 4, 1) as Day);
  const deps = { dataset: () => ({ history }) as never };
  const delays = (source: "ecb_daily" | "fred_daily", since: string) =>
    publicationDelays(deps, source, at(since)).toSorted((a, b) => a - b);
  expect(delays("ecb_daily", "2026-04-10T00:00:00Z")).toEqual([0, 4 * MINUTE]);
  expect(delays("ecb_daily", "2026-04-09T00:00:00Z")).toEqual([0, 4 * MINUTE, 20 * MINUTE]);
  expect(delays("fred_daily", "2026-04-10T00:00:00Z")).toEqual([30 * MINUTE, 30 * MINUTE]);
  expect(delays("fred_daily", "2026-04-14T00:00:00Z")).toEqual([]);
});

test("looks wait while the log cannot be written, and keep their times", async () => {
  const noted: (readonly [faults: readonly string[], at: number])[] = [];
  let isAway = true;
  const note: StatusLog["note"] = async ({ faults }, at) => {
    if (isAway) throw new Error("away");
    noted.push([faults, at]);
  };
  const keep = lookKeeper({ note } as StatusLog);
  const ok = { status: "ok" };
  const report = (database: string) =>
    ({
      ...{ database: { status: database }, limits: ok, cache: ok, clock: ok, live: ok },
      ...{ lake: { ...ok, damaged: [] }, daily: {}, official: [] },
    }) as unknown as ServiceStatus;
  await expect(keep(report("failed"), 1_000)).rejects.toThrow("away");
  await expect(keep(report("failed"), 61_000)).rejects.toThrow("away");
  isAway = false;
  await keep(report("ok"), 121_000);
  expect(noted).toEqual([
    [["database failed"], 1_000],
    [["database failed"], 61_000],
    [[], 121_000],
  ]);
});
