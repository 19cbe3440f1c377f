/** The flags of `crossrate export`: the parameters of GET /v1/range. */

import { type Flag, UsageFault } from "#cli/command.ts";
import { readFlags } from "#commands/flags.ts";
import { CURRENCY_CODES, currencyIndex, mixedCaseHint } from "#domain/currency/currency.ts";
import { Failure } from "#domain/faults/errors.ts";
import { BAR_SECONDS } from "#domain/history/bars.ts";
import { EXPORT_FORMATS, type ExportFormat, LAYOUTS } from "#domain/history/export-plan.ts";
import { AS_OF_BASES } from "#domain/history/known.ts";
import { AGGREGATES } from "#domain/history/periods.ts";
import { parseDay } from "#domain/time/day.ts";

const CODES: readonly string[] = CURRENCY_CODES;
/** What is in mixed case is refused with its hint, as everywhere. */
const isCode = (text: string) => currencyIndex(text.trim()) >= 0 || mixedCaseHint(text.trim()) !== null;
const isDay = (text: string) => parseDay(text) !== null;
const DAY = "a calendar day, YYYY-MM-DD,";
const INSTANT = "a UTC instant such as 2026-04-13T16:30:00Z";
const INTERVALS = ["1w", "1mo", ...Object.keys(BAR_SECONDS), "tick"];
const DPS = /^(\d|10)$/;

export const EXPORT_FLAGS: readonly (Flag & { readonly parameter: string | null })[] = [
  {
    ...flag("--symbols", "symbols", "EUR,GBP|*", `* for all, or some of ${CODES.join(",")},`),
    meaning: "which currencies",
    accepts: (text) => text.trim() === "*" || text.split(",").every(isCode),
    required: true,
  },
  {
    ...flag("--start", "start_date", "YYYY-MM-DD", DAY),
    meaning: "first day",
    accepts: isDay,
    required: true,
  },
  { ...flag("--end", "end_date", "YYYY-MM-DD", DAY), meaning: "last day", accepts: isDay, required: true },
  {
    ...flag("--base", "base", "USD", `one of ${CODES.join(", ")}`),
    meaning: "rates are units per one of it (USD)",
    accepts: isCode,
  },
  choice("--format", "format", EXPORT_FORMATS, "form of the file (by the extension of --out, else csv)"),
  choice("--layout", "layout", LAYOUTS, "one row a date and currency, or one column a currency (long)"),
  choice(
    "--fill",
    "fill",
    ["none", "previous"],
    "days without a publication: no row, or the last value (none)",
  ),
  choice(
    "--interval",
    "interval",
    INTERVALS,
    "one row a week or month; bars of quotes; quotes (daily rates)",
  ),
  choice("--aggregate", "aggregate", AGGREGATES, "how a week or month becomes one value (last)"),
  choice("--order", "order", ["asc", "desc"], "by date (asc)"),
  {
    ...flag("--dp", "dp", "N", "a whole number of decimals from 0 to 10"),
    meaning: "round to so many decimals, 0 to 10",
    accepts: (text) => DPS.test(text),
  },
  { ...flag("--as-of", "as_of", "INSTANT", INSTANT), meaning: "what was known then" },
  choice(
    "--as-of-basis",
    "as_of_basis",
    AS_OF_BASES,
    "known to the world, or to this installation (published)",
  ),
  {
    ...flag(
      "--updated-after",
      "updated_after",
      "TOKEN|INSTANT",
      `sync_from of an earlier answer, or ${INSTANT}`,
    ),
    meaning: "only what was accepted or revised since",
  },
  { ...flag("--out", null, "FILE", "the name of a file"), meaning: "where to (standard output)" },
  { name: "--demo", parameter: null, meaning: "the demo's made-up rates, from data/demo or DATA_DIR" },
];

export interface ExportRequest {
  /** By the names of the HTTP parameters. */
  readonly query: (parameter: string) => string | undefined;
  readonly format: ExportFormat;
  /** Of the demo's data. */
  readonly demo: boolean;
  /** null: standard output. */
  readonly out: string | null;
}

/** Throws UsageFault, as readFlags does. */
export function readExportFlags(args: readonly string[]): ExportRequest {
  const value = readFlags(args, EXPORT_FLAGS);
  const query = (parameter: string) => {
    const known = EXPORT_FLAGS.find((candidate) => candidate.parameter === parameter);
    return known === undefined ? undefined : value(known.name)?.trim();
  };
  const out = value("--out") ?? null;
  const extension = /\.([^./]+)$/.exec(out ?? "")?.[1]?.toLowerCase();
  const wanted = query("format")?.toLowerCase() ?? extension;
  const format = EXPORT_FORMATS.find((known) => known === wanted) ?? "csv";
  return { query, format, out, demo: value("--demo") !== undefined };
}

/** A refusal as a message of the command line: flags instead of parameters, and a UsageFault where they are to blame. */
export function asFlagMessage(fault: unknown): unknown {
  if (!(fault instanceof Failure)) return fault;
  let text = fault.message.replace("see /status", "run crossrate backfill first");
  for (const { name, parameter } of EXPORT_FLAGS) {
    if (parameter === null) continue;
    text = parameter.includes("_")
      ? text.replace(new RegExp(`\\b${parameter}\\b(?! of)`, "g"), name)
      : text.replace(new RegExp(`^${parameter}\\b|(?<=leave )${parameter}\\b`, "g"), name);
    text = text.replace(new RegExp(`(?<![-\\w])${parameter}=`, "g"), `${name} `);
  }
  return fault.status === 400 ? new UsageFault(text) : new Error(text, { cause: fault });
}

function flag(name: string, parameter: string | null, shown: string, allowed: string) {
  return { name, parameter, shown, allowed };
}

function choice(name: string, parameter: string, values: readonly string[], meaning: string) {
  return {
    meaning,
    choices: values,
    ...flag(name, parameter, values.join("|"), `one of ${values.join(", ")}`),
    accepts: (text: string) => values.includes(text.trim().toLowerCase()),
  };
}
