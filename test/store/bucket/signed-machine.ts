/** Machines that share a lake in a bucket with its signed history, and what `crossrate verify` says of that bucket. */

import { join } from "node:path";
import { type Entry, type SigningKey, sha256 } from "#domain/chain/entry.ts";
import type { Head } from "#domain/chain/state.ts";
import { type BucketPlace, inGroups, openBucketClient } from "#store/bucket/client.ts";
import { openChain } from "#store/chain/chain.ts";
import type { TelemetryEvent } from "#telemetry.ts";
import { faultsOf, notesOf } from "#test/store/chain/signed-lake.ts";
import { add, figureAt, openedLake } from "#test/store/lake/sample.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { openStorage, QUICK } from "./storage-server.ts";

export const PREFIX = "fx/lake";

export interface MachineOptions {
  readonly dataDir?: string;
  /** Keys of the setting; without any, and without `reads`, the machine has a key file of its own. */
  readonly given?: readonly SigningKey[];
  readonly reads?: boolean;
  /** Segments that one look takes at the most. */
  readonly segmentsAtOnce?: number;
}

/** A machine with its own copy, which ends at the latest with the process. */
export async function signedMachine(place: BucketPlace, options: MachineOptions = {}) {
  const { dataDir = temporaryDirectory(), given = [], reads = false } = options;
  const directory = join(dataDir, "lake");
  const events: TelemetryEvent[] = [];
  const emit = (event: TelemetryEvent) => {
    if (event.kind !== "lake_committed") events.push(event);
  };
  const { segmentsAtOnce = 1000 } = options;
  const storage = await openStorage(place, directory, { emit, patience: QUICK, segmentsAtOnce });
  const keys = reads ? null : { dataDir, fromSetting: given };
  const chain = openChain({ directory, storage, keys, mode: "real", emit });
  const lake = await openedLake(directory, { storage, chain, emit });
  const close = async () => {
    await lake.close();
    await storage.close();
  };
  return {
    ...{ dataDir, directory, storage, chain, lake, close },
    commit: (number: number) => add(lake, { accepted: [figureAt(number)] }),
    told: () =>
      events.flatMap((event) => ("detail" in event ? [`${event.kind}: ${event.detail}`] : [event.kind])),
    entries: () => [...chain.segments.linesFrom(0)].map(({ entry }) => entry),
  };
}

const lakeIn = (place: BucketPlace) => ({ ...place, prefix: PREFIX, copyBytes: 100_000_000 });

/** Everything that `crossrate verify` would call wrong in the bucket, without a key or a copy at hand. */
export const faultsIn = (place: BucketPlace, kept: Head | null = null) =>
  faultsOf(temporaryDirectory(), kept, [], lakeIn(place));

/** What it would say beside. */
export const notesIn = (place: BucketPlace) => notesOf(temporaryDirectory(), lakeIn(place));

/** Names of the segments in the bucket, with their content. */
export async function segmentsIn(place: BucketPlace): Promise<ReadonlyMap<string, string>> {
  const client = openBucketClient(place);
  const listed = await client.list(`${PREFIX}/chain/`);
  return new Map(await inGroups(listed, async ({ key }) => [key, (await client.text(key)) ?? ""] as const));
}

export async function entriesIn(place: BucketPlace): Promise<Entry[]> {
  const lines = [...(await segmentsIn(place)).values()].flatMap((text) => text.trimEnd().split("\n"));
  return lines.map((line) => JSON.parse(line));
}

/** What somebody does who may write to the bucket. */
export async function replaceIn(place: BucketPlace, key: string, content: string | Blob): Promise<void> {
  const blob = new Blob([content]);
  await openBucketClient(place).put(key, blob, sha256(await blob.bytes()));
}
