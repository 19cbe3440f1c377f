/** Which corrections are believed where dates of publication or a validity decide; the others are in test/ingest/official/wrong-documents.test.ts. */

import { expect, test } from "bun:test";
import { type Correction, faultOf, fingerprintOf } from "#domain/official/doubts.ts";
import type { OfficialReading, PublicationVersion } from "#domain/official/publication.ts";
import { day } from "#test/sources/documents.ts";

const reading = (
  publication: string,
  dollar: string,
  more: Partial<OfficialReading> = {},
): OfficialReading => ({
  publication,
  validFrom: day(publication),
  validTo: null,
  publishedAt: null,
  rows: [{ base: "USD", quote: "CZK", rate: dollar, unit: 1, kind: "mid" }],
  ...more,
});

const stored = (version: number, of: OfficialReading): PublicationVersion => ({
  ...of,
  table: "tst",
  version,
  retrievedAt: 0,
  sourceUrl: "https://authority.example/",
  documentSha256: "ab".repeat(32),
  fingerprint: fingerprintOf(of),
});

const correction = (dollar: string, more: Partial<Correction> = {}): Correction => ({
  reading: reading("2026-03-02", dollar),
  newest: stored(2, reading("2026-03-02", "20.2")),
  earlier: [stored(1, reading("2026-03-02", "20.1"))],
  neighbours: [stored(1, reading("2026-02-27", "20.0"))],
  elsewhere: null,
  ...more,
});
const dated = (dollar: string, publishedAt: number) => reading("2026-03-02", dollar, { publishedAt });

test.each<[string, Correction, string | undefined]>([
  [
    "what the first version had, of a later date",
    correction("20.1", { reading: dated("20.1", 9), newest: stored(2, dated("20.2", 8)) }),
    undefined,
  ],
  [
    "what the first version had, of an earlier date",
    correction("20.1", { reading: dated("20.1", 7), newest: stored(2, dated("20.2", 8)) }),
    "old_copy",
  ],
  [
    "another validity, and rates that are those of the day before as they always were",
    correction("20.2", {
      reading: reading("2026-03-02", "20.2", { validTo: day("2026-03-03") }),
      neighbours: [stored(1, reading("2026-02-27", "20.2"))],
    }),
    undefined,
  ],
])("%s", (_, one, rule) => {
  expect(faultOf(one)?.rule).toBe(rule as never);
});
