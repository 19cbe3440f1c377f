/** kill -9 of two collectors by turns, at any request of their commits, entries and quotes: nothing is lost or doubled, one entry for each commit. */

import { expect, test } from "bun:test";
import { join } from "node:path";
import type { SigningKey } from "#domain/chain/entry.ts";
import { newAudit } from "#domain/chain/state.ts";
import { openQuoteArchive } from "#store/archive/archive.ts";
import { openBucketClient } from "#store/bucket/client.ts";
import { newSigningKey } from "#test/api/sample-chain.ts";
import { day } from "#test/store/lake/sample.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { entriesIn, faultsIn, notesIn, PREFIX, QUOTED_FROM, signedMachine } from "./signed-machine.ts";
import { newBucket, openStorage, wayTo } from "./storage-server.ts";

const ROUNDS = Number(process.env["HISTORY_KILL_ROUNDS"] ?? 5);
const SEED = Number(process.env["KILL_SEED"] ?? Date.now() % 1_000_000);
/** Requests of a start and two or three commits. */
const MOST_REQUESTS = 60;
const MOST_ENTRIES = 4;
const CHILD = join(import.meta.dir, "history-kill-child.ts");

test(
  `${ROUNDS} collectors with a signed history in a bucket killed at random requests (KILL_SEED=${SEED})`,
  async () => {
    const random = seededRandom(SEED);
    const place = await newBucket();
    const way = await wayTo(place.endpoint);
    const key = newSigningKey();
    const machines = [temporaryDirectory(), temporaryDirectory()] as const;
    const replica = await signedMachine(place, { given: [key] }).then(async (first) => {
      await first.close();
      return await signedMachine(place, { reads: true });
    });
    const acknowledged: number[] = [];
    const quoted = new Set<number>();
    let waited = 0;
    let begun = 0;
    for (let round = 0; round < ROUNDS; round++) {
      // Half of them at a request of an entry: those are few among all.
      const atEntry = random() < 0.5;
      const step = 1 + Math.floor(random() * (atEntry ? MOST_ENTRIES : MOST_REQUESTS));
      const when = random() < 0.5 ? "before" : "after";
      const dataDir = machines[round % 2] as string;
      const target = JSON.stringify({ ...place, endpoint: way.endpoint });
      const child = Bun.spawn([process.execPath, CHILD, target, dataDir, textOf(key), String(begun)], {
        stdout: "pipe",
        stderr: "inherit",
      });
      const kill = () => child.kill(9);
      let left = step;
      let isKilled = false;
      way.decide(({ method, path }) => {
        // What a connection that outlives the process still brings is not of the commit.
        if (isKilled) return "gone";
        if (!atEntry || (method === "PUT" && path.includes("/chain/"))) left -= 1;
        if (left > 0) return "pass";
        isKilled = true;
        return when === "before" ? { before: kill } : { after: kill };
      });
      const output = await new Response(child.stdout).text();
      await child.exited;
      expect(child.signalCode).toBe("SIGKILL");
      const numbers = [...output.matchAll(/^figure (\d+)\n/gm)].map(([, number]) => Number(number));
      acknowledged.push(...numbers);
      for (const [, number] of output.matchAll(/^quote (\d+)\n/gm)) quoted.add(Number(number));
      begun = Math.max(begun + 1, ...numbers.map((number) => number + 2));
      way.decide(() => "pass");
      waited += await unsigned();
      await checkQuotes(dataDir);
      if (round % 5 === 4) expect(await faultsIn(place)).toEqual([]);
      await replica.lake.keepUp();
      expect(replica.entries()).toEqual(await entriesIn(place));
    }
    expect(replica.told()).toEqual([]);
    const { observations } = await replica.lake.read();
    const dates = Array.from(observations.date).slice(0, observations.count);
    for (const number of acknowledged) expect(dates).toContain(day("2025-01-01") + number);
    expect(new Set(dates).size).toBe(dates.length);
    await replica.close();
    // The next start signs what the last one left.
    const last = await signedMachine(place, { dataDir: machines[0], given: [key] });
    await last.close();
    expect(await unsigned()).toBe(0);
    expect(await faultsIn(place)).toEqual([]);
    expect((await notesIn(place)).filter((note) => note.includes("no entry yet"))).toEqual([]);
    console.log(
      `history kill test: seed ${SEED}, ${ROUNDS} rounds, ${acknowledged.length} figures acknowledged, ${waited} commits left to the next start`,
    );

    /** Quotes that were not flushed are in the journal of the machine that was killed: its archive opens again. */
    async function checkQuotes(dataDir: string): Promise<void> {
      const directory = join(dataDir, "lake");
      const storage = await openStorage(place, directory);
      const archive = await openQuoteArchive({ directory, simulated: false, storage, access: "write" });
      const quotes = await archive.quotes(QUOTED_FROM, QUOTED_FROM + 3_600_000);
      const numbers = quotes.map(({ observedAt }) => (observedAt - QUOTED_FROM) / 1000);
      expect(new Set(numbers).size).toBe(numbers.length);
      for (const number of quoted) expect(numbers).toContain(number);
      await archive.close();
      await storage.close();
    }

    /** Commits without an entry, all of them after those with one. The entries follow from each other, one for each commit. */
    async function unsigned(): Promise<number> {
      const client = openBucketClient(place);
      const audit = newAudit(null);
      for (const entry of await entriesIn(place)) audit.take(entry);
      const { tables, faults } = audit.end();
      expect(faults).toEqual([]);
      let count = 0;
      for (const [name, versions] of tables) {
        const folder = `${PREFIX}/${name}/_delta_log/`;
        const listed = await client.list(folder);
        const commits = listed.filter(({ key: path }) => /\/\d{20}\.json$/.test(path)).length;
        expect([...versions.keys()]).toEqual(Array.from({ length: versions.size }, (_, at) => at));
        count += commits - versions.size;
      }
      return count;
    }
  },
  60_000 + ROUNDS * 20_000,
);

function textOf({ privateKey }: SigningKey): string {
  return privateKey.export({ format: "der", type: "pkcs8" }).toString("base64");
}
