/** The SQL of an export: the rows in their printed form, and the form of the file. */

import { CURRENCY_COUNT, currencyCode } from "#domain/currency/currency.ts";
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
  const quoted = symbols.filter((code) => code !== base);
  // A bit mask: DuckDB would build a hash table for a list of codes.
  const mask = quoted.reduce((bits, code) => bits | (1n << BigInt(code)), 0n);
  const dayOf = (day: Day) => `DATE '1970-01-01' + (${day})`;
  const values = {
    ...{
      legs,
      base: `'${currencyCode(base)}'::currency`,
      chosen:
        quoted.length === CURRENCY_COUNT - 1
          ? `currency <> '${currencyCode(base)}'::currency`
          : `(${mask}::BIGINT >> enum_code(currency)) & 1 = 1`,
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
    const unit = { "1w": "week", "1mo": "month", "1q": "quarter", "1y": "year" }[interval];
    rows = filled(aggregate === "last" ? lastSql : meanSql, { ...values, rows, unit });
  }
  return `FROM (${rows}) ORDER BY symbol, date ${order}`;
}

/** Returns the SELECT of a plan over its rows: complete lines for text formats, which print faster than columns, else columns. */
export function ratesSelect(
  plan: RatesPlan,
  rows: string,
  format: ExportFormat,
  simulated: readonly string[] = [],
): string {
  const { order, symbols } = plan;
  const [base, source] = [currencyCode(plan.base), sourceOf(plan)];
  const isWide = plan.layout === "wide";
  if (format === "csv" || format === "ndjson") {
    const line = format === "csv" ? csvLine(plan, base) : jsonLine(plan, base, simulated);
    const grouped = isWide ? `GROUP BY date ORDER BY date ${order}` : "";
    const head = openingOf({ plan, format, simulated }).trimEnd() || "line";
    return `SELECT concat(${line}) AS "${head}" FROM ${rows} ${grouped}`;
  }
  if (isWide) {
    const columns = symbols
      .map(currencyCode)
      .map((code) => `max(rate) FILTER (symbol = '${code}') AS ${code}`);
    if (hasPeriods(plan)) columns.push(`${lastDates(plan)} AS last_date`);
    return filled(wideSql, { base, rows, source, columns: columns.join(",\n  "), order });
  }
  const changes = ", revision, epoch_ms(updated::BIGINT)::TIMESTAMPTZ AS updated_at, withdrawn";
  const more = hasChanges(plan) ? changes : hasPeriods(plan) ? ", last_date" : "";
  return filled(longSql, { base, rows, source, more });
}

export function barsSelect({ base }: BarsPlan, table: string): string {
  return filled(barsSql, { base: currencyCode(base), rows: table });
}

/** Adapts an archive SELECT to a format: text formats have instants as text, CSV has prices as text, Arrow has codes as enums, which become dictionaries. */
export function archiveForm(select: string, { kind }: QuotesPlan | BarsPlan, format: ExportFormat): string {
  const isQuotes = kind === "quotes";
  const instants = isQuotes ? ["observed_at", "retrieved_at"] : ["start"];
  const prices =
    format !== "csv" ? [] : isQuotes ? ["bid", "ask", "mid"] : ["open", "high", "low", "close", "mean"];
  const texts = [
    ...instants.map((name) => `instant_text(${name}) AS ${name}`),
    ...prices.map((name) => `price_text(${name}) AS ${name}`),
  ];
  const codes = isQuotes ? ["base::currency AS base", "quote::currency AS quote", "feed::feed AS feed"] : [];
  const isText = format === "csv" || format === "ndjson";
  const replaced = isText ? texts : format === "arrow" ? codes : [];
  return replaced.length === 0 ? select : `SELECT * REPLACE (${replaced.join(", ")}) FROM (${select})`;
}

/** Adds the mark of simulated numbers to the names of these columns. */
export function withMarks(select: string, columns: readonly string[]): string {
  if (columns.length === 0) return select;
  const renamed = columns.map((name) => `${name} AS ${columnName(name, true)}`);
  return `SELECT * RENAME (${renamed.join(", ")}) FROM (${select})`;
}

/** Metadata of Parquet and Arrow: the names of columns with simulated numbers. Readers by name keep working. */
export function marksOf(simulated: readonly string[]): Readonly<Record<string, string>> {
  return simulated.length === 0 ? {} : { simulated: simulated.join(",") };
}

/** Returns the COPY of a SELECT into a file, which grows in place and can be read meanwhile. Parquet has the metadata. */
export function copyStatement(
  select: string,
  path: string,
  format: "csv" | "parquet" | "ndjson",
  kind: ExportPlan["kind"],
  metadata: Readonly<Record<string, string>> = {},
): string {
  const pairs = Object.entries(metadata).map(([name, value]) => `${quoted(name)}: ${quoted(value)}`);
  const mark = pairs.length === 0 ? "" : `, KV_METADATA {${pairs.join(", ")}}`;
  const form = {
    csv: kind === "rates" ? `${LINES}, HEADER true` : "FORMAT csv, HEADER true",
    // Every group of rows has nearly every code and date: a reader could skip none by a Bloom filter.
    parquet: `FORMAT parquet, PARQUET_VERSION v2, COMPRESSION zstd, WRITE_BLOOM_FILTER false${mark}`,
    ndjson: kind === "rates" ? `${LINES}, HEADER false` : "FORMAT json",
  };
  return `COPY (${select}) TO ${quoted(path)} (${form[format]}, USE_TMP_FILE false)`;
}

/** Lines of rates are complete: DuckDB has nothing to separate or quote. */
const LINES = "FORMAT csv, QUOTE '', ESCAPE ''";

/** Returns the COPY of official rates from the API's CSV, with the printed digits in one more column. */
export function officialStatement(csv: string, path: string): string {
  return copyStatement(filled(officialSql, { csv: quoted(csv) }), path, "parquet", "rates");
}

/** Returns the first text of a CSV or Parquet export, known before the first row is; empty for other formats. */
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
  const last = hasPeriods(plan) ? ["last_date"] : [];
  if (plan.layout === "wide")
    return ["date", "base", "source", "is_forward_filled", ...plan.symbols.map(currencyCode), ...last];
  const more = hasChanges(plan) ? ["revision", "updated_at", "withdrawn"] : last;
  const facts = ["source", "is_forward_filled", "derived", "derivation_bps_max"];
  return ["date", "base", "symbol", "rate", ...facts, ...more];
}

const RATE = "rate_text(rate, scale, is_published)";
const UPDATED = "strftime(epoch_ms(updated::BIGINT), '%Y-%m-%dT%H:%M:%S.%gZ')";

function sourceOf(plan: RatesPlan): string {
  if (plan.layout === "wide") return "source_name(arg_min(source, (observed, -source::INTEGER)))";
  return hasChanges(plan) ? "CASE WHEN NOT withdrawn THEN source_name(source) END" : "source_name(source)";
}

function bySymbol({ symbols }: RatesPlan, textOf: (code: string) => string): string[] {
  return symbols.map(currencyCode).map((code) => `max(${textOf(code)}) FILTER (symbol = '${code}')`);
}

/** The last day that counts in a wide row of a period, printed as by `printedLastDates`. */
function lastDates(plan: RatesPlan): string {
  const earlier = plan.symbols.map(currencyCode).map((code) => {
    const own = `max(last_date) FILTER (symbol = '${code}')`;
    return `CASE WHEN ${own} < max(last_date) THEN '${code} ' || ${own} END`;
  });
  return `concat_ws('; ', max(last_date), ${earlier.join(", ")})`;
}

/** Returns the parts of a line: concat() prints null as an empty cell, and is faster with fewer parts. */
function csvLine(plan: RatesPlan, base: string): string {
  const opening = `date, ',${base},'`;
  if (plan.layout === "wide") {
    const rates = bySymbol(plan, () => RATE).join(", ',', ");
    const last = hasPeriods(plan) ? `, ',', ${lastDates(plan)}` : "";
    return `${opening}, ${sourceOf(plan)}, ',', bool_or(is_filled), ',', ${rates}${last}`;
  }
  const changes = `, ',', revision, ',', ${UPDATED}, ',', withdrawn`;
  const more = hasChanges(plan) ? changes : hasPeriods(plan) ? ", ',', last_date" : "";
  const flags = "if(is_filled, ',true,', ',false,'), if(derived, 'true,', 'false,')";
  return `${opening}, symbol, ',', ${RATE}, ',', ${sourceOf(plan)}, ${flags}, bound${more}`;
}

/**
 * Returns the parts of an object: with the columns for the long layout, like a row of the JSON pages for the wide one. Members with
 * simulated numbers are named as the columns of CSV.
 */
function jsonLine(plan: RatesPlan, base: string, simulated: readonly string[]): string {
  const nameOf = (name: string) => columnName(name, simulated.includes(name));
  const opening = `'{"date":"', date, '","base":"${base}",`;
  if (plan.layout === "wide") {
    const listOf = (members: string[]) => `concat_ws(',', ${members.join(", ")})`;
    const rates = listOf(bySymbol(plan, (code) => `'"${nameOf(code)}":' || ${RATE}`));
    const days = listOf(bySymbol(plan, (code) => `'"${code}":"' || last_date || '"'`));
    const more = hasPeriods(plan) ? `'},"last_dates":{', ${days}, ` : "";
    return `${opening}"source":"', ${sourceOf(plan)}, '","is_forward_filled":', bool_or(is_filled), ',"rates":{', ${rates}, ${more}'}}'`;
  }
  const changes = `, ',"revision":', revision, ',"updated_at":"', ${UPDATED}, '","withdrawn":', withdrawn`;
  const more = hasChanges(plan) ? changes : hasPeriods(plan) ? `, ',"last_date":"', last_date, '"'` : "";
  const source = `coalesce('"' || ${sourceOf(plan)} || '"', 'null')`;
  return `${opening}"symbol":"', symbol, '","${nameOf("rate")}":', coalesce(${RATE}, 'null'), ',"source":', ${source},
    ',"is_forward_filled":', is_filled, ',"derived":', derived, ',"derivation_bps_max":', coalesce(bound::VARCHAR, 'null')${more}, '}'`;
}

function hasPeriods({ content }: RatesPlan): boolean {
  return "interval" in content && content.interval !== "1d";
}

function hasChanges({ content }: RatesPlan): boolean {
  return "blocks" in content;
}

/** Puts SQL text into the places of a statement, unescaped. Bound parameters would cost more: DuckDB then plans twice. */
export function filled(sql: string, values: Readonly<Record<string, string>>): string {
  return sql.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
