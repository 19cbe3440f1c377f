/** The arguments of `crossrate range`: the parameters of GET /v1/range. */

import { type Flag, UsageFault } from "#cli/command.ts";
import { choiceFlag, helpOf, readWords } from "#cli/words/flags.ts";
import {
  baseAndSymbols,
  CSV_FLAG,
  DP_FLAG,
  instantFlag,
  isDay,
  JSON_FLAG,
  sinceFlag,
  URL_FLAG,
} from "#cli/words/rate-words.ts";
import { BAR_SECONDS } from "#domain/history/bars.ts";
import { EXPORT_FORMATS, type ExportFormat, LAYOUTS } from "#domain/history/export-plan.ts";
import { AS_OF_BASES } from "#domain/history/known.ts";
import { AGGREGATES } from "#domain/history/periods.ts";

const INTERVALS = ["1w", "1mo", ...Object.keys(BAR_SECONDS), "tick"];

export const RANGE_FLAGS = [
  {
    name: "--out",
    short: "-o",
    shown: "FILE",
    allowed: "the name of a file",
    meaning: "write a file; its extension is the format",
  } as const satisfies Flag,
  choiceFlag("--format", EXPORT_FORMATS, "form of a file, or of standard output"),
  { name: "--fill", meaning: "every calendar day, with the last value where nothing was published" } as const,
  choiceFlag("--interval", INTERVALS, "a row a week or month; bars of quotes; quotes (daily rates)"),
  choiceFlag("--aggregate", AGGREGATES, "how a week or month becomes one value (last)"),
  choiceFlag("--order", ["asc", "desc"], "by date (asc)"),
  choiceFlag("--layout", LAYOUTS, "files: a row a date and currency, or a column a currency (long)"),
  instantFlag("--as-of", "what was known then"),
  choiceFlag("--as-of-basis", AS_OF_BASES, "known to the world, or to that server (published)"),
  sinceFlag("--updated-after", "only what was accepted or revised since"),
  DP_FLAG,
  JSON_FLAG,
  CSV_FLAG,
  URL_FLAG,
] as const;

export const RANGE_HELP = helpOf(RANGE_FLAGS);

export interface RangeWords {
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly out: string | null;
  /** null: a table, or the server's pages. */
  readonly format: ExportFormat | null;
  readonly json: boolean;
  readonly url: string | undefined;
}

/** Throws UsageFault. */
export function readRangeWords(words: readonly string[]): RangeWords {
  const { operands, flag, has } = readWords(words, RANGE_FLAGS, 40);
  const days = operands.filter(isDay);
  const [start, end, ...tooMany] = days;
  if (start === undefined || end === undefined || tooMany.length > 0)
    throw new UsageFault("name a first and a last day, YYYY-MM-DD, as in USD EUR 2024-01-01 2024-12-31");
  if (start > end) throw new UsageFault(`${start} is after ${end}: name the first day first`);
  const { base, symbols } = baseAndSymbols(operands.filter((word) => !days.includes(word)));
  if (symbols === undefined)
    throw new UsageFault("name a base and the currencies to show, as in USD EUR,JPY; * for all of them");
  const out = flag("--out") ?? null;
  const format = formatOf(flag("--format"), out, has("--csv"));
  if (has("--json") && format !== null) throw new UsageFault(`--json and ${format}: choose one of them`);
  return {
    query: {
      base,
      symbols,
      start_date: start,
      end_date: end,
      fill: has("--fill") ? "previous" : undefined,
      interval: flag("--interval"),
      aggregate: flag("--aggregate"),
      order: flag("--order"),
      layout: flag("--layout"),
      as_of: flag("--as-of"),
      as_of_basis: flag("--as-of-basis"),
      updated_after: flag("--updated-after"),
      dp: flag("--dp"),
    },
    out,
    format,
    json: has("--json"),
    url: flag("--url"),
  };
}

function formatOf(named: string | undefined, out: string | null, csv: boolean): ExportFormat | null {
  const extension = /\.([^./]+)$/.exec(out ?? "")?.[1]?.toLowerCase();
  const wanted = named ?? (csv ? "csv" : extension);
  const format = EXPORT_FORMATS.find((known) => known === wanted) ?? null;
  if (out !== null && format === null)
    throw new UsageFault(
      `${out}: its extension must be one of ${EXPORT_FORMATS.join(", ")}, or name --format`,
    );
  return format;
}
