/** The signed history of a lake in a bucket: several machines, lost answers, outages, keys, and copies that lag behind. */

import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Entry, sha256 } from "#domain/chain/entry.ts";
import { type ChainState, headOf } from "#domain/chain/state.ts";
import { type BucketPlace, inGroups, openBucketClient } from "#store/bucket/client.ts";
import { openSignedHistory } from "#store/chain/chain.ts";
import { segmentName } from "#store/chain/segments.ts";
import { datasetVersion, tableVersionOf } from "#store/lake/state.ts";
import { newSigningKey } from "#test/api/sample-chain.ts";
import { openSigned } from "#test/store/chain/signed-lake.ts";
import { day, firstChange, secondChange } from "#test/store/lake/sample.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import {
  entriesIn,
  faultsIn,
  notesIn,
  PREFIX,
  replaceIn,
  segmentsIn,
  signedMachine,
} from "./signed-machine.ts";
import { bucketBehind, newBucket, type PassedRequest, wayTo } from "./storage-server.ts";

// Every step is several requests to a server in another process.
setDefaultTimeout(120_000);

const FIRST_DAY = day("2025-01-01");
const isSegment = ({ path }: PassedRequest) => path.includes("/chain/");
const segmentPut = (request: PassedRequest) => request.method === "PUT" && isSegment(request);
const commitsOf = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.kind === "commit" ? [`${entry.table} ${entry.version}`] : []));
async function isWhole(place: BucketPlace): Promise<void> {
  expect(await faultsIn(place)).toEqual([]);
  expect((await notesIn(place)).filter((note) => note.includes("no entry yet"))).toEqual([]);
}

describe("the signed history in a bucket", () => {
  test("an entry is in the bucket before it is in the copy, and a replica serves history and proofs of what another machine committed", async () => {
    const { place, way, through } = await bucketBehind();
    const collector = await signedMachine(through);
    const folder = join(collector.directory, "chain");
    const replica = await signedMachine(place, { reads: true });
    const early: string[] = [];
    way.decide((request) => {
      const name = request.path.slice(request.path.lastIndexOf("/") + 1);
      if (segmentPut(request) && readdirSync(folder).includes(name)) early.push(name);
      return "pass";
    });
    const old = await collector.lake.commit(firstChange);
    const version = await collector.lake.commit(secondChange);
    expect(way.requests.filter(segmentPut).length).toBeGreaterThan(2);
    expect(early).toEqual([]);
    await replica.lake.keepUp();
    expect(replica.chain.state()).toEqual(collector.chain.state());
    expect(replica.entries()).toEqual(await entriesIn(place));
    const history = openSignedHistory(replica.chain, {
      table: replica.lake.tables.daily,
      nameOf: (snapshot) => datasetVersion({ daily: snapshot }),
      versionOf: tableVersionOf,
    });
    for (const name of [old, version]) {
      const proven = history.proven(name);
      expect(proven?.entry).toMatchObject({ kind: "commit", table: "daily", version: tableVersionOf(name) });
      expect(proven?.entry.files).toBe(sha256(proven?.files ?? ""));
      expect(replica.entries()).toContainEqual(proven?.entry as never);
    }
    expect(await faultsIn(place)).toEqual([]);
    expect([...collector.told(), ...replica.told()]).toEqual([]);
  });

  test("an answer that is lost after any request of a commit and its entry leaves one commit and one entry of it", async () => {
    const { place, way, through } = await bucketBehind();
    const machine = await signedMachine(through);
    let count = 0;
    for (let isCut = true; isCut; ) {
      const from = way.requests.length;
      isCut = false;
      way.decide(({ number }) => {
        if (number - from !== count + 1) return "pass";
        isCut = true;
        return "cut";
      });
      count += 1;
      await machine.commit(count);
    }
    // A look, a file, a commit and an entry at the least.
    expect(count).toBeGreaterThan(7);
    expect(machine.told()).toEqual([]);
    await machine.close();
    const commits = commitsOf(await entriesIn(place));
    expect(new Set(commits).size).toBe(commits.length);
    const reader = await signedMachine(place, { reads: true });
    const { observations, superseded } = await reader.lake.read();
    expect([observations.count, superseded]).toEqual([count, []]);
    await reader.close();
    await isWhole(place);
  });

  test.each(["gone", "cut"] as const)(
    "a collector that dies at any request of a commit and its entry (%s) loses and doubles nothing: the next start signs what it left",
    async (fate) => {
      const { place, way, through } = await bucketBehind();
      const key = newSigningKey();
      const start = () => signedMachine(through, { given: [key] });
      const acknowledged: number[] = [];
      let machine = await start();
      let hasDied = true;
      let number = 0;
      for (; hasDied; number++) {
        const last = way.requests.length + number + 1;
        hasDied = false;
        way.decide((request) => {
          if (request.number < last) return "pass";
          hasDied = true;
          return request.number === last ? fate : "gone";
        });
        await machine.commit(number).then(
          () => acknowledged.push(number),
          () => {},
        );
        way.decide(() => "pass");
        machine = await start();
        expect(machine.told()).toEqual([]);
        const names = (await openBucketClient(place).list(PREFIX)).map(({ key: name }) => name);
        const commits = names.filter((name) => /_delta_log\/\d{20}\.json$/.test(name));
        expect(commitsOf(machine.entries())).toHaveLength(commits.length);
      }
      const { observations } = await machine.lake.read();
      const numbers = [...observations.date.subarray(0, observations.count)].map((at) => at - FIRST_DAY);
      expect(numbers).toEqual([...new Set(numbers)]);
      expect(numbers).toEqual(expect.arrayContaining(acknowledged));
      await isWhole(place);
      expect(number).toBeGreaterThan(7);
    },
  );

  test("a commit whose entry cannot be put is reported once, and signed by the next look", async () => {
    const { place, way, through } = await bucketBehind();
    const machine = await signedMachine(through);
    way.decide((request) => (segmentPut(request) ? "refuse" : "pass"));
    await machine.commit(1);
    await machine.commit(2);
    expect(machine.told().map((line) => line.replace(/ PUT .*/, ""))).toEqual([
      "history_unsigned: the lake's storage cannot be used:",
    ]);
    expect((await notesIn(place)).join("\n")).toContain("have no entry yet");
    way.decide(() => "pass");
    await machine.lake.keepUp();
    expect(machine.told().slice(1)).toEqual(["history_signed"]);
    await isWhole(place);
  });

  test("an entry that is in the bucket and not yet in the copy is taken by the next start", async () => {
    const place = await newBucket();
    const first = await signedMachine(place);
    await first.commit(1);
    await first.commit(2);
    const whole = await segmentsIn(place);
    await first.close();
    const copied = readdirSync(join(first.directory, "chain")).sort();
    rmSync(join(first.directory, "chain", copied.at(-1) as string));
    const again = await signedMachine(place, { dataDir: first.dataDir });
    expect(readdirSync(join(first.directory, "chain")).sort()).toEqual(copied);
    expect(await segmentsIn(place)).toEqual(whole);
    expect(again.told()).toEqual([]);
  });

  test("two collectors with one key that commit at once make one line, in which every commit has one entry", async () => {
    const place = await newBucket();
    const key = newSigningKey();
    const one = await signedMachine(place, { given: [key] });
    const two = await signedMachine(place, { given: [key] });
    const work = async (machine: typeof one, name: "held" | "revisions") => {
      const table = machine.lake.tables[name];
      for (let at = 0; at < 10; at++) {
        await table.commit(table.latest(), [], "WRITE", Date.now());
        await machine.chain.follow([table]);
      }
    };
    await Promise.all([work(one, "held"), work(two, "revisions")]);
    // And by turns on the same tables.
    for (let number = 1; number <= 6; number++) await (number % 2 === 0 ? one : two).commit(number);
    expect([...one.told(), ...two.told()]).toEqual([]);
    const entries = await entriesIn(place);
    expect(entries.map(({ sequence }) => sequence)).toEqual(entries.map((_, at) => at));
    const commits = commitsOf(entries);
    expect(new Set(commits).size).toBe(commits.length);
    expect(commits.length).toBeGreaterThan(20);
    await isWhole(place);
    for (const machine of [one, two]) {
      await machine.lake.keepUp();
      expect(machine.entries()).toEqual(entries);
      await machine.close();
    }
  });

  test("a collector without the key commits, signs nothing and says what to set; the one with the key signs for it", async () => {
    const place = await newBucket();
    const owner = await signedMachine(place);
    await owner.commit(1);
    const stranger = await signedMachine(place, { given: [newSigningKey()] });
    await stranger.commit(2);
    await stranger.lake.keepUp();
    expect(stranger.told()).toEqual([
      expect.stringMatching(
        /^history_unsigned: the key [0-9a-f]{16} that signs the history is not here: .* set LAKE_SIGNING_KEY to the one that other machines have/,
      ),
    ]);
    await owner.lake.keepUp();
    await isWhole(place);
    expect(owner.told()).toEqual([]);
  });

  test("a lake that is brought from a disk goes on with its history; a machine with nothing takes many segments as few files", async () => {
    const disk = await openSigned(temporaryDirectory());
    const { held } = disk.lake.tables;
    for (let at = 0; at < 70; at++) await held.commit(held.latest(), [], "WRITE", Date.now());
    await disk.chain.follow([held]);
    await disk.lake.close();
    const place = await newBucket();
    const logs = [...new Bun.Glob("*/_delta_log/*.json").scanSync({ cwd: disk.directory, dot: true })];
    await inGroups(logs, (path) =>
      replaceIn(place, `${PREFIX}/${path}`, readFileSync(join(disk.directory, path), "utf8")),
    );
    // An entry a segment, as after years of commits.
    await inGroups([...disk.chain.segments.linesFrom(0)], ({ entry, line }) =>
      replaceIn(place, `${PREFIX}/chain/${segmentName(entry.sequence)}`, `${line}\n`),
    );
    const before = await segmentsIn(place);
    expect(before.size).toBeGreaterThan(70);
    const reader = await signedMachine(place, { reads: true });
    expect(reader.entries()).toEqual([...disk.chain.segments.linesFrom(0)].map(({ entry }) => entry));
    expect(readdirSync(join(reader.directory, "chain")).length).toBeLessThan(6);
    const collector = await signedMachine(place);
    await collector.commit(1);
    expect(collector.told()).toEqual([expect.stringContaining("Restore signing.key from a backup")]);
    await collector.close();
    await Bun.write(join(collector.dataDir, "signing.key"), Bun.file(join(disk.dataDir, "signing.key")));
    const again = await signedMachine(place, { dataDir: collector.dataDir });
    expect(again.told()).toEqual([]);
    await reader.lake.keepUp();
    expect(reader.entries()).toEqual(await entriesIn(place));
    expect(reader.entries().length).toBeGreaterThan(before.size);
    expect(await faultsIn(place, headOf(disk.chain.state() as ChainState))).toEqual([]);
  });

  test("while the bucket lacks a segment that the copy has, or has another one, nothing is signed; what is put back is followed", async () => {
    const place = await newBucket();
    const client = openBucketClient(place);
    const machine = await signedMachine(place);
    await machine.commit(1);
    const [name, text] = [...(await segmentsIn(place))].at(-1) as [string, string];
    await client.remove(name);
    await machine.close();
    const again = await signedMachine(place, { dataDir: machine.dataDir });
    const state = again.chain.state();
    await again.commit(2);
    expect(again.told()).toEqual([
      expect.stringMatching(
        /^lake_damaged: s3:\/\/\S+\/chain\/\d+\.ndjson is missing: the copy in \S+ has it$/,
      ),
      expect.stringMatching(
        /^history_unsigned: s3:\/\/\S+\/chain\/\d+\.ndjson is missing.* nothing more is signed/,
      ),
    ]);
    // Served on, from the copy.
    expect(again.chain.state()).toEqual(state);
    await replaceIn(place, name, text.replace(/"files":"[0-9a-f]{2}/, '"files":"zz'));
    await again.lake.keepUp();
    expect(again.told()[2]).toMatch(/ was changed: the copy in /);
    await replaceIn(place, name, text);
    await again.lake.keepUp();
    await isWhole(place);
  });

  test("a long history comes into a new copy in parts: a replica serves meanwhile, a collector signs after the last of them", async () => {
    const place = await newBucket();
    const key = newSigningKey();
    const first = await signedMachine(place, { given: [key] });
    for (let number = 1; number <= 5; number++) await first.commit(number);
    const entries = await entriesIn(place);
    const replica = await signedMachine(place, { reads: true, segmentsAtOnce: 2 });
    expect(await replica.lake.version()).toBe(await first.lake.version());
    let served = replica.entries().length;
    expect(served).toBeLessThan(entries.length);
    while (served < entries.length) {
      await replica.lake.keepUp();
      expect(replica.entries()).toEqual(entries.slice(0, replica.entries().length));
      expect(replica.entries().length).toBeGreaterThan(served);
      served = replica.entries().length;
    }
    const way = await wayTo(place.endpoint);
    const before = await segmentsIn(place);
    const through = { ...place, endpoint: way.endpoint };
    const other = await signedMachine(through, { given: [key], segmentsAtOnce: 2 });
    // One more entry of a table: nothing is tried on top of a part of the history.
    const { held } = other.lake.tables;
    await held.commit(held.latest(), [], "WRITE", Date.now());
    await other.chain.follow([held]);
    expect((await segmentsIn(place)).size).toBe(before.size + 1);
    expect(way.requests.filter(segmentPut)).toHaveLength(1);
    expect([...replica.told(), ...other.told()]).toEqual([]);
    expect(await faultsIn(place)).toEqual([]);
    expect((await entriesIn(place)).slice(0, entries.length)).toEqual(entries);
  });

  test("a copy never goes on after a segment that is missing in the bucket, and goes on when it is there again", async () => {
    const place = await newBucket();
    const writer = await signedMachine(place);
    for (let number = 1; number <= 3; number++) await writer.commit(number);
    const segments = [...(await segmentsIn(place))];
    const [name, text] = segments[2] as [string, string];
    await openBucketClient(place).remove(name);
    const reader = await signedMachine(place, { reads: true });
    expect(reader.told()).toEqual([
      `lake_damaged: s3://${place.bucket}/${name} is missing, and later ones are there`,
    ]);
    expect(reader.entries()).toHaveLength(Number(/(\d+)\.ndjson$/.exec(name)?.[1]));
    await replaceIn(place, name, text);
    await reader.lake.keepUp();
    expect(reader.entries()).toEqual(writer.entries());
  });

  test("a segment that is no segment is not taken into a copy, and is followed once it is restored", async () => {
    const place = await newBucket();
    const writer = await signedMachine(place);
    const reader = await signedMachine(place, { reads: true });
    const state = reader.chain.state();
    await writer.commit(1);
    const [name, text] = [...(await segmentsIn(place))].at(-1) as [string, string];
    for (const broken of [text.slice(0, -1), "{}\n", text.replace(/"sequence":\d+/, '"sequence":999')]) {
      await replaceIn(place, name, broken);
      await reader.lake.keepUp();
      expect(reader.chain.state()).toEqual(state);
      expect(reader.told().at(-1)).toMatch(/^lake_damaged: s3:\/\/\S+\/chain\/\d+\.ndjson (is cut off|has )/);
    }
    // The figures are followed all the same.
    expect(await reader.lake.version()).toBe(await writer.lake.version());
    await replaceIn(place, name, text);
    await reader.lake.keepUp();
    expect(reader.chain.state()).toEqual(writer.chain.state());
  });
});
