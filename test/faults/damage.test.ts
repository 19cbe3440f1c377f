/**
 * One random damage after the other to a data directory, before the server starts or while it runs: whatever it then
 * answers is what it answered before, or a documented refusal; it never answers anything else. The operator is notified which file
 * it is, and nothing is overwritten.
 *
 * The check does a few. A thousand, with a table of what came of them:
 *
 *     DAMAGES=1000 bun test test/faults/damage.test.ts
 *
 * DAMAGE_SEED repeats a run; every fault prints its own DAMAGE_SEED, which with DAMAGES=1 repeats that damage alone.
 */

import { expect, test } from "bun:test";
import { appendFileSync, rmSync } from "node:fs";
import { copyOf } from "#test/store/lake/sample.ts";
import { type Answered, judge } from "./damage-judge.ts";
import type { Damage } from "./damage-kinds.ts";
import { dataDirectory } from "./damage-lake.ts";
import { furtherRequests, plainRequests } from "./damage-requests.ts";
import { serve } from "./damage-serve.ts";

const DAMAGES = Number(process.env["DAMAGES"] ?? 2);
const SEED = Number(process.env["DAMAGE_SEED"] ?? Date.now() % 1_000_000);
/** A line of JSON for each damage, where a file is named. */
const REPORT = process.env["DAMAGE_REPORT"];

test(
  `${DAMAGES} damages (DAMAGE_SEED=${SEED})`,
  async () => {
    console.log(`damage: seed ${SEED}, ${DAMAGES} damages`);
    const original = await dataDirectory();
    const plain = plainRequests();
    const first = await serve(copyOf(original), plain, null);
    expect(first.refusal).toBe(null);
    const bodies = new Map(plain.map(({ path }, nth) => [path, first.answers[nth]?.body ?? ""]));
    const requests = [...plain, ...furtherRequests(bodies)];
    const intact = await serve(copyOf(original), requests, null);
    const digests = ({ answers }: Answered) => answers.slice(0, plain.length).map(({ digest }) => digest);
    // Otherwise a difference proves nothing.
    expect(digests(intact)).toEqual(digests(first));
    expect(intact.answers.filter(({ status }) => status === 200).length).toBeGreaterThan(200);

    const outcomes: Record<string, number> = {};
    const faults: string[] = [];
    for (let seed = SEED; seed < SEED + DAMAGES; seed++) {
      const directory = copyOf(original);
      const whileRunning = seed % 4 === 0;
      const found = await serve(directory, requests, { seed, whileRunning });
      const damage = found.damage as Damage;
      const { outcome, faults: wrong } = judge(damage, requests, intact, found);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      const all = [...wrong, ...found.changed];
      const text = `${damage.text}${whileRunning ? " (while it runs)" : ""}`;
      if (REPORT !== undefined)
        appendFileSync(REPORT, `${JSON.stringify({ seed, text, outcome, faults: all })}\n`);
      const more = all.length > 3 ? ` (and ${all.length - 3} more)` : "";
      if (all.length > 0) faults.push(`DAMAGE_SEED=${seed}: ${text}: ${all.slice(0, 3).join("; ")}${more}`);
      rmSync(directory, { recursive: true, force: true });
    }
    console.log(`damage: ${requests.length} answers each; ${JSON.stringify(outcomes)}`);
    expect(faults).toEqual([]);
  },
  60_000 + DAMAGES * 10_000,
);
