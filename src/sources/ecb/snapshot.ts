/** The ECB's history file that comes with the program, byte for byte as published: a first start has real rates without a network. */

import file from "#data/snapshot/eurofxref-hist.zip" with { type: "file" };
import manifest from "#data/snapshot/manifest.json" with { type: "json" };
import { type Day, type Instant, parseDay } from "#domain/time/day.ts";
import type { Snapshot } from "#ports/upstream.ts";
import { HISTORY_ZIP } from "./ecb.ts";

export const ECB_SNAPSHOT: Snapshot = {
  source: "ecb_daily",
  route: HISTORY_ZIP,
  newestDay: parseDay(manifest.newest_day) as Day,
  retrievedAt: Date.parse(manifest.retrieved_at) as Instant,
  /** Throws when the file is not the one that the manifest names. */
  read: async () => {
    const bytes = await Bun.file(file).bytes();
    const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
    if (sha256 !== manifest.sha256)
      throw new Error(`${file}: the SHA-256 is ${sha256}, not ${manifest.sha256}`);
    const retrievedAt = Date.parse(manifest.retrieved_at);
    return { url: manifest.url, bytes, sha256, retrievedAt, contentType: "application/zip" };
  },
};
