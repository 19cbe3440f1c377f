/** Real documents of authorities, served over HTTP and collected: nothing of them is held back. */

import { expect, test } from "bun:test";
import type { OfficialAdapter } from "#ports/official.ts";
import { officialAdapters } from "#sources/catalogue.ts";
import { zipOf } from "#test/sources/zip-writer.ts";
import { listen } from "#test/support/listen.ts";
import { sharedDocument } from "#test/support/shared-data.ts";
import { openBench } from "./authority.ts";

const ADAPTERS = officialAdapters({ banxicoToken: "0123456789abcdef" });
const adapterOf = (id: string) => ADAPTERS.find((adapter) => adapter.id === id) as OfficialAdapter;

/** Collects the history of a table from a server, and what was reported loudly. */
async function collected(id: string, base: string) {
  const bench = await openBench({}, adapterOf(id), base);
  bench.now = Date.parse("2026-04-13T16:00:00Z");
  const state = await bench.process().collect(id, "history");
  const query = { table: id, from: null, to: null, after: null, limit: 20_000 };
  const stored = await bench.ledger.publications.list(query);
  const loud = bench.emitted.filter(({ kind }) => /held|doubted|route_failed/.test(kind));
  return { state, stored, loud };
}

const CSV = sharedDocument("ecb/eurofxref-hist.csv");
test.skipIf(CSV === null)(
  "the ECB's history in the Union's two tables: every date and month, nothing held back, one zip for all years",
  async () => {
    const [head = "", ...lines] = (await Bun.file(CSV as string).text()).split("\n");
    const recent = lines.filter((line) => line === "" || line >= "2025");
    const zip = zipOf([{ name: "eurofxref-hist.csv", content: [head, ...recent].join("\n") }]);
    let requests = 0;
    const { url: base } = listen(() => {
      requests++;
      return new Response(zip as Uint8Array<ArrayBuffer>);
    });
    const reference = await collected("eue_reference", base);
    expect(reference.state).toMatchObject({ outcome: "publications", detail: null, held: [] });
    expect([reference.stored.length, requests]).toEqual([325, 4]);
    const customs = await collected("eue_customs", base);
    expect(customs.state).toMatchObject({ outcome: "publications", detail: null, held: [] });
    expect([customs.stored.length, requests]).toEqual([15, 5]);
    expect([...reference.loud, ...customs.loud]).toEqual([]);
  },
);
