/** An official version that differs from what was stored is never returned: refused by name, reported once. */

import { expect, test } from "bun:test";
import { LedgerUnavailable, PublicationDamaged } from "#domain/account/ledger.ts";
import { fingerprintOf } from "#domain/official/doubts.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { Publications } from "#ports/official.ts";
import { NOON, onBothLedgers, onSqlite } from "#test/store/ledger/ledgers.ts";
import { day, version } from "./publishing.ts";

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
