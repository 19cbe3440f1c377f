/** The SQL of an export: the rows in their printed form, and the form of the file. */

import { currencyCode } from "#domain/currency/currency.ts";
import type {
  BarsPlan,
  ExportFormat,
  ExportPlan,
  ExportRequest,
  QuotesPlan,
  RatesPlan,
} from "#domain/history/rate-columns.ts";
import { quoted } from "#store/parquet/engine.ts";
import barsSql from "./sql/bars.sql" with { type: "text" };
import longSql from "./sql/long.sql" with { type: "text" };
import changesSql from "./sql/long-changes.sql" with { type: "text" };
import wideSql from "./sql/wide.sql" with { type: "text" };

/** The SELECT of a plan over its table. Text formats get the digits as text, the others doubles. */
export function ratesSelect(plan: RatesPlan, table: string, format: ExportFormat): string {
  const text = format === "csv" || format === "ndjson";
  const rate = text ? "rate_text(rate, scale, flags)" : "rate_double(rate, flags)";
  const base = currencyCode(plan.base);
  if (format === "ndjson")
    return plan.layout === "wide" ? wideLines(plan, base, table) : longLines(plan, base, table);
  if (plan.layout === "wide") {
    const columns = plan.symbols
      .map(currencyCode)
      .map((code) => `max(${rate}) FILTER (symbol = '${code}') AS ${code}`);
    return filled(wideSql, { base, rows: table, columns: columns.join(",\n  "), order: plan.order });
  }
  const instant = "epoch_ms(updated::BIGINT)::TIMESTAMPTZ";
  const updated = text ? `instant_text(${instant})` : instant;
  return filled(plan.changes ? changesSql : longSql, { base, rows: table, rate, updated });
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

/** What every file of a CSV or Parquet export begins with: known before the first row is. */
export function openingOf({ plan, format }: Pick<ExportRequest, "plan" | "format">): string {
  if (format === "parquet") return "PAR1";
  if (format !== "csv") return "";
  if (plan.kind === "quotes") return "observed_at,retrieved_at,feed,base,quote,bid,ask,mid,decimals\n";
  if (plan.kind === "bars") return "start,base,symbol,open,high,low,close,mean,ticks\n";
  if (plan.layout === "wide")
    return `date,base,source,is_forward_filled,${plan.symbols.map(currencyCode).join(",")}\n`;
  const more = plan.changes ? ",revision,updated_at,withdrawn" : "";
  return `date,base,symbol,rate,source,is_forward_filled,derived,derivation_bps_max${more}\n`;
}

/** Objects with the columns of the long layout, one a line. */
function longLines(plan: RatesPlan, base: string, table: string): string {
  const members = [
    `'{"date":"' || date || '","base":"${base}","symbol":"' || symbol || '","rate":' || coalesce(rate_text(rate, scale, flags), 'null')`,
    `',"source":' || CASE WHEN flags & 8 = 8 THEN 'null' ELSE '"' || source_name(source) || '"' END || ',"is_forward_filled":' || (flags & 2 = 2) || ',"derived":' || (flags & 1 = 1)`,
    `',"derivation_bps_max":' || coalesce(bound_double(bound)::VARCHAR, 'null')`,
  ];
  if (plan.changes) {
    members.push(
      `',"revision":' || revision || ',"updated_at":"' || strftime(epoch_ms(updated::BIGINT), '%Y-%m-%dT%H:%M:%S.%gZ')`,
      `'","withdrawn":' || (flags & 8 = 8)`,
    );
  }
  return `SELECT ${members.join(" || ")} || '}' AS line FROM ${table}`;
}

/** Objects like the rows of the JSON pages, one a line. */
function wideLines(plan: RatesPlan, base: string, table: string): string {
  const members = plan.symbols
    .map(currencyCode)
    .map((code) => `max('"${code}":' || rate_text(rate, scale, flags)) FILTER (symbol = '${code}')`);
  return `SELECT
    '{"date":"' || date || '","base":"${base}","source":"' || source_name(arg_min(source, (observed, -source::INTEGER)))
    || '","is_forward_filled":' || bool_or(flags & 2 = 2) || ',"rates":{'
    || concat_ws(',', ${members.join(", ")}) || '}}' AS line
  FROM ${table} GROUP BY date ORDER BY date ${plan.order}`;
}

function filled(sql: string, values: Readonly<Record<string, string>>): string {
  return sql.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
