/** The text block of an answer, which models read: rows as CSV, and one sentence about source and age. */

import { csvLine } from "#domain/text/csv.ts";

/** About as much as a model reads at once. */
const MOST_CHARACTERS = 12_000;

/** Rows under a head, as CSV (RFC 4180) with the digits of the answer. The last line says what was cut. */
export function rowsText(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  let text = csvLine(heads);
  for (const [at, row] of rows.entries()) {
    const line = `\n${csvLine(row)}`;
    if (text.length + line.length > MOST_CHARACTERS)
      return `${text}\n… ${rows.length - at} of ${rows.length} rows are not in this text; structuredContent has all.`;
    text += line;
  }
  return text;
}

interface Origin {
  /** Null without a figure. */
  readonly source: string | null;
  readonly data_updated_at: string | null;
  readonly notice: string;
}

interface OriginNow extends Origin {
  readonly source: string;
  readonly data_updated_at: string;
  readonly timestamp: string;
  readonly market_session: string;
}

/** `Source: live; observed 2026-04-13T16:29:58Z, 2 s before this answer; market open. Indicative …` */
export function provenance(origin: OriginNow, stale: boolean | readonly string[] = false): string {
  const { source, timestamp, data_updated_at, market_session, notice } = origin;
  const session = market_session.replaceAll("_", " ");
  const age = ageText(Date.parse(timestamp) - Date.parse(data_updated_at));
  return `Source: ${source}; observed ${data_updated_at}, ${age} before this answer${staleText(stale)}; market ${session}. ${notice}`;
}

interface OriginOfPeriod extends Origin {
  readonly sources: Readonly<Record<string, string>>;
}

/** Describes figures of many days, without an age, because their ages differ. Names currencies with figures of another source. */
export function periodProvenance({ source, sources, data_updated_at, notice }: OriginOfPeriod): string {
  if (source === null || data_updated_at === null) return notice;
  const others = Object.entries(sources).filter(([, own]) => own !== source);
  const apart = others.map(([code, own]) => `, of ${code} ${own}`).join("");
  return `Source: ${source}${apart}; the oldest figure was observed ${data_updated_at}. ${notice}`;
}

/** Names requested currencies without a rate: rows alone would drop them unnoticed. */
export function missingText(missing: readonly string[] = []): string {
  return missing.length === 0 ? "" : ` No rate: ${missing.join(", ")}.`;
}

function staleText(stale: boolean | readonly string[]): string {
  const meaning = "STALE, a newer publication was due and has not been seen";
  if (typeof stale === "boolean") return stale ? ` (${meaning})` : "";
  return stale.length === 0 ? "" : ` (${stale.join(", ")}: ${meaning})`;
}

const UNITS = [
  ["d", 86_400],
  ["h", 3600],
  ["min", 60],
] as const;

/** Uses the largest unit that fits at least twice. */
function ageText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const [unit, width] = UNITS.find(([, width]) => seconds >= 2 * width) ?? ["s", 1];
  return `${Math.round(seconds / width)} ${unit}`;
}

/** Returns the currencies with a true flag. */
export function marked(flags: Readonly<Record<string, boolean>>): readonly string[] {
  return Object.keys(flags).filter((code) => flags[code] === true);
}
