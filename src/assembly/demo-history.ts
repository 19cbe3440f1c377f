/** The ECB's packaged history as the demo's simulator reads it. */

import { DEMO_SNAPSHOT, DEMO_STARTS_AT } from "#sources/ecb/snapshot.ts";
import { readZipEntry } from "#sources/zip.ts";

const MOST_BYTES = 32 * 1024 * 1024;

export async function demoHistory() {
  const { bytes } = await DEMO_SNAPSHOT.read();
  const csv = new TextDecoder().decode(readZipEntry(bytes, "eurofxref-hist.csv", MOST_BYTES));
  return { startsAt: DEMO_STARTS_AT, csv };
}
