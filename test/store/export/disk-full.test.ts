/** A disk that fills up under an export: the stream breaks off, the operator is notified, and the next export works once there is room. */

import { expect, spyOn, test } from "bun:test";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { writeArrow } from "#store/parquet/arrow.ts";
import { withEngine } from "#store/parquet/engine.ts";
import { smallDisk } from "#test/support/small-disk.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { until } from "#test/support/until.ts";
import { madeUpPlan, openTemporaryExports, requestFor } from "./plans.ts";

const STAYS = new AbortController().signal;
const DISK_BYTES = 4 * 1024 * 1024;
const disk = smallDisk("a disk that fills up under an export", DISK_BYTES);

// One of each writer: COPY, the stream, the workbook.
test.skipIf(!disk.isMounted).each(["csv", "arrow", "xlsx"] as const)("no room for %s", async (format) => {
  const { exports, emitted, files } = openTemporaryExports({ directory: join(disk.path, format), atOnce: 1 });
  const { plan } = madeUpPlan({}, { symbols: 4, days: 3500 });
  const filler = join(disk.path, "filler");
  rmSync(filler, { force: true });
  disk.fill(filler, 96 * 1024);

  const text = new Response(await exports.open(requestFor({ plan }, format), STAYS)).bytes();
  expect(text).rejects.toThrow();
  await text.catch(() => {});
  await until("the failure is reported", () => emitted.length === 1);
  expect(exports.finish(requestFor({ plan }, format), STAYS)).rejects.toThrow(/no space|ENOSPC/i);
  await until("the failure is reported", () => emitted.length === 2);
  expect(emitted).toEqual([
    expect.stringMatching(/^export_failed: .*(no space|ENOSPC)/i),
    expect.stringMatching(/^export_failed: .*(no space|ENOSPC)/i),
  ]);
  expect(files()).toEqual([]);

  rmSync(filler);
  const finished = await exports.finish(requestFor({ plan }, format), STAYS);
  expect(finished.bytes).toBe(Bun.file(finished.path).size);
  expect(finished.bytes).toBeGreaterThan(96 * 1024);
  await exports.close();
});

test.skipIf(!disk.isMounted)(
  "without a byte left there is no folder either, and with room there is",
  async () => {
    const directory = join(disk.path, "first");
    mkdirSync(directory);
    const { exports } = openTemporaryExports({ directory, atOnce: 1 });
    const request = requestFor(madeUpPlan());
    const filler = join(disk.path, "filler");
    disk.fill(filler, 0);
    expect(exports.finish(request, STAYS)).rejects.toThrow(/no space|ENOSPC/i);
    await exports.finish(request, STAYS).catch(() => {});
    expect(readdirSync(directory)).toEqual([]);
    rmSync(filler);
    expect((await exports.finish(request, STAYS)).bytes).toBeGreaterThan(0);
    await exports.close();
  },
);

interface Written {
  writev(parts: readonly Uint8Array[]): Promise<{ readonly bytesWritten: number }>;
}

test("an Arrow file of which the disk took a part of a batch is no file, although there is room for the next one", async () => {
  const directory = temporaryDirectory();
  const handle = await open(join(directory, "any"), "w");
  const files: Written = Object.getPrototypeOf(handle);
  await handle.close();
  const write = files.writev;
  let batches = 0;
  const writing = spyOn(files, "writev").mockImplementation(async function (this: Written, parts) {
    batches += 1;
    if (batches !== 3) return await write.call(this, parts);
    const part = parts[0] as Uint8Array;
    return await write.call(this, [part.subarray(0, part.byteLength >> 1)]);
  });
  try {
    const rows = "SELECT range::DOUBLE AS rate FROM range(20000)";
    const made = withEngine(directory, (on) => writeArrow(on, rows, join(directory, "rates.arrow")));
    await expect(made).rejects.toThrow("no space left");
  } finally {
    writing.mockRestore();
  }
});
