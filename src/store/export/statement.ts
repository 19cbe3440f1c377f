/** The SQL of an export: the rows in their printed form, and the form of the file. */

import { type CurrencyIndex, currencyCode } from "#domain/currency/currency.ts";
import { columnName } from "#domain/dataset/dataset.ts";
import type {
  BarsPlan,
  Crosses,
  ExportFormat,
  ExportPlan,
  ExportRequest,
  QuotesPlan,
  RatesPlan,
} from "#domain/history/rate-columns.ts";
import type { Day } from "#domain/time/day.ts";
import { quoted } from "#store/parquet/engine.ts";
import barsSql from "./sql/bars.sql" with { type: "text" };
import changedSql from "./sql/changed.sql" with { type: "text" };
import crossesSql from "./sql/crosses.sql" with { type: "text" };
import identitySql from "./sql/identity.sql" with { type: "text" };
import longSql from "./sql/long.sql" with { type: "text" };
import officialSql from "./sql/official.sql" with { type: "text" };
import lastSql from "./sql/period-last.sql" with { type: "text" };
import meanSql from "./sql/period-mean.sql" with { type: "text" };
import roundedSql from "./sql/rounded.sql" with { type: "text" };
import unevenSql from "./sql/uneven.sql" with { type: "text" };
import wideSql from "./sql/wide.sql" with { type: "text" };

/** The rows of a plan as a table expression: from the legs of its version, or the table of its changes. */
export function rowsSelect(plan: RatesPlan, table: string): string {
  const { content, dp } = plan;
  const rows = `(${"blocks" in content ? filled(changedSql, { rows: table }) : crossesSelect(plan, content, table)})`;
  return dp === null ? rows : `(${filled(roundedSql, { rows, dp: String(dp) })})`;
}

function crossesSelect(
  { base, symbols, order }: RatesPlan,
  { first, last, until, fill, interval, aggregate }: Crosses,
  legs: string,
): string {
  const codeOf = (code: CurrencyIndex) => `'${currencyCode(code)}'::currency`;
  // A list of codes would be looked up in a table of its own.
  const chosen = symbols.reduce((bits, code) => (code === base ? bits : bits | (1n << BigInt(code))), 0n);
  const dayOf = (day: Day) => `DATE '1970-01-01' + (${day})`;
  const values = {
    ...{
      legs,
      base: codeOf(base),
      chosen: `(${chosen}::BIGINT >> enum_code(currency)) & 1 = 1`,
    },
    ...{ first: dayOf(first), last: dayOf(last), until: dayOf(until), fills: String(fill === "previous") },
  };
  const others =
    fill === "none"
      ? { kept: "side.fresh AND rest.fresh", is_filled: "false", uneven: "" }
      : {
          kept: "least(side.date, earliest) IS NOT DISTINCT FROM greatest(side.date, latest)",
          is_filled: "NOT (side.fresh AND rest.fresh)",
          uneven: filled(unevenSql, values),
        };
  let rows = filled(crossesSql, { ...values, ...others });
  if (symbols.includes(base)) rows = `(${rows}) UNION ALL ${filled(identitySql, values)}`;
  if (interval !== "1d") {
    rows = filled(aggregate === "last" ? lastSql : meanSql, { ...values, rows, unit: UNITS[interval] });
  }
  return `FROM (${rows}) ORDER BY symbol, date ${order}`;
}

const UNITS = { "1w": "week", "1mo": "month", "1q": "quarter", "1y": "year" } as const;

/** The SELECT of a plan over its rows. Text formats get the digits as text, the others doubles. */
export function ratesSelect(plan: RatesPlan, rows: string, format: ExportFormat): string {
  const text = format === "csv" || format === "ndjson";
  const rate = text ? "rate_text(rate, scale, is_published)" : "rate";
  const base = currencyCode(plan.base);
  if (format === "ndjson")
    return plan.layout === "wide" ? wideLines(plan, base, rows) : longLines(plan, base, rows);
  if (plan.layout === "wide") {
    const columns = plan.symbols
      .map(currencyCode)
      .map((code) => `max(${rate}) FILTER (symbol = '${code}') AS ${code}`);
    return filled(wideSql, { base, rows, columns: columns.join(",\n  "), order: plan.order });
  }
  const instant = "epoch_ms(updated::BIGINT)::TIMESTAMPTZ";
  const changes = `, revision, ${text ? `instant_text(${instant})` : instant} AS updated_at, withdrawn`;
  const [source, more] = hasChanges(plan)
    ? ["CASE WHEN NOT withdrawn THEN source_name(source) END", changes]
    : ["source_name(source)", hasPeriods(plan) ? ", last_date" : ""];
  return filled(longSql, { base, rows, rate, source, more });
}

/** The SELECT of a plan of bars over its table. */
export function barsSelect({ base }: BarsPlan, table: string): string {
  return filled(barsSql, { base: currencyCode(base), rows: table });
}

/** A SELECT over the archive in the form that a format has: instants as text where all is text. */
export function archiveForm(select: string, { kind }: QuotesPlan | BarsPlan, format: ExportFormat): string {
  if (format !== "csv" && format !== "ndjson") return select;
  const instants = kind === "quotes" ? ["observed_at", "retrieved_at"] : ["start"];
  const texts = instants.map((name) => `instant_text(${name}) AS ${name}`);
  return `SELECT * REPLACE (${texts.join(", ")}) FROM (${select})`;
}

/** The same SELECT with the mark of simulated numbers in the names of these columns. */
export function withMarks(select: string, columns: readonly string[]): string {
  if (columns.length === 0) return select;
  const renamed = columns.map((name) => `${name} AS ${columnName(name, true)}`);
  return `SELECT * RENAME (${renamed.join(", ")}) FROM (${select})`;
}

/** The same SELECT with its codes as enums, which become dictionaries. */
export function withCodes(select: string, { kind, ...plan }: ExportPlan): string {
  const codes = {
    rates: ["base::currency AS base", "source::daily_source AS source"],
    quotes: ["base::currency AS base", "quote::currency AS quote", "feed::feed AS feed"],
    bars: ["base::currency AS base", "symbol::currency AS symbol"],
  }[kind];
  if ("layout" in plan && plan.layout === "long") codes.push("symbol::currency AS symbol");
  return `SELECT * REPLACE (${codes.join(", ")}) FROM (${select})`;
}

/** COPY of a SELECT into a file, which grows in place so that it can be read meanwhile. */
export function copyStatement(
  select: string,
  path: string,
  format: "csv" | "parquet" | "ndjson",
  kind: ExportPlan["kind"],
): string {
  const form = {
    csv: "FORMAT csv, HEADER true",
    parquet: "FORMAT parquet, PARQUET_VERSION v2, COMPRESSION zstd",
    // Lines of rates are complete as they are: nothing to separate, nothing to quote.
    ndjson: kind === "rates" ? "FORMAT csv, HEADER false, QUOTE '', ESCAPE ''" : "FORMAT json",
  };
  return `COPY (${select}) TO ${quoted(path)} (${form[format]}, USE_TMP_FILE false)`;
}

/** COPY of official rates from the CSV of the API, with the digits as printed in one more column. */
export function officialStatement(csv: string, path: string): string {
  return copyStatement(filled(officialSql, { csv: quoted(csv) }), path, "parquet", "rates");
}

/** What every file of a CSV or Parquet export begins with: known before the first row is. */
export function openingOf({
  plan,
  format,
  simulated,
}: Pick<ExportRequest, "plan" | "format" | "simulated">): string {
  if (format === "parquet") return "PAR1";
  if (format !== "csv") return "";
  return `${columnsOf(plan)
    .map((name) => columnName(name, simulated.includes(name)))
    .join(",")}\n`;
}

function columnsOf(plan: ExportPlan): readonly string[] {
  if (plan.kind === "quotes")
    return ["observed_at", "retrieved_at", "feed", "base", "quote", "bid", "ask", "mid", "decimals"];
  if (plan.kind === "bars")
    return ["start", "base", "symbol", "open", "high", "low", "close", "mean", "ticks", "source"];
  if (plan.layout === "wide")
    return ["date", "base", "source", "is_forward_filled", ...plan.symbols.map(currencyCode)];
  const more = hasChanges(plan)
    ? ["revision", "updated_at", "withdrawn"]
    : hasPeriods(plan)
      ? ["last_date"]
      : [];
  const facts = ["source", "is_forward_filled", "derived", "derivation_bps_max"];
  return ["date", "base", "symbol", "rate", ...facts, ...more];
}

/** Objects with the columns of the long layout, one a line. */
function longLines(plan: RatesPlan, base: string, table: string): string {
  const named = `'"' || source_name(source) || '"'`;
  const source = hasChanges(plan) ? `CASE WHEN withdrawn THEN 'null' ELSE ${named} END` : named;
  const members = [
    `'{"date":"' || date || '","base":"${base}","symbol":"' || symbol || '","rate":' || coalesce(rate_text(rate, scale, is_published), 'null')`,
    `',"source":' || ${source} || ',"is_forward_filled":' || is_filled || ',"derived":' || derived`,
    `',"derivation_bps_max":' || coalesce(bound::VARCHAR, 'null')`,
  ];
  if (hasPeriods(plan)) members.push(`',"last_date":"' || last_date || '"'`);
  if (hasChanges(plan)) {
    members.push(
      `',"revision":' || revision || ',"updated_at":"' || strftime(epoch_ms(updated::BIGINT), '%Y-%m-%dT%H:%M:%S.%gZ')`,
      `'","withdrawn":' || withdrawn`,
    );
  }
  return `SELECT ${members.join(" || ")} || '}' AS line FROM ${table}`;
}

/** Objects like the rows of the JSON pages, one a line. */
function wideLines(plan: RatesPlan, base: string, table: string): string {
  const members = plan.symbols
    .map(currencyCode)
    .map((code) => `max('"${code}":' || rate_text(rate, scale, is_published)) FILTER (symbol = '${code}')`);
  const days = plan.symbols
    .map(currencyCode)
    .map((code) => `max('"${code}":"' || last_date || '"') FILTER (symbol = '${code}')`);
  const more = hasPeriods(plan) ? `,"last_dates":{' || concat_ws(',', ${days.join(", ")}) || '}` : "";
  return `SELECT
    '{"date":"' || date || '","base":"${base}","source":"' || source_name(arg_min(source, (observed, -source::INTEGER)))
    || '","is_forward_filled":' || bool_or(is_filled) || ',"rates":{'
    || concat_ws(',', ${members.join(", ")}) || '}${more}}' AS line
  FROM ${table} GROUP BY date ORDER BY date ${plan.order}`;
}

function hasPeriods({ content }: RatesPlan): boolean {
  return "interval" in content && content.interval !== "1d";
}

function hasChanges({ content }: RatesPlan): boolean {
  return "blocks" in content;
}

/** Puts the values into the places of a statement: COPY takes no parameters. Codes and numbers only. */
export function filled(sql: string, values: Readonly<Record<string, string>>): string {
  return sql.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
