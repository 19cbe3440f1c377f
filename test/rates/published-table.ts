/** The ECB's own table, read without the product, with rates as the documentation defines them: the oracle of means and changes. */

import { inflateRawSync } from "node:zlib";
import { CacheBudget } from "#domain/cache/budget.ts";
import { CURRENCY_CODES, type CurrencyCode } from "#domain/currency/currency.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { formatDay } from "#domain/time/day.ts";
import { openAllSeriesCaches } from "#rates/range/range.ts";
import { ECB_SNAPSHOT } from "#sources/ecb/snapshot.ts";
import { datasetOf, day } from "#test/domain/history/columns.ts";
import { fractionOf, rounded as roundedText } from "#test/live/exact.ts";

/** By day, the digits of each currency per euro; nothing of the product reads it. */
export async function publishedTable(): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const zip = Buffer.from((await ECB_SNAPSHOT.read()).bytes);
  const entry = zip.readUInt32LE(zip.length - 22 + 16);
  const start = 30 + zip.readUInt16LE(26) + zip.readUInt16LE(28);
  const csv = inflateRawSync(zip.subarray(start, entry)).toString();
  const [head = "", ...lines] = csv.trim().split("\n");
  const codes = head.split(",");
  return new Map(
    lines.map((line) => {
      const cells = line.split(",");
      const rates = codes.flatMap((code, at) => {
        const cell = cells[at] ?? "";
        return at > 0 && /\d/.test(cell) ? [[code, cell] as const] : [];
      });
      return [cells[0] as string, new Map<string, string>([["EUR", "1"], ...rates])];
    }),
  );
}

export type Ratio = readonly [numerator: bigint, denominator: bigint];

export function ratioOf(text: string): Ratio {
  const { top, bottom } = fractionOf(text);
  return [top, bottom];
}

/** Half-even to so many significant digits. */
export function rounded([numerator, denominator]: Ratio, digits: number): number {
  if (numerator === 0n) return 0;
  const isNegative = numerator < 0n;
  const size = Number(roundedText({ top: isNegative ? -numerator : numerator, bottom: denominator }, digits));
  return isNegative ? -size : size;
}

export async function openOracle() {
  const table = await publishedTable();
  const rows = [...table].flatMap(([date, rates]) =>
    [...rates].flatMap(([quote, printed]) =>
      CURRENCY_CODES.includes(quote as CurrencyCode) && quote !== "EUR"
        ? [{ source: "ecb_daily", date: day(date), base: "EUR", quote, printed } as const]
        : [],
    ),
  );
  const dataset: Dataset = datasetOf(rows as never);

  /** The rate of the newest day, at most 14 days back, on which both currencies were published. */
  function rateOn(date: string, base: string, to: string): { date: string; value: number } | null {
    const found = published(date, base, to);
    if (found !== null) return { date, value: found };
    for (let back = 1; back <= 14; back++) {
      const earlier = formatDay(day(date) - back);
      const value = published(earlier, base, to);
      if (value !== null) return { date: earlier, value };
    }
    return null;
  }

  function published(date: string, base: string, to: string): number | null {
    const rates = table.get(date);
    const [from, target] = [rates?.get(base), rates?.get(to)];
    if (from === undefined || target === undefined) return null;
    if (base === "EUR") return Number(target);
    const [a, b] = [ratioOf(target), ratioOf(from)];
    return rounded([a[0] * b[1], a[1] * b[0]], 10);
  }

  return { dataset, rateOn, published };
}

/** What a question about many days is answered from, with the clock at the end of the table. */
export function depsOf({ dataset }: Awaited<ReturnType<typeof openOracle>>) {
  return {
    dataset: () => dataset,
    clock: { now: () => ECB_SNAPSHOT.retrievedAt },
    ...openAllSeriesCaches(new CacheBudget(64 * 1024 * 1024)),
  };
}
