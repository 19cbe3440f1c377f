/** Plans an export of daily rates, quotes or bars; says what its numbers are and where they come from. */

import { type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type Source } from "#domain/currency/source.ts";
import { noticeText, type Simulated } from "#domain/dataset/dataset.ts";
import { figuresOf, isUnfilled } from "#domain/history/cross.ts";
import { periodEnd } from "#domain/history/periods.ts";
import type { ExportPlan } from "#domain/history/rate-columns.ts";
import { newestInstant } from "#domain/point-in-time/dataset.ts";
import { ABOUT_CELLS, type AboutSheet } from "#domain/text/workbook.ts";
import { formatDay, formatInstant } from "#domain/time/day.ts";
import type { ArchiveDeps } from "#rates/archive.ts";
import type { FigureDeps } from "#rates/explain.ts";
import type { DailyDeps, RatesWindow } from "#rates/query.ts";
import type { DailyExport } from "#rates/range/query.ts";
import { type ArchiveExport, planArchiveExport } from "./archive.ts";
import { planDailyExport } from "./daily.ts";

export type FileQuery =
  | { readonly kind: "daily"; readonly daily: DailyExport }
  | { readonly kind: "archive"; readonly archive: ArchiveExport };

export interface PlannedFile
  extends Pick<ReturnType<typeof planDailyExport>, "identity" | "asOf" | "syncFrom"> {
  readonly plan: ExportPlan;
  /** The name without its extension. */
  readonly fileName: string;
  /** Width and price of bars and quotes. */
  readonly archive?: { readonly interval: string; readonly side: string };
  /** Quotes in the files that an export of the archive reads. */
  readonly quotes?: number;
  /** Which symbols of a file of daily rates are simulated. Absent for quotes and bars. */
  readonly simulated?: Simulated;
}

/** Fails as planDailyExport and planArchiveExport. */
export async function planFile(deps: DailyDeps & ArchiveDeps, query: FileQuery): Promise<PlannedFile> {
  if (query.kind === "archive") {
    const planned = await planArchiveExport(deps, query.archive);
    const { interval, side } = query.archive;
    const name = fileName(query.archive, [interval, ...(side === "mid" ? [] : [side])]);
    return { ...planned, archive: { interval, side }, fileName: name, asOf: null, syncFrom: null };
  }
  const { interval = "1d", aggregate, updatedAfter, asOf } = query.daily;
  // A file is passed on without its headers.
  const state = asOf ? ["as_of", formatInstant(asOf.instant).replaceAll(":", "-"), asOf.basis] : [];
  const periods = interval === "1d" ? [] : [interval, ...(aggregate === "mean" ? [aggregate] : [])];
  const suffix = [...periods, ...(updatedAfter ? ["changes"] : []), ...state];
  return { ...planDailyExport(deps, query.daily), fileName: fileName(query.daily, suffix) };
}

/** Names of the columns with simulated numbers. All quotes and bars of the demo are simulated. */
export function simulatedColumns({ plan, simulated }: PlannedFile, isDemo: boolean): readonly string[] {
  if (plan.kind === "quotes") return isDemo ? ["bid", "ask", "mid"] : [];
  if (plan.kind === "bars") return isDemo ? ["open", "high", "low", "close", "mean"] : [];
  const codes = simulated?.codes ?? [];
  return plan.layout === "wide" || codes.length === 0 ? codes : ["rate"];
}

/** Symbols without a row in a file of rates. Empty for a file of changes: a symbol without a change is not missing. */
export function missingIn({ plan }: PlannedFile): readonly CurrencyIndex[] {
  if (plan.kind !== "rates" || !("history" in plan.content)) return [];
  const { base, symbols } = plan;
  const { history, first, last, until, fill, interval, aggregate } = plan.content;
  // The last value of a filled period is the rate on its last day: the other days do not count.
  const ofEnds = fill === "previous" && aggregate === "last";
  const isRated = (symbol: CurrencyIndex) => {
    for (let day = first; day <= last; day++) {
      if (ofEnds && day !== until && periodEnd(interval, day) !== day) continue;
      const rows = figuresOf(history, day, base, symbol);
      if (rows !== null && (fill === "previous" || isUnfilled(history, day, { rows }))) return true;
    }
    return false;
  };
  return symbols.filter((symbol) => !isRated(symbol));
}

/** What a file says of itself: the sheet of a workbook with `more`, else the facts that hold in every version. `deps.simulated` applies to quotes and bars. */
export function aboutOf(
  deps: AboutDeps & { readonly simulated: boolean },
  { plan, simulated, asOf, archive }: PlannedFile,
  more: AboutSheet | null,
): AboutSheet {
  const limit =
    asOf === null ? [] : [["as_of", `${formatInstant(asOf.instant)}; basis=${asOf.basis}`] as const];
  const isDaily = plan.kind === "rates";
  const { interval = "1d", aggregate = "" } = isDaily && "interval" in plan.content ? plan.content : {};
  const periods = Object.entries(archive ?? (interval === "1d" ? {} : { interval, aggregate }));
  const facts = {
    notice: noticeText(simulated ?? deps.simulated, isDaily),
    ...(isDaily ? {} : { sources: ["live", "imported"] as const }),
  };
  if (more === null) return [...factsOf(deps, facts), ...periods, ...limit];
  return aboutSheet(deps, { ...facts, more: [...periods, ...limit, ...more] });
}

export type AboutDeps = Pick<DailyDeps, "dataset"> & Pick<FigureDeps, "giver">;

interface Facts {
  readonly notice: string;
  /** Sources of the rates; all daily sources by default. */
  readonly sources?: readonly Source[];
}

/** What the numbers are and who published them: the head of a workbook's second sheet, and metadata of Parquet and Arrow. */
function factsOf(
  { giver }: Pick<AboutDeps, "giver">,
  { notice, sources = DAILY_SOURCES }: Facts,
): AboutSheet {
  return [
    ["notice", notice],
    [
      "unit",
      "A rate is units of the currency in `symbol`, or in the head of its column, for 1 unit of `base`.",
    ],
    ...sources.map((name) => [`source ${name}`, authorityOf(name, giver)] as const),
  ];
}

/** Labels and texts of the sheet. Equal for equal answers of one version. */
export function aboutSheet(deps: AboutDeps, { more, ...facts }: Facts & { more: AboutSheet }): AboutSheet {
  const present = deps.dataset();
  return [
    ...factsOf(deps, facts),
    ...ABOUT_CELLS,
    ...(present === null
      ? []
      : ([
          ["retrieved", `${formatInstant(newestInstant(present))} or earlier`],
          ["version of the data", present.history.version],
        ] as const)),
    ...more,
  ];
}

function authorityOf(name: Source, giver: AboutDeps["giver"]): string {
  const daily = DAILY_SOURCES.find((source) => source === name);
  if (name === "imported")
    return "Quotes of files that the operator of this server imported; pages of bars as JSON name each file.";
  if (daily === undefined)
    return "Quotes of the live feeds of this server, or of files imported into it, each under its own terms.";
  const { authority, terms } = giver(daily);
  return `${authority}. ${terms}`;
}

function fileName({ base, symbols, start, end }: RatesWindow, suffix: readonly string[]): string {
  const names = symbols.length > 3 ? `${symbols.length}-symbols` : symbols.map(currencyCode).join("-");
  return ["crossrate", currencyCode(base), names, formatDay(start), formatDay(end), ...suffix].join("_");
}
