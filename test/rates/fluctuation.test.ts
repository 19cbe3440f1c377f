/** Fluctuations over the packaged real history, against an oracle that reads the ECB's own CSV and computes with whole numbers. */

import { beforeAll, describe, expect, test } from "bun:test";
import { inflateRawSync } from "node:zlib";
import { CacheBudget } from "#domain/cache/budget.ts";
import { CURRENCY_CODES, type CurrencyCode, currencyIndex } from "#domain/currency/currency.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { formatDay } from "#domain/time/day.ts";
import { fluctuation } from "#rates/fluctuation.ts";
import { openAllSeriesCaches } from "#rates/range/range.ts";
import { ECB_SNAPSHOT } from "#sources/ecb/snapshot.ts";
import { datasetOf, day } from "#test/domain/history/columns.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

const NOW = ECB_SNAPSHOT.retrievedAt;

/** By day, the digits of each currency per euro; nothing of the product reads it. */
async function publishedTable(): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
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

type Ratio = readonly [numerator: bigint, denominator: bigint];

function ratioOf(text: string): Ratio {
  const [whole = "", fraction = ""] = text.split(".");
  return [BigInt(whole + fraction), 10n ** BigInt(fraction.length)];
}

/** Half-even to so many significant digits. */
function rounded([numerator, denominator]: Ratio, digits: number): number {
  const negative = numerator < 0n;
  const top = negative ? -numerator : numerator;
  if (top === 0n) return 0;
  let scale = 0;
  const unit = 10n ** BigInt(digits - 1);
  while ((top * 10n ** BigInt(scale)) / denominator < unit) scale++;
  const shifted = top * 10n ** BigInt(scale);
  let [quotient, rest] = [shifted / denominator, (shifted % denominator) * 2n];
  while (quotient >= unit * 10n) {
    // A large number: whole digits are cut, which no rate and no change here needs beyond one step.
    rest = quotient % 10n === 5n && rest === 0n ? denominator : quotient % 10n > 5n ? denominator + 1n : 0n;
    quotient /= 10n;
    scale--;
  }
  if (rest > denominator || (rest === denominator && quotient % 2n === 1n)) quotient += 1n;
  const value = Number(`${quotient}e${-scale}`);
  return negative ? -value : value;
}

describe("500 random fluctuations of the real history", () => {
  let table: ReadonlyMap<string, ReadonlyMap<string, string>>;
  let dataset: Dataset;
  beforeAll(async () => {
    table = await publishedTable();
    const rows = [...table].flatMap(([date, rates]) =>
      [...rates].flatMap(([quote, printed]) =>
        CURRENCY_CODES.includes(quote as CurrencyCode) && quote !== "EUR"
          ? [{ source: "ecb_daily", date: day(date), base: "EUR", quote, printed } as const]
          : [],
      ),
    );
    dataset = datasetOf(rows as never);
  }, 30_000);

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

  test("have the ends, the change and the extremes that the ECB's file has", () => {
    const random = seededRandom(20_261_127);
    const pick = () => CURRENCY_CODES[Math.floor(random() * CURRENCY_CODES.length)] as CurrencyCode;
    const deps = {
      dataset: () => dataset,
      clock: { now: () => NOW },
      ...openAllSeriesCaches(new CacheBudget(64 * 1024 * 1024)),
    };
    let compared = 0;
    while (compared < 500) {
      const [base, to] = [pick(), pick()];
      if (base === to || base === "TWD" || to === "TWD") continue;
      const start = day("1999-01-04") + Math.floor(random() * 10_000);
      const end = Math.min(start + Math.floor(random() * 500), ECB_SNAPSHOT.newestDay);
      const query = { base: currencyIndex(base), symbols: [currencyIndex(to)], start, end };
      const [first, last] = [rateOn(formatDay(start), base, to), rateOn(formatDay(end), base, to)];
      if (first === null || last === null) {
        expect(() => fluctuation(deps, query)).toThrow("no requested rate");
        continue;
      }
      const within = [first];
      for (let at = start; at <= end; at++) {
        const value = published(formatDay(at), base, to);
        if (value !== null) within.push({ date: formatDay(at), value });
      }
      const low = within.reduce((a, b) => (b.value < a.value ? b : a));
      const high = within.reduce((a, b) => (b.value > a.value ? b : a));
      const [rate] = fluctuation(deps, query).rates;
      const name = `${base}/${to} ${formatDay(start)} ${formatDay(end)}`;
      const plain = (dated: { day: number; text: string } | undefined) =>
        dated && { date: formatDay(dated.day), value: Number(dated.text) };
      expect([name, plain(rate?.start), plain(rate?.end)]).toEqual([name, first, last]);
      expect([name, plain(rate?.low), plain(rate?.high)]).toEqual([name, low, high]);
      const [a, b] = [ratioOf(rate?.start.text ?? ""), ratioOf(rate?.end.text ?? "")];
      expect(Number(rate?.change)).toBeCloseTo(last.value - first.value, 6);
      expect(Number(rate?.changePct)).toBe(rounded([(b[0] * a[1] - a[0] * b[1]) * 100n, a[0] * b[1]], 6));
      compared++;
    }
  }, 60_000);
});
