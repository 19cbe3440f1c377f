/** www.datos.gov.co: the TRM through the query language of the open data portal, one row a value with its days of validity. */

import { nextOpen, officialSheet } from "#demo/official-sheet.ts";
import { type Answer, type DemoRequest, json, notFound } from "#demo/request.ts";
import { type Day, formatDay, MILLISECONDS_PER_DAY, parseDay } from "#domain/time/day.ts";
import { dailyTable, isOpenDay } from "./tables.ts";

const PATH = "/resource/32sa-8pi3.json";
const COLUMNS = ["valor", "unidad", "vigenciadesde", "vigenciahasta"] as const;
const BETWEEN =
  /^vigenciadesde between '(\d{4}-\d{2}-\d{2})T00:00:00\.000' and '(\d{4}-\d{2}-\d{2})T00:00:00\.000'$/;
const DEFAULT_LIMIT = 1000;
/** Pesos for a dollar: the market of the simulated world has no peso, so that it is tied. */
const LINE = { code: "USD", unit: 1, decimals: 2 };

/** Certified at six in the evening of a day on which the market was open, in Bogotá, which has no summer time. */
const TRM_TABLE = dailyTable({
  id: "col_trm",
  currency: "COP",
  lines: [LINE],
  sixteenths: 4,
  isDay: isOpenDay,
  publishedAt: (day) => day * MILLISECONDS_PER_DAY + 23 * 3_600_000,
});

/** Valid from the day after it was certified to the next day on which one is. Numbers as texts, without zeros at the end. */
export function trm(request: DemoRequest): Answer {
  const { pathname, searchParams } = request.url;
  if (pathname !== PATH) return notFound();
  const [, first = "", last = ""] = BETWEEN.exec(searchParams.get("$where") ?? "") ?? [];
  const [from, to] = [parseDay(first), parseDay(last)];
  const limit = Number(searchParams.get("$limit") ?? DEFAULT_LIMIT);
  if (from === null || to === null || !(limit > 0)) {
    return json(
      '{"code":"query.compiler.malformed","error":true,"message":"Could not parse SoQL query"}',
      400,
    );
  }
  const sheet = officialSheet(request, TRM_TABLE);
  const rows = sheet
    .days(from - 30, to)
    .filter((day) => day + 1 >= from && day + 1 <= to)
    .map((day) =>
      rowOf(sheet.printedDay(day) + 1, sheet.printedDay(nextOpen(isOpenDay, day)), sheet.printed(LINE, day)),
    );
  return {
    contentType: "application/json;charset=utf-8",
    body: () => `[${rows.slice(0, limit).join("\n,")}]\n`,
    lastModified: sheet.changedAt,
  };
}

function rowOf(validFrom: Day, validTo: Day, printed: string): string {
  const values = [
    printed.replace(/\.?0+$/, ""),
    "COP",
    `${formatDay(validFrom)}T00:00:00.000`,
    `${formatDay(validTo)}T00:00:00.000`,
  ];
  return JSON.stringify(Object.fromEntries(COLUMNS.map((name, column) => [name, values[column]])));
}
