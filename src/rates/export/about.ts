/** What the numbers of a file are, and where they come from: the second sheet of a workbook, the metadata of Parquet and Arrow. */

import { DAILY_SOURCES, type Source } from "#domain/currency/source.ts";
import { newestInstant } from "#domain/point-in-time/dataset.ts";
import { ABOUT_CELLS, type AboutSheet } from "#domain/text/workbook.ts";
import { formatInstant } from "#domain/time/day.ts";
import type { FigureDeps } from "#rates/explain.ts";
import type { DailyDeps } from "#rates/query.ts";

export type AboutDeps = Pick<DailyDeps, "dataset"> & Pick<FigureDeps, "giver">;

interface Facts {
  readonly notice: string;
  /** Sources of the rates; all daily sources by default. */
  readonly sources?: readonly Source[];
}

/** What the numbers are and who published them: the head of a workbook's second sheet, and metadata of Parquet and Arrow. */
export function factsOf(
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
