/** What a copy of the official publications reads: all versions, page by page, whole; on both databases. */

import { expect, test } from "bun:test";
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

  test("pages have every version of a table once, whole; one with a damaged version is refused by its name", async () => {
    await publish(news("a"), news("b"), news("a", 2, { validFrom: day("2026-11-21") }), news("c"));
    await publish(news("a", 1, { table: "mex_dof" }));
    const { history } = bench.ledger();
    const first = await history.page("mex_fix", null, 3);
    expect(first).toMatchObject({
      versions: [version("a"), version("a", 2, { validFrom: day("2026-11-21") }), version("b")],
      next: { publication: "b", version: 1 },
    });
    const last = await history.page("mex_fix", first.next, 3);
    expect(last).toEqual({ versions: [version("c")], next: null });
    await bench.sql(
      "UPDATE official_versions SET rows_json = replace(rows_json, '18', '81') WHERE publication = 'b'",
    );
    await expect(history.page("mex_fix", null, 3)).rejects.toThrow("version 1 of publication b of mex_fix");
    expect(await history.page("mex_fix", first.next, 3)).toEqual(last);
  });
});
