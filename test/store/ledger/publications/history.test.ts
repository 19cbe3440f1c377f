/** What a copy of the official publications reads: all versions by name, page by page, whole or named as damaged; on both databases. */

import { expect, test } from "bun:test";
import type { VersionName } from "#ports/official.ts";
import { NOON, onBothLedgers } from "#test/store/ledger/ledgers.ts";
import { day, news, version } from "./publishing.ts";

onBothLedgers("the history of publications", (bench) => {
  const publish = (...versions: readonly ReturnType<typeof news>[]) =>
    bench.ledger().outbox.publish(versions, NOON);

  test("every version raises the count of its table, with and without an event", async () => {
    const { history } = bench.ledger();
    expect(await history.counts()).toEqual(new Map());
    await publish(news("a"), news("b"), news("a", 2));
    await bench.ledger().outbox.publish([{ version: version("c"), event: null }], NOON);
    await publish(news("a", 1, { table: "mex_dof" }));
    expect(await history.counts()).toEqual(
      new Map([
        ["mex_fix", 4],
        ["mex_dof", 1],
      ]),
    );
  });

  test("pages of keys have every version of a table once", async () => {
    await publish(news("a"), news("b"), news("a", 2, { validFrom: day("2026-11-21") }), news("c"));
    await publish(news("a", 1, { table: "mex_dof" }));
    const { history } = bench.ledger();
    const found: string[] = [];
    let after: VersionName | null = null;
    do {
      const page: readonly VersionName[] = await history.keys("mex_fix", after, 3);
      found.push(...page.map(({ publication, version: nth }) => `${publication}${nth}`));
      after = page.at(-1) ?? null;
    } while (after !== null);
    expect(found).toEqual(["a1", "a2", "b1", "c1"]);
    const [first, second] = await history.keys("mex_fix", null, 2);
    expect(first).toEqual({ publication: "a", version: 1, validFrom: "2026-11-20" });
    expect(second).toEqual({ publication: "a", version: 2, validFrom: "2026-11-21" });
  });

  test("versions come whole by name; a missing one is left out, a damaged one is named and emits no event", async () => {
    await publish(news("a"), news("b"), news("a", 2), news("c"));
    await bench.sql(
      "UPDATE official_versions SET rows_json = replace(rows_json, '18', '81') WHERE publication = 'b'",
    );
    const { history } = bench.ledger();
    const names = [
      { publication: "a", version: 2 },
      { publication: "b", version: 1 },
      { publication: "c", version: 1 },
      { publication: "c", version: 2 },
      { publication: "d", version: 1 },
    ];
    const { versions, damaged } = await history.read("mex_fix", names);
    expect([...versions].sort((x, y) => (x.publication < y.publication ? -1 : 1))).toEqual([
      version("a", 2),
      version("c", 1),
    ]);
    expect(damaged).toEqual([{ publication: "b", version: 1, detail: expect.any(String) }]);
    expect(await history.read("mex_fix", [])).toEqual({ versions: [], damaged: [] });
    expect(bench.emitted()).toEqual([]);
  });
});
