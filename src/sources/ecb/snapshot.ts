/** The ECB's history file that comes with the program, byte for byte as published: a first start has real rates without a network. */

import file from "#data/snapshot/eurofxref-hist.zip" with { type: "file" };
import manifest from "#data/snapshot/manifest.json" with { type: "json" };
import { type Day, type Instant, MILLISECONDS_PER_DAY, parseDay } from "#domain/time/day.ts";
import type { Snapshot } from "#ports/upstream.ts";
import { HISTORY_ZIP } from "./ecb.ts";

const newestDay = parseDay(manifest.newest_day) as Day;
const MINUTE = 60_000;

export const ECB_SNAPSHOT = retrievedAt(Date.parse(manifest.retrieved_at));

/** The demo's clock starts at 15:30 UTC on the snapshot's newest day: after the ECB's publication in summer and in winter. */
export const DEMO_STARTS_AT: Instant = newestDay * MILLISECONDS_PER_DAY + (15 * 60 + 30) * MINUTE;

/** The same file, retrieved at a fixed instant of the demo's clock: its figures in the lake are recognized by that instant. */
export const DEMO_SNAPSHOT = retrievedAt(DEMO_STARTS_AT - 7 * MINUTE - 43_219);

function retrievedAt(instant: Instant): Snapshot {
  return {
    source: "ecb_daily",
    route: HISTORY_ZIP,
    newestDay,
    retrievedAt: instant,
    /** Throws when the SHA-256 is not the manifest's. */
    read: async () => {
      const bytes = await Bun.file(file).bytes();
      const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
      if (sha256 !== manifest.sha256)
        throw new Error(`${file}: the SHA-256 is ${sha256}, not ${manifest.sha256}`);
      return { url: manifest.url, bytes, sha256, retrievedAt: instant };
    },
  };
}
