/** Operators' releases on disk: appended, noticed by other processes, and not lost to a line that a crash has cut off. */

import { expect, test } from "bun:test";
import { appendFileSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { QuoteRelease } from "#domain/live/live-quote.ts";
import { openReleases, readRefused, writeRefused } from "#store/live/releases.ts";
import type { TelemetryEvent } from "#telemetry.ts";
import { smallDisk } from "#test/support/small-disk.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const YEN: QuoteRelease = {
  at: Date.parse("2026-04-14T12:00:00Z"),
  feed: "coinbase",
  currency: "JPY",
  price: "205.1",
  reference: { perDollar: 159.19, observedAt: Date.parse("2026-04-13T12:15:00Z") },
};
const EURO: QuoteRelease = { ...YEN, currency: "EUR", price: "1.2", reference: null };

function opened(dataDir: string) {
  const emitted: TelemetryEvent[] = [];
  return { releases: openReleases(dataDir, (event) => emitted.push(event)), emitted };
}

test("another process notices a release once, and one that starts later has it", () => {
  const dataDir = temporaryDirectory();
  const [server, command] = [opened(dataDir), opened(dataDir)];
  const before = server.releases.list();
  expect([before, server.releases.refresh(), server.releases.list() === before]).toEqual([[], [], true]);
  command.releases.append(YEN);
  expect(command.releases.list()).toEqual([YEN]);
  expect(server.releases.refresh()).toEqual([YEN]);
  expect(server.releases.refresh()).toEqual([]);
  server.releases.append(EURO);
  expect(command.releases.refresh()).toEqual([EURO]);
  expect(opened(dataDir).releases.list()).toEqual([YEN, EURO]);
});

test("a line that is cut off or malformed releases nothing, is reported, and does not affect other lines", () => {
  const dataDir = temporaryDirectory();
  opened(dataDir).releases.append(YEN);
  const path = join(dataDir, "live", "releases.ndjson");
  const whole = readFileSync(path, "utf8").trim();
  const wrong = [
    "null",
    "7",
    "{}",
    whole.replace("205.1", "-1"),
    whole.replace("JPY", "XYZ"),
    whole.replace("coinbase", "x"),
  ];
  appendFileSync(path, `${wrong.join("\n")}\n${whole.slice(0, 40)}`);
  const again = opened(dataDir);
  expect(again.releases.list()).toEqual([YEN]);
  expect(again.emitted.map(({ kind }) => kind)).toEqual(Array(wrong.length + 1).fill("release_unreadable"));
  again.releases.append(EURO);
  expect(opened(dataDir).releases.list()).toEqual([YEN, EURO]);
});

test("the list of what is refused is absent until a process has written it, and then the last one written", async () => {
  const dataDir = temporaryDirectory();
  expect(readRefused(dataDir)).toBe(null);
  await writeRefused(dataDir, { at: 1, refused: [] });
  await writeRefused(dataDir, { at: 2, refused: [] });
  expect(readRefused(dataDir)).toEqual({ at: 2, refused: [] });
});

const disk = smallDisk("a release that a full disk takes in part", 256 * 1024);

test.skipIf(!disk.isMounted)("a release that does not fit is refused, and the next one is given", () => {
  const { releases, emitted } = opened(disk.path);
  const path = join(disk.path, "live", "releases.ndjson");
  // Up to the end of the file's last page, which takes a part of the next line.
  do releases.append(YEN);
  while (statSync(path).size % 4096 < 4096 - 60);
  const filler = join(disk.path, "filler");
  disk.fill(filler, 0);
  expect(() => releases.append(EURO)).toThrow(/ENOSPC/);
  rmSync(filler);
  releases.append(EURO);
  expect(opened(disk.path).releases.list().at(-1)).toEqual(EURO);
  expect(emitted).toEqual([expect.objectContaining({ kind: "release_unreadable" })]);
});
