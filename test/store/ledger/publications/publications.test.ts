/** Official publications: every version kept as it was, the newest found by name and by validity; the promises of the port, on both databases. */

import { expect, test } from "bun:test";
import { LedgerUnavailable, PublicationDamaged } from "#domain/account/ledger.ts";
import { fingerprintOf } from "#domain/official/doubts.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { PublicationQuery, Publications } from "#ports/official.ts";
import { NOON, onBothLedgers, onSqlite } from "#test/store/ledger/ledgers.ts";
import { day, news, version } from "./publishing.ts";

onBothLedgers("publications", (bench) => {
  const publish = (...versions: readonly ReturnType<typeof news>[]) =>
    bench.ledger().outbox.publish(versions, NOON);

  test("a version comes back character for character, and is unchanged beside its correction", async () => {
    const first = version("2026-11-20", 1, {
      validTo: day("2026-11-22"),
      publishedAt: NOON - 5,
      rows: [
        { base: "XDR", quote: "MXN", rate: "0.00010", unit: 1000, kind: "average" },
        { base: "USD", quote: "MXN", rate: "18.3340", unit: 1, kind: "sell" },
      ],
    });
    const second = version("2026-11-20", 2);
    await bench.ledger().outbox.publish([{ version: first, event: null }], NOON);
    await bench.ledger().outbox.publish([{ version: second, event: null }], NOON);
    const { publications } = bench.ledger();
    expect(await publications.find("mex_fix", "2026-11-20", 1)).toEqual(first);
    expect(await publications.find("mex_fix", "2026-11-20", 2)).toEqual(second);
    expect(await publications.find("mex_fix", "2026-11-20", null)).toEqual(second);
    expect(await publications.find("mex_fix", "2026-11-20", 3)).toBeNull();
    expect(await publications.find("mex_dof", "2026-11-20", null)).toBeNull();
    expect(await publications.versions("mex_fix", "2026-11-20")).toEqual([
      { version: 1, retrievedAt: NOON + 1 },
      { version: 2, retrievedAt: NOON + 2 },
    ]);
    expect(await publications.versions("mex_fix", "2026-11-21")).toEqual([]);
  });

  test("the one valid on a day is the latest that began by then, in its newest version, also when a correction moved it", async () => {
    await publish(
      news("b", 1, { validFrom: day("2026-11-10") }),
      news("a", 1, { validFrom: day("2026-11-10") }),
      news("c", 1, { validFrom: day("2026-11-12") }),
      news("other", 1, { table: "mex_dof", validFrom: day("2026-11-11") }),
    );
    const validOn = async (text: string) => {
      const found = await bench.ledger().publications.validOn("mex_fix", day(text));
      return found === null ? null : `${found.publication}${found.version}`;
    };
    expect(
      await Promise.all(["2026-11-09", "2026-11-10", "2026-11-11", "2026-11-12", "2027-01-01"].map(validOn)),
    ).toEqual([null, "b1", "b1", "c1", "c1"]);
    await publish(news("c", 2, { validFrom: day("2026-11-13") }));
    expect(await Promise.all(["2026-11-12", "2026-11-13"].map(validOn))).toEqual(["b1", "c2"]);
  });

  test("lists go from the newest validity back, page by page, each publication once", async () => {
    const days = ["2026-11-01", "2026-11-02", "2026-11-02", "2026-11-03", "2026-11-05"];
    await publish(...days.map((text, nth) => news(`p${nth}`, 1, { validFrom: day(text) })));
    await publish(news("p1", 2, { validFrom: day("2026-11-02") }));
    await publish(news("foreign", 1, { table: "mex_dof" }));
    const list = async (query: Partial<PublicationQuery>) =>
      await bench
        .ledger()
        .publications.list({ table: "mex_fix", from: null, to: null, after: null, limit: 2, ...query });
    const names: string[] = [];
    let after: PublicationQuery["after"] = null;
    for (;;) {
      const page = await list({ after });
      names.push(...page.map(({ publication, version: nth }) => `${publication}${nth}`));
      after = page.at(-1) ?? null;
      if (after === null) break;
    }
    expect(names).toEqual(["p41", "p31", "p21", "p12", "p01"]);
    const within = await list({ from: day("2026-11-02"), to: day("2026-11-03"), limit: 9 });
    expect(within.map(({ publication }) => publication)).toEqual(["p3", "p2", "p1"]);
  });

  test("more rows than any publication has are refused, and so is none; nothing of the call is stored", async () => {
    const row = { base: "USD", quote: "MXN", rate: "1", unit: 1, kind: "mid" } as const;
    for (const rows of [[], new Array(2001).fill(row), [{ ...row, rate: "1".repeat(300_000) }]]) {
      const refused = publish(news("good"), news("bad", 1, { rows }));
      await expect(refused).rejects.toThrow(RangeError);
    }
    expect(await bench.ledger().publications.find("mex_fix", "good", null)).toBeNull();
    expect(bench.emitted()).toEqual([]);
  });
});

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
    const { versions } = await history.page("mex_fix", version("a"), 2);
    expect(versions).toEqual(first.versions.slice(1));
    const last = await history.page("mex_fix", first.next, 3);
    expect(last).toEqual({ versions: [version("c")], next: null });
    await bench.sql(
      "UPDATE official_versions SET rows_json = replace(rows_json, '18', '81') WHERE publication = 'b'",
    );
    await expect(history.page("mex_fix", null, 3)).rejects.toThrow("version 1 of publication b of mex_fix");
    expect(await history.page("mex_fix", first.next, 3)).toEqual(last);
  });
});

// An official version that differs from what was stored is never returned: refused by name, reported once.
const ALL = { table: "mex_fix", from: null, to: null, after: null, limit: 9 };

const reads: Readonly<Record<string, (publications: Publications) => Promise<unknown>>> = {
  "by name": ({ find }) => find("mex_fix", "x", null),
  "by version": ({ find }) => find("mex_fix", "x", 2),
  "in a list": ({ list }) => list(ALL),
  "by day": ({ validOn }) => validOn("mex_fix", day("2026-11-20")),
};

async function publish({ outbox }: Ledger): Promise<void> {
  for (const nth of [1, 2]) {
    const content = { rows: version("x").rows.slice(0, nth), validFrom: day("2026-11-20"), validTo: null };
    const made = version("x", nth, { ...content, fingerprint: fingerprintOf(content) });
    await outbox.publish([{ version: made, event: null }], NOON);
  }
  await outbox.publish([{ version: version("y", 1, { validFrom: day("2026-11-10") }), event: null }], NOON);
}

// That Postgres gives a row back as it was stored: publications.test.ts.
onSqlite("damaged publications", (bench) => {
  test.each([
    ["a digit of a rate", "rows_json = replace(rows_json, '18.3340', '18.3341')"],
    ["a zero at the end of a rate", "rows_json = replace(rows_json, '18.3340', '18.334')"],
    ["a currency code", "rows_json = replace(rows_json, 'USD', 'USE')"],
    ["rates that are no JSON", "rows_json = substr(rows_json, 1, 20)"],
    ["another first day", "valid_from = '2026-11-19'"],
    ["a last day", "valid_to = '2026-11-30'"],
    ["another instant", "retrieved_at = retrieved_at + 1"],
    ["an instant of publication", "published_at = 1"],
    ["another address", "source_url = 'https://elsewhere.example'"],
    ["another document", "document_sha256 = '00'"],
    ["another fingerprint", "fingerprint = 'x'"],
    ["another digest", "digest = 'ab'"],
  ])("%s: refused however it is read, reported once, and others are served", async (_, assignment) => {
    const { publications } = bench.ledger();
    await publish(bench.ledger());
    await bench.sql(`UPDATE official_versions SET ${assignment} WHERE publication = 'x' AND version = 2`);
    for (const read of Object.values(reads)) {
      const fault = await read(publications).catch((error: unknown) => error);
      expect(fault).toBeInstanceOf(PublicationDamaged);
      expect(fault).toBeInstanceOf(LedgerUnavailable);
      expect((fault as Error).message).toContain("version 2 of publication x of mex_fix is damaged");
    }
    expect(bench.emitted()).toHaveLength(1);
    expect(JSON.parse(bench.emitted()[0] ?? "")).toMatchObject({
      kind: "publication_damaged",
      table: "mex_fix",
      publication: "x",
      version: 2,
    });
    expect((await publications.find("mex_fix", "y", null))?.version).toBe(1);
    expect((await publications.find("mex_fix", "x", 1))?.version).toBe(1);
    await bench.ledger().probe();
  });
});

onBothLedgers("publications", (bench) => {
  test.each([
    ["an earlier version", "newest_version = 1"],
    ["one that is not there", "newest_version = 7"],
    ["another content", "fingerprint = 'z'"],
    ["another validity", "valid_from = '2026-11-18'"],
  ])("one that names %s as its newest is refused", async (_, assignment) => {
    const { publications } = bench.ledger();
    await publish(bench.ledger());
    await bench.sql(`UPDATE official_publications SET ${assignment} WHERE publication = 'x'`);
    await expect(publications.find("mex_fix", "x", null)).rejects.toThrow(PublicationDamaged);
    await expect(publications.list(ALL)).rejects.toThrow(PublicationDamaged);
    await expect(publications.validOn("mex_fix", day("2026-11-20"))).rejects.toThrow(PublicationDamaged);
    expect((await publications.find("mex_fix", "x", 2))?.version).toBe(2);
  });
});
