/** A disk that fills up under an export: the stream breaks off, the operator is told, and the next export works once there is room. */

import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXPORT_FORMATS } from "#domain/export-plan.ts";
import { saySkipped } from "#test/require-tool.ts";
import { madeUpPlan, openTemporaryExports, requestFor, until } from "./plans.ts";

const STAYS = new AbortController().signal;
const DISK_BYTES = 4 * 1024 * 1024;
const disk = mkdtempSync(join(tmpdir(), "crossrate-disk-"));
const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${DISK_BYTES}`, "tmpfs", disk], {
  stderr: "ignore",
}).success;
if (!mounted) saySkipped("a disk that fills up under an export needs the right to mount a tmpfs");
afterAll(() => {
  if (mounted) Bun.spawnSync(["umount", "--lazy", disk]);
  rmSync(disk, { recursive: true });
});

test.skipIf(!mounted).each([...EXPORT_FORMATS])(
  "no room for %s",
  async (format) => {
    const { exports, told, files } = openTemporaryExports({ directory: join(disk, format), atOnce: 1 });
    const { plan } = madeUpPlan({}, { symbols: 4, days: 6000 });
    const filler = join(disk, "filler");
    rmSync(filler, { force: true });
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(filler, new Uint8Array(bavail * bsize - 96 * 1024));

    const text = new Response(await exports.open(requestFor({ plan }, format), STAYS)).bytes();
    expect(text).rejects.toThrow();
    await text.catch(() => {});
    await until(() => told.length === 1);
    expect(exports.finish(requestFor({ plan }, format), STAYS)).rejects.toThrow(/no space|ENOSPC/i);
    await until(() => told.length === 2);
    expect(told).toEqual([
      expect.stringMatching(/^export_failed: .*(no space|ENOSPC)/i),
      expect.stringMatching(/^export_failed: .*(no space|ENOSPC)/i),
    ]);
    expect(files()).toEqual([]);

    rmSync(filler);
    const finished = await exports.finish(requestFor({ plan }, format), STAYS);
    expect(finished.bytes).toBe(Bun.file(finished.path).size);
    expect(finished.bytes).toBeGreaterThan(96 * 1024);
    await exports.close();
  },
  20_000,
);
