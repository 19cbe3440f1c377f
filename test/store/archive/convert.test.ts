/** An archive of the first layout becomes a table: nothing is lost, and nothing is changed that is in doubt. */

import { describe, expect, test } from "bun:test";
import { copyFileSync, cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openQuoteArchive } from "#store/archive/archive.ts";
import { segmentsOnDisk } from "#store/archive/journal/files.ts";
import { readSegment } from "#store/archive/journal/recovery.ts";
import { compareQuotes } from "#store/archive/quotes.ts";
import type { TelemetryEvent } from "#telemetry.ts";
import {
  ALL,
  changeManifest,
  contentOf,
  DATES,
  expectConverted,
  IN_JOURNAL,
  OLD,
  oldArchive,
  oldFile,
  QUOTES,
} from "./old-archive.ts";
import { at, lineOf, quote } from "./sample.ts";
import { filesInLog, partsOnDisk, versionsIn } from "./table-log.ts";
import { openTemporary } from "./temporary.ts";

describe("a conversion", () => {
  test("preserves every quote with its digits, those of the journal too, and leaves no file of the old layout", async () => {
    const directory = oldArchive();
    const emitted: TelemetryEvent[] = [];
    const archive = await openTemporary(directory, { emit: (event) => emitted.push(event) });
    expect(emitted).toEqual([
      { kind: "lake_repaired", detail: "3 dates of quotes were converted to a Delta table" },
    ]);
    expect(archive.lastFlush()?.quotes).toBe(IN_JOURNAL);
    await archive.close();
    await expectConverted(directory);
    expect((await filesInLog(directory)).map(({ date, rows }) => `${date} ${rows}`)).toEqual([
      "2025-11-03 40",
      "2026-03-02 180",
      "2026-03-03 192",
      "2026-03-04 9",
    ]);
  });

  test("is done once: opening again changes nothing", async () => {
    const directory = oldArchive();
    await expectConverted(directory);
    const before = contentOf(directory);
    await expectConverted(directory);
    expect(contentOf(directory)).toEqual(before);
  });

  test("also happens when a reader comes first, which leaves the journal to the writer", async () => {
    const directory = oldArchive();
    const reader = await openTemporary(directory, { access: "read" });
    expect((await reader.quotes(...ALL)).length).toBe(QUOTES.length - IN_JOURNAL);
    expect(segmentsOnDisk(directory)).toEqual([5]);
    await expectConverted(directory);
    expect(await reader.quotes(...ALL)).toEqual(QUOTES);
  });

  test("happens once where several open the archive at the same time", async () => {
    const directory = oldArchive();
    const opened = await Promise.all([
      openTemporary(directory),
      ...Array.from({ length: 3 }, () => openTemporary(directory, { access: "read" })),
    ]);
    for (const archive of opened) expect(await archive.quotes(...ALL)).toEqual(QUOTES);
    expect(versionsIn(directory)).toEqual([0, 1]);
    expect(partsOnDisk(directory).length).toBe(5);
    for (const archive of opened) await archive.close();
    await expectConverted(directory);
  });

  test("leaves indexes of old files behind, which change no answer", async () => {
    const directory = oldArchive();
    const archive = await openTemporary(directory);
    const from = at("2026-03-02T00:00:00Z");
    const query = { base: "USD", symbol: "JPY", from, to: from + 86_400_000, widthSeconds: 86_400 } as const;
    const bars = () => archive.bars({ ...query, order: "asc", limit: 9 });
    const before = await bars();
    expect(before).toMatchObject([{ ticks: 60 }]);
    expect(await archive.index({ from: 0, to: 1e5, now: at("2026-03-09T00:00:00Z") })).toBe(4);
    expect(await bars()).toEqual(before);
  });

  test("removes what an old writer left unfinished", async () => {
    const directory = oldArchive();
    for (const name of ["date=2026-03-02/.quotes.parquet-17-3.tmp", ".manifest.json-17-4.tmp"])
      writeFileSync(join(directory, "intraday", name), "unfinished");
    await expectConverted(directory);
  });
});

describe("what is in doubt is not converted, and nothing is changed", () => {
  async function expectRefused(directory: string, complaint: RegExp): Promise<void> {
    const before = contentOf(directory);
    await expect(openTemporary(directory)).rejects.toThrow(complaint);
    expect(contentOf(directory)).toEqual(before);
  }

  test.each([...DATES])("a changed byte in the file of %s", async (date) => {
    const directory = oldArchive();
    const bytes = readFileSync(oldFile(directory, date));
    bytes[100] = (bytes[100] as number) ^ 1;
    writeFileSync(oldFile(directory, date), bytes);
    const named = new RegExp(`date=${date}/quotes.parquet is not what its manifest says. Restore it`);
    await expectRefused(
      directory,
      date === "2025-11-03" ? /quotes.parquet (is not what|cannot be read)/ : named,
    );
    copyFileSync(oldFile(join(OLD, "lake"), date), oldFile(directory, date));
    await expectConverted(directory);
  });

  test("a file that is cut, or missing", async () => {
    const directory = oldArchive();
    const bytes = readFileSync(oldFile(directory, "2026-03-03"));
    writeFileSync(oldFile(directory, "2026-03-03"), bytes.subarray(0, -20));
    await expectRefused(directory, /date=2026-03-03\/quotes.parquet cannot be read. Restore it/);
    rmSync(oldFile(directory, "2026-03-03"));
    await expectRefused(directory, /date=2026-03-03\/quotes.parquet is missing. Restore it/);
    // As it is advised: without the file and without its entry the others are converted.
    changeManifest(directory, (manifest) => {
      manifest.files = manifest.files.filter(({ path }) => !path.includes("2026-03-03"));
    });
    const lost = new Set(
      readSegment(readFileSync(join(OLD, "quotes.txt"), "utf8"))
        .quotes.slice(40 + 180, 40 + 360)
        .map(lineOf),
    );
    await expectConverted(
      directory,
      QUOTES.filter((one) => !lost.has(lineOf(one))),
    );
  });

  test("a manifest that is no JSON; without it the files are taken as they are", async () => {
    const directory = oldArchive();
    writeFileSync(join(directory, "intraday/manifest.json"), "{");
    await expectRefused(directory, /manifest.json cannot be understood .* or delete it/);
    rmSync(join(directory, "intraday/manifest.json"));
    await expectConverted(directory);
  });

  test("simulated quotes where real ones are meant, and the other way round", async () => {
    const directory = oldArchive();
    const before = contentOf(directory);
    const simulated = { simulated: true } as const;
    await expect(openTemporary(directory, simulated)).rejects.toThrow("real rates, which the demo refuses");
    // Without the manifest the files themselves say it.
    rmSync(join(directory, "intraday/manifest.json"));
    await expect(openTemporary(directory, simulated)).rejects.toThrow("real rates, which the demo refuses");
    copyFileSync(join(OLD, "lake/intraday/manifest.json"), join(directory, "intraday/manifest.json"));
    expect(contentOf(directory)).toEqual(before);
    changeManifest(directory, (manifest) => {
      manifest.mode = "simulated";
    });
    await expectRefused(directory, /simulated rates, which serve refuses/);
  });

  test("files that an older version wrote after the conversion", async () => {
    const directory = oldArchive();
    await expectConverted(directory);
    cpSync(join(OLD, "lake"), directory, { recursive: true });
    changeManifest(directory, (manifest) => {
      manifest.sequence += 1;
    });
    await expectRefused(directory, /was written by an older version of Crossrate after this archive was/);
  });
});

describe("where the manifest is behind", () => {
  test("a file that a dead writer left ahead of it is taken, by the sequence in it", async () => {
    const directory = oldArchive();
    changeManifest(directory, (manifest) => {
      manifest.sequence = 1;
      for (const file of manifest.files) if (file.path.includes("2026-03-03")) file.sha256 = "0a".repeat(32);
    });
    await expectConverted(directory);
  });

  test("a file that it does not name is taken when it can be read, and only then", async () => {
    const directory = oldArchive();
    changeManifest(directory, (manifest) => {
      manifest.files = manifest.files.filter(({ path }) => path.includes("2026-03-02"));
    });
    const bytes = readFileSync(oldFile(directory, "2026-03-03"));
    writeFileSync(oldFile(directory, "2026-03-03"), bytes.subarray(0, 400));
    await expect(openTemporary(directory)).rejects.toThrow(/2026-03-03\/quotes.parquet cannot be read/);
    writeFileSync(oldFile(directory, "2026-03-03"), bytes);
    await expectConverted(directory);
  });
});

test("quotes that come to a converted date go into its new file", async () => {
  const directory = oldArchive();
  const archive = await openQuoteArchive({ directory, simulated: false, access: "write" });
  const late = quote("USD/CHF", "0.80", at("2025-11-03T10:00:00Z"));
  await archive.append([late]);
  expect(await archive.flush()).toBe(1);
  await archive.close();
  await expectConverted(directory, [...QUOTES, late].toSorted(compareQuotes));
});
