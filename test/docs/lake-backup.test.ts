/** The copy of a running server's lake, made as docs/operations.md describes, is a complete lake whatever is committed meanwhile. */

import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { verifyLake, verifyLakeHistory } from "#assembly/inspection.ts";
import { type ChainState, headOf } from "#domain/chain/state.ts";
import { openQuoteArchive } from "#store/archive/archive.ts";
import { openChain } from "#store/chain/chain.ts";
import { openLake } from "#store/lake/lake.ts";
import { MINUTE, quote } from "#test/store/archive/sample.ts";
import { change, firstChange, held, observation, RETRIEVED } from "#test/store/lake/sample.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { codeBlocks, readDocument } from "./document.ts";

const block = codeBlocks(await readDocument("docs/operations.md")).find(({ content }) =>
  content.includes("_delta_log"),
);
const lines = (block?.content ?? "").trimEnd().split("\n");

/** One line of the document's commands, for other directories; the copying ones work in the data directory. */
function run(line: string, dataDir: string, backup: string): void {
  const { exitCode, stderr } = Bun.spawnSync(["bash", "-c", line.replaceAll("/backup", backup)], {
    cwd: dataDir,
  });
  expect({ line, exitCode, stderr: stderr.toString() }).toEqual({ line, exitCode: 0, stderr: "" });
}

test("with commits to every table before, between and after its steps, nothing in it is damaged and nothing accepted before is missing", async () => {
  const dataDir = temporaryDirectory();
  const backup = join(temporaryDirectory(), "backup");
  expect(lines[0]).toBe("mkdir -p /backup && cd data/live");
  mkdirSync(backup);
  const directory = join(dataDir, "lake");
  const chain = openChain({ directory, keys: { dataDir, fromSetting: [] }, mode: "simulated" });
  const lake = await openLake({ directory, simulated: true, chain });
  const archive = await openQuoteArchive({ directory, simulated: true, access: "write", chain });
  let round = 0;
  /** Corrects a figure, holds another one, flushes a quote and leaves one in the journal. */
  const work = async () => {
    round += 1;
    const retrievedAt = RETRIEVED + round * MINUTE;
    const printed = `1.05${String(round).padStart(2, "0")}`;
    await lake.commit(() =>
      change({
        accepted: [observation("2024-12-30", "USD", printed, { retrievedAt, revision: round + 1 })],
        held: [held("2025-01-03", "NOK", `117.0${round}`)],
      }),
    );
    await archive.append([quote("USD/EUR", "0.85", retrievedAt)]);
    await archive.flush();
    await archive.append([quote("USD/JPY", "159.1", retrievedAt)]);
  };
  await lake.commit(firstChange);
  await work();
  const kept = headOf(chain.state() as ChainState);
  for (const line of lines.slice(1, -1)) {
    await work();
    run(line, dataDir, backup);
  }
  expect(lines.at(-1)).toBe("cd ../.. && DATA_DIR=/backup bun src/main.ts verify");
  await work();
  await lake.close();
  await archive.close();

  const reports = await verifyLake({ dataDir: backup, storage: null }, () => {});
  expect(reports.map(({ table, faults }) => [table, faults])).toEqual(
    ["daily", "revisions", "held", "statements", "intraday"].map((table) => [table, []]),
  );
  const history = await verifyLakeHistory({ dataDir: backup, lakeSigningKeys: [], storage: null }, kept);
  expect(history?.faults).toEqual([]);
  expect(history?.tables).toHaveLength(5);
  // It is used like any lake, and what was in the journal alone is brought into the table.
  const copy = await openLake({ directory: join(backup, "lake"), simulated: true });
  const { superseded, held: heldFigures, damaged } = await copy.read();
  expect(damaged).toEqual([]);
  expect(heldFigures).toHaveLength(1);
  expect(superseded.length).toBeGreaterThanOrEqual(2);
  await copy.commit(() => change({ accepted: [observation("2025-01-06", "USD", "1.0400")] }));
  await copy.close();
  const quotes = await openQuoteArchive({
    directory: join(backup, "lake"),
    simulated: true,
    access: "write",
  });
  const found = await quotes.quotes(RETRIEVED, RETRIEVED + 60 * MINUTE);
  const ofFirst = found.filter(({ observedAt }) => observedAt <= RETRIEVED + 2 * MINUTE);
  expect(ofFirst.map(({ quote: of }) => of).sort()).toEqual(["EUR", "EUR", "JPY", "JPY"]);
  expect(new Set(found.map((one) => JSON.stringify(one))).size).toBe(found.length);
  await quotes.close();
});
