/** `bun run snapshot`: replaces data/snapshot by the history file that the ECB publishes now. A release does it before it packs. */

import { join } from "node:path";
import type { Reading } from "#domain/intake/reading.ts";
import { formatDay, formatInstant } from "#domain/time/day.ts";
import { windowAt } from "#ingest/coverage.ts";
import { ROOT } from "#packaging/product.ts";
import { ECB, ECB_FILES, HISTORY_ZIP } from "#sources/ecb/ecb.ts";
import { ECB_SNAPSHOT } from "#sources/ecb/snapshot.ts";
import { openUpstream } from "#sources/fetch/fetch.ts";
import { VERSION } from "#version.ts";

const FOLDER = join(ROOT, "data", "snapshot");
const upstream = openUpstream({
  clock: { now: Date.now },
  base: process.env["UPSTREAM_BASE"] ?? null,
  userAgent: `crossrate/${VERSION} (packaging)`,
});

const document = await upstream.get(ECB_FILES.history);
if (document === "unchanged") throw new Error("a first request is never conditional");
const window = windowAt(document.retrievedAt, "ecb_daily", "history");
const figures = figuresOf(HISTORY_ZIP.parse(document, window));
const before = figuresOf(HISTORY_ZIP.parse(await ECB_SNAPSHOT.read(), window));
const changed = [...before].filter(([key, printed]) => figures.get(key) !== printed);
for (const [key, printed] of changed)
  console.log(`${key}: ${printed} is now ${figures.get(key) ?? "absent"}`);
const newest = [...figures.keys()]
  .map((key) => key.slice(0, 10))
  .sort()
  .at(-1) as string;
if (newest < formatDay(ECB_SNAPSHOT.newestDay)) throw new Error(`the file ends on ${newest}: an old copy`);

await Bun.write(join(FOLDER, "eurofxref-hist.zip"), document.bytes);
const manifest = {
  source: ECB.id,
  file: "eurofxref-hist.zip",
  url: document.url,
  sha256: document.sha256,
  bytes: document.bytes.length,
  newest_day: newest,
  retrieved_at: formatInstant(document.retrievedAt),
  retrieved_by: "bun run snapshot",
  terms: ECB.terms,
};
await Bun.write(join(FOLDER, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
console.log(`${figures.size} figures to ${newest}; ${changed.length} of the figures before changed`);

/** `2015-01-15 CHF` → digits. */
function figuresOf(reading: Reading): ReadonlyMap<string, string> {
  const list = reading.outcome === "figures" ? reading.figures : [];
  return new Map(list.map(({ date, quote, printed }) => [`${formatDay(date)} ${quote}`, printed]));
}
