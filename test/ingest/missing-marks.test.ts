/** A mark for no figure takes back what the same route had: FRED's point, an empty cell, and a row that is gone. */

import { expect, test } from "bun:test";
import { accept } from "#domain/acceptance/acceptance.ts";
import type { Acceptance } from "#domain/acceptance/judgement.ts";
import { COVERAGE_START } from "#domain/time/day.ts";
import { parseFredCsv } from "#sources/fred/documents.ts";
import { document } from "#test/domain/acceptance/judged.ts";
import { NOTHING } from "#test/domain/acceptance/known-in-memory.ts";
import { day, knownOf } from "#test/domain/history/columns.ts";

const TODAY = day("2015-04-14");
const DATES = ["2015-04-07", "2015-04-08", "2015-04-09"];

function judged(cells: readonly (string | null)[], before: Acceptance | null): Acceptance {
  const rows = DATES.flatMap((date, at) => (cells[at] === null ? [] : [`${date},${cells[at]}\n`]));
  const bytes = new TextEncoder().encode(`observation_date,DEXTAUS\n${rows.join("")}`);
  const upstream = { url: "https://x/?id=DEXTAUS", bytes, sha256: "", retrievedAt: 0 };
  const parsed = parseFredCsv(upstream, { reach: "history", from: COVERAGE_START, to: TODAY });
  if (parsed.outcome !== "figures") throw new Error(parsed.outcome);
  const reading = document("CSV", "2015-04-14T12:00:00Z", parsed.figures);
  const provenance = { ...reading.provenance, source: "fred_daily" as const };
  const statements = before?.statements ?? [];
  const known = before === null ? NOTHING : { ...NOTHING, ...knownOf(before.accepted), statements };
  return accept(known, "fred_daily", [{ ...reading, provenance }], TODAY);
}

test.each([["."], [""], ["ND"], [null]])("%p in the middle withdraws, at the end it does not", (mark) => {
  const first = judged(["32.10", "32.11", "32.12"], null);
  expect(first.accepted).toHaveLength(3);
  expect(judged(["32.10", mark, "32.12"], first).withdrawn).toMatchObject([
    { date: day("2015-04-08"), quote: "TWD", revision: 1 },
  ]);
  expect(judged(["32.10", "32.11", mark], first).withdrawn).toEqual([]);
});
