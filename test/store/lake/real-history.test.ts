/** The complete real ECB history through the lake: every figure comes back with the digits it was published with. */

import { expect, test } from "bun:test";
import { sha256 } from "#domain/chain/entry.ts";
import { currencyCode } from "#domain/currency/currency.ts";
import type { Observation } from "#domain/history/observation.ts";
import { formatDecimal } from "#domain/number/decimal.ts";
import { COVERAGE_START, formatDay } from "#domain/time/day.ts";
import { parseEcbHistoryZip } from "#sources/ecb/documents.ts";
import { openLake } from "#store/lake/lake.ts";
import { sharedDocument } from "#test/support/shared-data.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { change, day, query, RETRIEVED } from "./sample.ts";

const path = sharedDocument("ecb/eurofxref-hist.zip");

test.skipIf(path === null)(
  "27 years of real figures are kept to the digit",
  async () => {
    const bytes = await Bun.file(path as string).bytes();
    const document = {
      url: "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip",
      bytes,
      sha256: sha256(bytes),
      retrievedAt: RETRIEVED,
    };
    const reading = parseEcbHistoryZip(document, {
      reach: "history",
      from: COVERAGE_START,
      to: day("2026-04-13"),
    });
    if (reading.outcome !== "figures") throw new Error("the real history has figures");
    const accepted = reading.figures.map(
      (figure): Observation => ({
        ...figure,
        source: "ecb_daily",
        revision: 1,
        document: document.url,
        documentSha256: document.sha256,
        retrievedAt: RETRIEVED,
      }),
    );
    const directory = temporaryDirectory();
    const lake = await openLake({ directory, simulated: false });
    const began = Bun.nanoseconds();
    await lake.commit(() => change({ accepted }));
    const committed = Bun.nanoseconds();
    const { observations } = await lake.read();
    const read = Bun.nanoseconds();
    console.log(
      `${accepted.length} figures: committed in ${Math.round((committed - began) / 1e6)} ms, read in ${Math.round((read - committed) / 1e6)} ms`,
    );

    expect(observations.count).toBe(accepted.length);
    const published = new Map<string, string>(
      accepted.map(({ date, quote, printed }) => [`${formatDay(date)} ${quote}`, printed] as const),
    );
    let differing = 0;
    for (let row = 0; row < observations.count; row++) {
      const key = `${formatDay(observations.date[row] as number)} ${currencyCode(observations.quote[row] as number)}`;
      const digits = formatDecimal(
        BigInt(observations.units[row] as number),
        observations.scale[row] as number,
      );
      if (published.get(key) !== digits) differing += 1;
    }
    expect(differing).toBe(0);

    const [sums] = await query(
      `SELECT count(*) AS rows, count(DISTINCT (source, date, base, quote)) AS figures,
         count(*) FILTER (value <> printed::DOUBLE OR value <> units / pow(10, scale)) AS inexact
       FROM read_parquet('${directory}/current/daily/*/*/rates.parquet')`,
    );
    expect(sums).toEqual({ rows: String(accepted.length), figures: String(accepted.length), inexact: "0" });
    await lake.close();
  },
  30_000,
);
