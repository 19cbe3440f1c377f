/** The rows of range pages as JSON text: each row is printed once per dataset and question, and pages are joined from them. */

import { currencyCode } from "#domain/currency.ts";
import { COVERAGE_START, type Day, formatDay } from "#domain/day.ts";
import { DAILY_SOURCES } from "#domain/source.ts";
import { withDecimals } from "#rates/query.ts";
import type { RangePage } from "#rates/range.ts";

/** Characters of printed rows that are kept; 27 years of three symbols are about one million. */
const KEPT_CHARACTERS = 12_000_000;

/** The page's rows as the text of a JSON array. */
export type RowsText = (page: RangePage, dp: number | null) => string;

/** Printed rows of one question (dataset, base, symbols, fill, dp), by days since coverage start. */
interface Printed {
  readonly rows: (string | undefined)[];
  characters: number;
}

export function createRowsText(): RowsText {
  const shelf = new Map<string, Printed>();
  let characters = 0;

  return (page, dp) => {
    const question = questionOf(page, dp);
    const printed = shelf.get(question) ?? { rows: [], characters: 0 };
    shelf.delete(question);
    shelf.set(question, printed);
    const texts: string[] = new Array(page.days.length);
    for (let index = 0; index < page.days.length; index++) {
      const day = page.days[index] as Day;
      let text = printed.rows[day - COVERAGE_START];
      if (text === undefined) {
        text = printRow(page, index, dp);
        printed.rows[day - COVERAGE_START] = text;
        printed.characters += text.length;
        characters += text.length;
      }
      texts[index] = text;
    }
    for (const [oldest, { characters: freed }] of shelf) {
      if (characters <= KEPT_CHARACTERS) break;
      shelf.delete(oldest);
      characters -= freed;
    }
    return `[${texts.join(",")}]`;
  };
}

function questionOf(page: RangePage, dp: number | null): string {
  const symbols = page.columns.map(({ to }) => currencyCode(to)).join(",");
  return `${page.dataset.history.version} ${currencyCode(page.base)} ${symbols} ${page.fill} ${dp}`;
}

function printRow(page: RangePage, index: number, dp: number | null): string {
  const day = page.days[index] as Day;
  const rates: string[] = [];
  for (const { to, text, firstDay } of page.columns) {
    const digits = text[day - firstDay];
    if (digits !== undefined)
      rates.push(`"${currencyCode(to)}":${dp === null ? digits : withDecimals(digits, dp)}`);
  }
  const source = DAILY_SOURCES[page.sources[index] as number];
  return `{"date":"${formatDay(day)}","source":"${source}","is_forward_filled":${page.filled[index]},"rates":{${rates.join(",")}}}`;
}
