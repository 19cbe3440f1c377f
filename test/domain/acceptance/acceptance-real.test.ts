/** Acceptance on the whole real histories: which figures need a second route, that all pass with one, and that a slipped point does not. */

import { beforeAll, describe, expect, test } from "bun:test";
import { accept } from "#domain/acceptance/acceptance.ts";
import type { DocumentReading } from "#domain/acceptance/judgement.ts";
import type { Figure } from "#domain/history/observation.ts";
import { formatDay } from "#domain/time/day.ts";
import { parseEcbHistoryZip } from "#sources/ecb/documents.ts";
import { parseFredCsv } from "#sources/fred/fred.ts";
import { day, knownOf } from "#test/domain/history/columns.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { sharedDocument } from "#test/support/shared-data.ts";
import { document, Judged } from "./judged.ts";
import { NOTHING } from "./known-in-memory.ts";

const path = sharedDocument("ecb/eurofxref-hist.zip");
const TODAY = day("2026-04-14");
const NOW = "2026-04-14T12:00:00Z";

const ZIP = "files/history zip";

describe.skipIf(path === null)("the real ECB history", () => {
  let figures: readonly Figure[];
  let whole: Judged;
  beforeAll(async () => {
    const bytes = await Bun.file(path as string).bytes();
    const upstream = { url: "zip", bytes, sha256: "0".repeat(64), retrievedAt: 0 };
    const reading = parseEcbHistoryZip(upstream, { reach: "history", from: day("1999-01-04"), to: TODAY });
    figures = reading.outcome === "figures" ? reading.figures : [];
    whole = judgedAt(document(ZIP, NOW, figures));
  });

  test("all 178,728 figures are accepted as revision 1 and none is held, from the zip alone", () => {
    expect(whole.known.held).toEqual([]);
    expect(whole.current).toHaveLength(178_728);
    expect(whole.current.every(({ revision }) => revision === 1)).toBe(true);
    const printed = (row: Figure) => `${row.quote} ${row.date} ${row.printed}`;
    expect(new Set(whole.current.map(printed))).toEqual(new Set(figures.map(printed)));
  });

  test("the three largest moves are believed by their digits only: another value on such a day is held", () => {
    const moved = figures
      .filter(({ quote }) => quote === "TRY")
      .map((figure) =>
        formatDay(figure.date) === "2021-12-21" ? { ...figure, printed: "14.8132" } : figure,
      );
    const { held } = judgedAt(document(ZIP, NOW, moved)).known;
    expect(held[0]).toMatchObject({ quote: "TRY", printed: "14.8132", rule: "implausible_jump" });
    expect(held).toHaveLength(10);
  });

  test("judged again against itself nothing changes", () => {
    const again = accept(whole.known, "ecb_daily", [document(ZIP, NOW, figures)], TODAY);
    expect([again.accepted.length, again.held.length, again.unchanged]).toEqual([0, 0, 178_728]);
    expect([again.withdrawn, again.torn]).toEqual([[], []]);
    expect(again.statements).toEqual(whole.known.statements);
    // A row a series and route, however long the history.
    expect(again.statements).toHaveLength(29);
  });

  test("a slipped decimal point is held and all other figures pass: every currency, one way or the other, random days", () => {
    const random = seededRandom(20_260_414);
    const chosen = new Set(bySeries(figures).map((series) => series[Math.floor(random() * series.length)]));
    const slipped = figures.map((row) => (chosen.has(row) ? slip(row, random() < 0.5 ? 1 : -2) : row));
    const { held, accepted } = accept(NOTHING, "ecb_daily", [document(ZIP, NOW, slipped)], TODAY);
    const keys = (rows: Iterable<Figure | undefined>) =>
      [...rows].map((row) => `${row?.quote} ${row?.date}`).sort();
    expect(keys(held)).toEqual(keys(chosen));
    expect(accepted).toHaveLength(figures.length - chosen.size);
  });

  test("the newest figure slipped is held against a lake that has all the others", () => {
    for (const series of bySeries(figures)) {
      const newest = series.at(-1) as Figure;
      const stored = whole.current.filter(({ date, quote }) => quote === newest.quote && date < newest.date);
      const known = { ...knownOf(stored), superseded: [], held: [], statements: [], retrievals: [] };
      for (const places of [1, -1]) {
        const reading = document("xml", NOW, [slip(newest, places)]);
        const { held, accepted } = accept(known, "ecb_daily", [reading], TODAY);
        expect([held[0]?.rule, accepted.length]).toEqual(["decimal_slip", 0]);
      }
    }
  });
});

function judgedAt(reading: DocumentReading): Judged {
  const lifecycle = new Judged();
  lifecycle.take(accept(NOTHING, "ecb_daily", [reading], TODAY));
  return lifecycle;
}

const twd = sharedDocument("fred/DEXTAUS-spliced.csv");

test.skipIf(twd === null)("the real history of TWD passes whole by one route", async () => {
  const bytes = await Bun.file(twd as string).bytes();
  const upstream = { url: "https://x/?id=DEXTAUS", bytes, sha256: "", retrievedAt: 0 };
  const window = { reach: "history", from: day("1999-01-04"), to: day("2026-11-22") } as const;
  const reading = parseFredCsv(upstream, window);
  if (reading.outcome !== "figures") throw new Error(reading.outcome);
  const dated = document("CSV", NOW, reading.figures);
  const offered = { ...dated, provenance: { ...dated.provenance, source: "fred_daily" as const } };
  const { held, accepted } = accept(NOTHING, "fred_daily", [offered], day("2026-11-22"));
  expect(held).toEqual([]);
  expect(accepted).toHaveLength(reading.figures.length);
  expect(accepted.length).toBeGreaterThan(5_000);
});

function bySeries(figures: readonly Figure[]): readonly Figure[][] {
  return [...Map.groupBy(figures, ({ quote }) => quote).values()];
}

function slip(row: Figure, places: number): Figure {
  const [whole = "", fraction = ""] = row.printed.split(".");
  const digits = "0".repeat(4) + whole + fraction + "0".repeat(4);
  const point = 4 + whole.length + places;
  return { ...row, printed: `${digits.slice(0, point).replace(/^0+(?=\d)/, "")}.${digits.slice(point)}` };
}
