/** Official publications in a bucket: what the ledger has is there once for all machines, through an outage too. */

import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { StorageAway } from "#store/delta/storage.ts";
import { openOfficialLake } from "#store/official-lake/official-lake.ts";
import { collectedForEach, FIX, NOW } from "#test/official/collected.ts";
import { query } from "#test/store/lake/sample.ts";
import { from, rowsOf } from "#test/store/official-lake/copies.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { newBucket, openStorage, wayTo } from "./storage-server.ts";

setDefaultTimeout(60_000);

const world = collectedForEach();

describe("official publications in a bucket", () => {
  test("are copied from the ledger by one machine and read by another, and again after the bucket was away", async () => {
    const place = await newBucket();
    const way = await wayTo(place.endpoint);
    const open = async (endpoint: string) => {
      const directory = temporaryDirectory();
      const storage = await openStorage({ ...place, endpoint }, directory);
      const lake = openOfficialLake({ directory, simulated: false, storage, now: () => NOW });
      return { storage, lake };
    };
    const [writer, reader] = [await open(way.endpoint), await open(place.endpoint)];
    const versions = async ({ storage, lake }: typeof reader) => {
      await storage.follow();
      const adds = [...(lake.table.latest()?.files.values() ?? [])];
      await lake.table.verifier.require(adds);
      const files = adds.map((add) => `'${lake.table.pathOf(add)}'`).join(", ");
      const rows = await query(
        `SELECT DISTINCT publication || ' ' || version AS name FROM read_parquet([${files}]) ORDER BY ALL`,
      );
      return rows.map(({ name }) => name);
    };
    await world.publish(FIX, "2026-04-10", { rows: rowsOf(1) });
    await writer.lake.follow(from(world.ledger));
    expect(await versions(reader)).toEqual(["2026-04-10 1"]);
    way.decide(() => "gone");
    await world.publish(FIX, "2026-04-13", { rows: rowsOf(2) });
    await expect(writer.lake.follow(from(world.ledger))).rejects.toBeInstanceOf(StorageAway);
    way.decide(() => "pass");
    expect(await writer.lake.follow(from(world.ledger))).toEqual(["mex_fix"]);
    expect(await versions(reader)).toEqual(["2026-04-10 1", "2026-04-13 1"]);
    // A machine that copies the same again changes nothing.
    expect(await reader.lake.follow(from(world.ledger))).toEqual([]);
    for (const { lake, storage } of [writer, reader]) {
      await lake.close();
      await storage.close();
    }
  });
});
