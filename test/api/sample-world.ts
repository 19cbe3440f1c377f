/** The small world of the document's examples: three days of euro reference rates, seen on 2026-04-13 at 16:30 UTC. */

import { join } from "node:path";
import { exampleOf } from "#api/forms.ts";
import { IntradayManifest, LakeManifest, OfficialManifest } from "#api/lake/manifests.ts";
import type { HttpDeps } from "#api/server.ts";
import { collectedTables, openMcp } from "#assembly/mcp.ts";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import { EMPTY_BOOK, merge } from "#domain/live/book.ts";
import { type Day, dayOf } from "#domain/time/day.ts";
import { datasetOf, ecb } from "#test/domain/history/columns.ts";
import { quoteOfPair } from "#test/domain/live/quote.ts";
import { NOTHING_LIVE, NOW, openTestApp, type TestApp, type TestLive } from "./harness.ts";
import { sampleHistory } from "./sample-chain.ts";
import { sampleOfficial } from "./sample-official.ts";

const FIXINGS: readonly (readonly [string, Partial<Record<CurrencyCode, string>>])[] = [
  ["2026-04-09", { USD: "1.1655", GBP: "0.8702", JPY: "183.92" }],
  ["2026-04-10", { USD: "1.1671", GBP: "0.8709", JPY: "184.11" }],
  ["2026-04-13", { USD: "1.1684", GBP: "0.8713", JPY: "184.25" }],
];

const MANIFESTS = { daily: LakeManifest, intraday: IntradayManifest, official: OfficialManifest };

const SAMPLE_FILES: HttpDeps["lakeFiles"] = {
  manifest: async (of = "daily") => ({
    text: JSON.stringify(exampleOf(MANIFESTS[of], "request")),
    sha256: "0a".repeat(32),
  }),
  open: async () => {
    const path = join(import.meta.dir, "sample.parquet");
    return { bytes: Bun.file(path).size, sha256: "0b".repeat(32), path };
  },
};

/** An archive in which every pair was quoted the same all along. */
const SAMPLE_ARCHIVE: HttpDeps["archive"] = {
  append: async () => {},
  flush: async () => 0,
  isStored: () => true,
  bars: async ({ from }) => [
    {
      start: from,
      since: from,
      open: 0.8558,
      high: 0.8562,
      low: 0.8557,
      close: 0.856,
      mean: 0.8559,
      ticks: 30,
    },
  ],
  quotes: async () => [],
  newest: async () => [],
  state: async () => ({ version: "0", quotes: 0, dates: null }),
  imports: () => [],
  close: async () => {},
};

const observedAt = Date.parse("2026-04-13T16:29:58Z");
const quoted = (pair: string, bid: string, ask: string, mid: string) =>
  quoteOfPair(pair, mid, observedAt, { bid, ask, retrievedAt: observedAt + 1000 });

/** Euro and yen are live, the pound is not. */
const SAMPLE_LIVE: TestLive = {
  ...NOTHING_LIVE,
  hotBook: {
    ...NOTHING_LIVE.hotBook,
    read: () => SAMPLE_BOOK,
  },
  policy: { currencies: new Set(["EUR", "JPY"]), staleAfterSeconds: () => 300 },
};
const SAMPLE_BOOK = merge(EMPTY_BOOK, [
  quoted("USD/EUR", "0.85581", "0.85589", "0.85585"),
  quoted("USD/JPY", "157.694", "157.702", "157.698"),
]);

/** The application over that world, without accounts. */
export function sampleApp(): TestApp {
  const world = datasetOf(
    FIXINGS.flatMap(([date, rates]) =>
      Object.entries(rates).map(([quote, printed]) => ecb(date, quote as CurrencyCode, printed)),
    ),
  );
  // As the ECB's figures of 14:15 Frankfurt are collected: in the hour after their publication at 16:00.
  const { observedAt, retrievedAt } = world.history.observations;
  for (const [row, observed] of observedAt.entries()) retrievedAt[row] = observed + 106 * 60_000;
  const official = sampleOfficial();
  return openTestApp({
    ...{ world, live: SAMPLE_LIVE, official },
    lakeFiles: SAMPLE_FILES,
    signedHistory: sampleHistory(world.history.version),
    archive: SAMPLE_ARCHIVE,
    mcp: openMcp({
      version: "0.0.0-test",
      officialTables: collectedTables(official),
      emit: () => {},
    }),
    officialStatus: async () => [
      {
        ...{ table: "mex_fix", outcome: "publications", detail: null, held: ["2026-04-13"] },
        ...{ lastAttemptAt: NOW, lastSuccessAt: NOW },
        newest: { publication: "2026-04-10", validFrom: dayOf(2026, 4, 10) as Day },
      },
    ],
  });
}
