/** Plans of generated rows for tests of the store: an export without a history. */

import { readdirSync, readlinkSync } from "node:fs";
import { currencyIndex } from "#domain/currency/currency.ts";
import {
  AS_PUBLISHED,
  type ChangedRows,
  DERIVED,
  type ExportFormat,
  type ExportRequest,
  emptyRateColumns,
  FILLED,
  type RateColumns,
  type RatesPlan,
} from "#domain/history/rate-columns.ts";
import { type ExportsOptions, openExports } from "#store/export/exports.ts";
import { atEnd } from "#test/support/at-end.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { isTemporary, temporaryDirectory } from "#test/support/temporary.ts";

const FIRST_DAY = 10_595;

/** Consecutive days of one symbol: digits of all lengths, all flags, both sources. */
export function madeUpBlock(symbol: number, days: number): RateColumns {
  const random = seededRandom(symbol);
  const block = emptyRateColumns(days);
  for (let row = 0; row < days; row++) {
    const scale = 3 + Math.floor(random() * 8);
    block.symbol[row] = symbol;
    block.date[row] = FIRST_DAY + row;
    block.scale[row] = scale;
    block.rate[row] = Math.floor(1 + random() * 1e10) / 10 ** scale;
    block.source[row] = random() < 0.2 ? 1 : 0;
    block.flags[row] = Math.floor(random() * 8) & (DERIVED | FILLED | AS_PUBLISHED);
    block.bound[row] = random() < 0.5 ? Number.NaN : Math.ceil(random() * 300) / 100;
  }
  block.count = days;
  return block;
}

let serial = 0;

/** Some symbols over some days, as rows of changes. */
export function madeUpPlan(
  { blocks, rows, ...changes }: Partial<RatesPlan & ChangedRows> = {},
  { symbols = 3, days = 500 } = {},
) {
  let fills = 0;
  serial += 1;
  function* made() {
    fills += 1;
    for (let symbol = 0; symbol < symbols; symbol++) yield madeUpBlock(symbol, days);
  }
  const content: ChangedRows = { rows: rows ?? `made up ${serial}`, blocks: blocks ?? made };
  const plan: RatesPlan = {
    ...{ kind: "rates", base: currencyIndex("EUR"), layout: "long", order: "asc", dp: null },
    symbols: Array.from({ length: symbols }, (_, symbol) => symbol),
    content,
    ...changes,
  };
  return { plan, fills: () => fills };
}

/** A request for a plan whose identity is that of its rows and form. */
export function requestFor(
  { plan }: { readonly plan: RatesPlan },
  format: ExportFormat = "csv",
  caller = "a test",
): ExportRequest {
  const rows = "rows" in plan.content ? plan.content.rows : "";
  return { identity: `${rows} ${plan.layout} ${format}`, plan, format, simulated: [], caller };
}

export const SMALL_EXPORTS = {
  sources: [],
  archiveSelect: async () => {
    throw new Error("this test has no archive");
  },
  ...{ atOnce: 2, waiting: 8, threads: 1, memoryMegabytes: 256, keptBytes: 100_000_000 },
};

export function openTemporaryExports(changes: Partial<ExportsOptions> = {}) {
  const directory = changes.directory ?? temporaryDirectory();
  const emitted: string[] = [];
  const exports = openExports({
    ...SMALL_EXPORTS,
    directory,
    isOwnProcess: true,
    emit: (event) =>
      void emitted.push(event.kind === "export_failed" ? `${event.kind}: ${event.error}` : event.kind),
    ...changes,
  });
  atEnd(exports.close);
  return {
    exports,
    emitted,
    /** Files that lie in the folder of this process, but for those of other tests. */
    files: () => Array.from(new Bun.Glob("*/*").scanSync({ cwd: directory })).sort(),
  };
}

/** Whether this process has a file open whose path ends so, in one of the directories of this file's tests. */
export function isOpenHere(end: string): boolean {
  return readdirSync("/proc/self/fd").some((descriptor) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`).replace(/ \(deleted\)$/, "");
      return path.endsWith(end) && isTemporary(path);
    } catch {
      return false;
    }
  });
}
