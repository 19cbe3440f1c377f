/** The faults: of a process, of a store, of a way between them, of a disk, of a clock, of a file. */

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Member, Site, Store } from "#test/failover/site.ts";
import type { SmallDisk } from "#test/support/small-disk.ts";

/** What the run knows when it begins a fault. */
export interface Scene {
  readonly site: Site;
  /** The member that it happens to. */
  readonly victim: Member;
  readonly pick: <T>(from: readonly T[]) => T;
  /** The disk of the victim; null where none may be mounted. */
  readonly disk: SmallDisk | null;
  /** `kill -9` of the victim. */
  readonly kill: () => Promise<void>;
}

export interface Fault {
  readonly name: string;
  /** Null: of a store, and felt by all. */
  readonly victim: Member | null;
  /** Whether another collector is to collect meanwhile where the victim is the one that does. */
  readonly isFollowed: boolean;
  readonly begin: () => void | Promise<void>;
  readonly clear: () => void | Promise<void>;
}

const STORES: readonly Store[] = ["postgres", "redis", "bucket"];
const MINUTE = 60_000;
/** From what replicas must bear (ten seconds) to what forbids all commits (more than an hour). */
const SKEWS = [-130 * MINUTE, -3 * MINUTE, -8_000, 8_000, 3 * MINUTE, 130 * MINUTE];
const DELAYS = [50, 200, 600];

const everyone = ({ site }: Scene) => [...site.collectors, ...site.replicas];

/** By their names; `bun run faults --only <name>` repeats one. */
export const KINDS: Readonly<Record<string, (scene: Scene) => Fault | null>> = {
  killed: ({ victim, kill }) => ({
    ...{ name: `${victim.name} is killed`, victim, isFollowed: true },
    begin: kill,
    clear: () => victim.start(),
  }),
  ended: ({ victim }) => ({
    ...{ name: `${victim.name} is asked to end`, victim, isFollowed: true },
    begin: async () => void (await victim.end()),
    clear: () => victim.start(),
  }),
  paused: ({ victim }) => ({
    ...{ name: `${victim.name} is paused`, victim, isFollowed: true },
    begin: () => victim.pause(),
    clear: () => victim.resume(),
  }),
  "redis killed": ({ site: { redis } }) =>
    ofStore("Redis is killed, and comes back empty", redis.kill, redis.start),
  "redis paused": ({ site: { redis } }) => ofStore("Redis is paused", redis.pause, redis.goOn),
  "postgres killed": ({ site: { postgres } }) => ofStore("Postgres is killed", postgres.kill, postgres.start),
  "postgres paused": ({ site: { postgres } }) =>
    ofStore("Postgres is paused", postgres.pause, postgres.resume),
  "bucket away": (scene) => {
    const how = scene.pick(["ended", "silent"] as const);
    const ways = everyone(scene).map(({ ways: { bucket } }) => bucket);
    return ofStore(
      `the bucket is away, ${how}`,
      () => ways.forEach((way) => void way.cut(how)),
      () => ways.forEach((way) => void way.restore()),
    );
  },
  partition: ({ victim, pick }) => {
    const how = pick(["ended", "silent"] as const);
    const stores = pick([STORES, ...STORES.map((store) => [store])]);
    return {
      ...{ name: `${victim.name} is cut off from ${stores.join(", ")}, ${how}`, victim },
      ...{ isFollowed: stores.includes("postgres") },
      begin: () => stores.forEach((store) => void victim.ways[store].cut(how)),
      clear: () => stores.forEach((store) => void victim.ways[store].restore()),
    };
  },
  delay: (scene) => {
    const [store, milliseconds] = [scene.pick(STORES), scene.pick(DELAYS)];
    const ways = everyone(scene).map(({ ways: all }) => all[store]);
    return ofStore(
      `everything to and from ${store} takes ${milliseconds} ms`,
      () => ways.forEach((way) => void way.delay(milliseconds)),
      () => ways.forEach((way) => void way.restore()),
    );
  },
  "full disk": ({ victim, disk }) => {
    if (disk === null) return null;
    const filler = join(disk.path, "filler");
    return {
      ...{ name: `the disk of ${victim.name} is full`, victim, isFollowed: false },
      begin: () => disk.fill(filler, 0),
      clear: () => rmSync(filler),
    };
  },
  "skewed clock": ({ site, victim, pick }) => {
    const skew = pick(SKEWS);
    const wrong = () => new Date(site.now() + skew).toISOString();
    return {
      ...{
        name: `the clock of ${victim.name} is ${skew / 1000} s off`,
        victim,
        isFollowed: true,
        isSilent: true,
      },
      begin: async () => {
        await victim.end();
        await victim.start({ NOW: wrong() });
      },
      clear: async () => {
        await victim.end();
        await victim.start();
      },
    };
  },
  "corrupted file": ({ victim, pick, kill }) => {
    const lake = join(victim.dataDir, "lake");
    const files = (readdirSync(lake, { recursive: true }) as string[]).filter((path) =>
      path.endsWith(".parquet"),
    );
    if (files.length === 0) return null;
    const path = join(lake, pick(files));
    const how = pick(["changed", "cut", "removed"] as const);
    return {
      ...{ name: `${path.slice(lake.length + 1)} in the copy of ${victim.name} is ${how}`, victim },
      ...{ isFollowed: true },
      // Noticed while it runs, or by its next start.
      begin: async () => {
        corrupt(path, how);
        await Bun.sleep(2_000);
        await kill();
      },
      clear: () => victim.start(),
    };
  },
};

function ofStore(name: string, begin: () => void | Promise<void>, clear: () => void | Promise<void>): Fault {
  return { name, victim: null, isFollowed: false, begin, clear };
}

function corrupt(path: string, how: "changed" | "cut" | "removed"): void {
  const bytes = readFileSync(path);
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] ?? 0) ^ 0xff;
  if (how === "removed") rmSync(path);
  else writeFileSync(path, how === "cut" ? bytes.subarray(0, middle) : bytes);
}
