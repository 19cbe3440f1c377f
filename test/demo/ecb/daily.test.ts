/** The simulated ECB files look like the real ones, byte for byte but for the figures. */

import { expect } from "bun:test";
import { FILES, grammarOf, linesOf, running, SDMX } from "#test/demo/running.ts";
import { realText, testOn } from "#test/support/shared-data.ts";

const NOW = "2026-04-13T15:00:00Z";
const { text, unzipped } = await running(NOW);
const history = await unzipped(`${FILES}/eurofxref-hist.zip`, "eurofxref-hist.csv");

const cellsOf = (csv: string) => linesOf(csv).map((line) => line.split(","));
const simulated = cellsOf(history);
const header = simulated[0] as string[];

function column(rows: string[][], code: string): Map<string, string> {
  const at = rows[0]?.indexOf(code) ?? -1;
  return new Map(rows.slice(1).map((row) => [row[0] as string, row[at] as string]));
}

const decimalsOf = (printed: string) => printed.split(".")[1]?.length ?? 0;

testOn("ecb/eurofxref-daily.2025-10-22.xml")(
  "the daily XML has the grammar of the real one: same lines, same decimals for each currency",
  async () => {
    // The lev has left the list since that day.
    const expected = realText("ecb/eurofxref-daily.2025-10-22.xml").replace(
      /\t\t\t<Cube currency='BGN'.*\n/,
      "",
    );
    expect(grammarOf(await text(`${FILES}/eurofxref-daily.xml`))).toBe(grammarOf(expected));
  },
);

testOn("ecb/eurofxref-hist.csv")(
  "the history has the real header, the real dates, and figures on the same days with the same decimals",
  () => {
    const real = realText("ecb/eurofxref-hist.csv");
    const cells = cellsOf(real);
    expect(linesOf(history)[0]).toBe(linesOf(real)[0] as string);
    for (const code of header.slice(1, 42)) {
      const [ours, theirs] = [column(simulated, code), column(cells, code)];
      const published = (figures: Map<string, string>) => [...figures].filter(([, cell]) => cell !== "N/A");
      // Retired currencies keep their column and nothing else.
      if (published(ours).length === 0) continue;
      expect(published(ours).map(([date]) => date)).toEqual(published(theirs).map(([date]) => date));
      const since2023 = (figures: Map<string, string>) =>
        Math.max(...published(figures).map(([date, cell]) => (date < "2023" ? 0 : decimalsOf(cell))));
      expect([code, since2023(ours)]).toEqual([code, since2023(theirs)]);
    }
    expect(
      header.slice(1, 42).filter((code) => column(simulated, code).get("2026-04-13") !== "N/A"),
    ).toHaveLength(29);
  },
);

const VERSIONS = "ecb/sdmx-include-history.csv";
testOn(VERSIONS)(
  "the versions of the statistical interface have the header of the real document",
  async () => {
    const [real] = linesOf(realText(VERSIONS));
    const query = "format=csvdata&detail=dataonly&includeHistory=true&startPeriod=2024-12-01";
    expect(linesOf(await text(`${SDMX}?${query}`))[0]).toBe(real as string);
  },
);
