/** A signed lake that is changed in its bucket: what a verification says, on the machine that has an untouched copy, too. */

import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { headOfLake } from "#assembly/inspection.ts";
import { sha256 } from "#domain/chain/entry.ts";
import { type ChainState, type Head, headOf } from "#domain/chain/state.ts";
import { openBucketClient } from "#store/bucket/client.ts";
import { firstChange, secondChange } from "#test/store/lake/sample.ts";
import { faultsIn, PREFIX, replaceIn, segmentsIn, signedMachine } from "./signed-machine.ts";
import { contentOf, newBucket } from "./storage-server.ts";

setDefaultTimeout(60_000);

const commitKey = (table: string, version: number) =>
  `${PREFIX}/${table}/_delta_log/${String(version).padStart(20, "0")}.json`;

describe("a signed lake in a bucket", () => {
  test("as it was signed has no fault, against a head that was kept neither; a file, a commit or the history that is changed in the bucket is named (chain/tampered.test.ts has every kind)", async () => {
    const place = await newBucket();
    const machine = await signedMachine(place);
    const { dataDir } = machine;
    await machine.lake.commit(firstChange);
    const kept = headOf(machine.chain.state() as ChainState);
    await machine.lake.commit(secondChange);
    await machine.close();
    const faults = () => faultsIn(place, kept, dataDir);
    const storage = { ...place, prefix: PREFIX, copyBytes: 100_000_000 };
    expect(await faults()).toEqual([]);
    const newest = (await headOfLake({ dataDir, storage })) as Head;
    expect(newest).toEqual(headOf(machine.chain.state() as ChainState));
    const before = await contentOf(place);
    const client = openBucketClient(place);
    const ofVersion = (version: number) => [...(machine.lake.tables.daily.at(version)?.files.keys() ?? [])];
    const keyOf = (path: string | undefined) => `${PREFIX}/daily/${path}`;
    const dataFile = keyOf(ofVersion(2)[0]);
    const segments = [...(await segmentsIn(place)).keys()];
    const last = segments.at(-1) as string;
    const cases: readonly (readonly [() => Promise<unknown>, RegExp])[] = [
      [
        () => replaceIn(place, dataFile, "another content"),
        /^daily\/.*parquet .*does not have its (length|content)/,
      ],
      [
        () => client.remove(commitKey("daily", 2)),
        /^the commit of version 2 of daily is missing: entry \d+ has signed it$/,
      ],
      [
        async () => {
          for (const name of segments) await client.remove(name);
        },
        /^the history was cut short: the head that was kept is entry \d+, and there is none$/,
      ],
    ];
    for (const [tamper, expected] of cases) {
      await tamper();
      const found = await faults();
      expect(found).toContainEqual(expect.stringMatching(expected));
      for (const line of found) expect(line).not.toContain(dataDir);
      for (const [key, text] of before) if (!key.endsWith(".parquet")) await replaceIn(place, key, text);
      const copied = Bun.file(join(dataDir, "lake", dataFile.slice(PREFIX.length + 1)));
      await client.put(dataFile, copied, sha256(new Uint8Array(await copied.arrayBuffer())));
    }
    expect(await faults()).toEqual([]);
    // The last entry cut off, and its commit is there: nothing is lost, and a head of it finds it.
    await client.remove(last);
    expect(await faults()).toEqual([]);
    expect(await faultsIn(place, newest, dataDir)).toEqual([
      expect.stringContaining("the history was cut short"),
    ]);
  });
});
