/** Acceptance on the whole real ECB history: every figure passes, and a slipped decimal point anywhere does not. */

import { beforeAll, describe, expect, test } from "bun:test";
import { accept } from "#domain/acceptance/acceptance.ts";
import type { Acceptance } from "#domain/acceptance/judgement.ts";
import type { CurrencyCode } from "#domain/currency.ts";
import type { Figure } from "#domain/observation.ts";
import { parseEcbHistoryZip } from "#sources/ecb-csv.ts";
import { seededRandom } from "#test/seeded-random.ts";
import { sharedDocument } from "#test/shared-data.ts";
import { day } from "./columns.ts";
import { columnsOf, document, NOTHING } from "./judged.ts";

const path = sharedDocument("ecb/eurofxref-hist.zip");
const TODAY = day("2026-04-14");
const NOW = "2026-04-14T12:00:00Z";

describe.skipIf(path === null)("the real ECB history", () => {
  let figures: readonly Figure[];
  let judgement: Acceptance;
  beforeAll(async () => {
    const bytes = await Bun.file(path as string).bytes();
    const upstream = { url: "zip", bytes, sha256: "0".repeat(64), retrievedAt: 0, contentType: "" };
    const reading = parseEcbHistoryZip(upstream, { reach: "history", from: day("1999-01-04"), to: TODAY });
    figures = reading.outcome === "figures" ? reading.figures : [];
    judgement = accept(NOTHING, "ecb_daily", [document("zip", NOW, figures)], TODAY);
  });

  test("all 178,728 figures are accepted as revision 1 and none is held", () => {
    expect(judgement.held).toEqual([]);
    expect(judgement.accepted).toHaveLength(178_728);
    expect(judgement.accepted.every(({ revision }) => revision === 1)).toBe(true);
  });

  test("the largest moves there were are among them", () => {
    const printed = (date: string, quote: CurrencyCode) =>
      judgement.accepted.find((row) => row.quote === quote && row.date === day(date))?.printed;
    expect(printed("2015-01-15", "CHF")).toBe("1.028");
    expect(Number(printed("2021-12-21", "TRY"))).toBeGreaterThan(13);
    expect(Number(printed("2008-11-06", "ISK"))).toBeGreaterThan(200);
    expect(printed("2008-12-09", "ISK")).toBe("290");
    expect(printed("2012-06-01", "ISK")).toBeUndefined();
    expect(printed("2018-02-01", "ISK")).toBeDefined();
  });

  test("judged again against itself nothing changes", () => {
    const known = { ...columnsOf(judgement.accepted), superseded: [], held: [] };
    const again = accept(known, "ecb_daily", [document("zip", NOW, figures)], TODAY);
    expect([again.accepted.length, again.held.length, again.unchanged]).toEqual([0, 0, 178_728]);
  });

  test("a slipped decimal point is held and all other figures pass: every currency, either way, random days", () => {
    const random = seededRandom(20_260_414);
    for (const places of [1, -1, 2, -2]) {
      const chosen = new Set(bySeries(figures).map((series) => series[Math.floor(random() * series.length)]));
      const slipped = figures.map((row) => (chosen.has(row) ? slip(row, places) : row));
      const { held, accepted } = accept(NOTHING, "ecb_daily", [document("zip", NOW, slipped)], TODAY);
      const keys = (rows: Iterable<Figure | undefined>) =>
        [...rows].map((row) => `${row?.quote} ${row?.date}`).sort();
      expect(keys(held)).toEqual(keys(chosen));
      expect(accepted).toHaveLength(figures.length - chosen.size);
    }
  });

  test("the newest figure slipped is held against a lake that has all the others", () => {
    for (const series of bySeries(figures)) {
      const newest = series.at(-1) as Figure;
      const stored = judgement.accepted.filter(
        ({ date, quote }) => quote === newest.quote && date < newest.date,
      );
      const known = { ...columnsOf(stored), superseded: [], held: [] };
      for (const places of [1, -1]) {
        const reading = document("xml", NOW, [slip(newest, places)]);
        const { held, accepted } = accept(known, "ecb_daily", [reading], TODAY);
        expect([held[0]?.rule, accepted.length]).toEqual(["decimal_slip", 0]);
      }
    }
  });
});

function bySeries(figures: readonly Figure[]): readonly Figure[][] {
  return [...Map.groupBy(figures, ({ quote }) => quote).values()];
}

/** The same digits with the point so many places further right. */
function slip(row: Figure, places: number): Figure {
  const [whole = "", fraction = ""] = row.printed.split(".");
  const digits = "0".repeat(4) + whole + fraction + "0".repeat(4);
  const point = 4 + whole.length + places;
  return { ...row, printed: `${digits.slice(0, point).replace(/^0+(?=\d)/, "")}.${digits.slice(point)}` };
}
