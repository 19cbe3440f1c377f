/** Files of a lake for readers far away: what the manifest names, one version at a time, and nothing else. */

import { expect, test } from "bun:test";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "#domain/errors.ts";
import { openQuoteArchive } from "#store/archive/archive.ts";
import { openLakeFiles } from "#store/lake/files.ts";
import { openLake } from "#store/lake/lake.ts";
import { seededRandom } from "#test/seeded-random.ts";
import { at, quote } from "#test/store/archive/sample.ts";
import { temporaryDirectory } from "#test/temporary.ts";
import { change, firstChange, observation } from "./sample.ts";

const QUOTES = "intraday/date=2026-03-02/quotes.parquet";

const DAILY = "daily/source=ecb_daily/year=2025/rates.parquet";

async function filledLake() {
  const directory = temporaryDirectory();
  const lake = await openLake({ directory, simulated: false });
  await lake.commit(firstChange);
  return { directory, lake, files: openLakeFiles(directory) };
}

const sha256 = (content: Uint8Array | string) => new Bun.CryptoHasher("sha256").update(content).digest("hex");

test("a file has the size and digest of its bytes, and any part of it can be read", async () => {
  const { directory, lake, files } = await filledLake();
  const bytes = readFileSync(join(directory, DAILY));
  const file = await files.open(DAILY);
  expect([file?.bytes, file?.sha256]).toEqual([bytes.length, sha256(bytes)]);
  expect(Buffer.from((await file?.read(0, 4)) ?? []).toString()).toBe("PAR1");
  expect(Buffer.from((await file?.read(100, bytes.length)) ?? []).equals(bytes.subarray(100))).toBe(true);
  await file?.close();
  const { text, sha256: digest } = await files.manifest();
  expect(text).toBe(readFileSync(join(directory, "manifest.json"), "utf8"));
  expect(digest).toBe(sha256(text));
  await lake.close();
});

test("an open file keeps its version when a commit takes its place, and the next one opened is the new one", async () => {
  const { directory, lake, files } = await filledLake();
  const before = readFileSync(join(directory, DAILY));
  const old = await files.open(DAILY);
  await lake.commit(() => change({ accepted: [observation("2025-01-03", "USD", "1.0299")] }));
  expect(Buffer.from((await old?.read(0, before.length)) ?? []).equals(before)).toBe(true);
  await old?.close();
  const renewed = await files.open(DAILY);
  expect(renewed?.sha256).toBe(sha256(readFileSync(join(directory, DAILY))));
  expect(renewed?.sha256).not.toBe(old?.sha256);
  await renewed?.close();
  await lake.close();
});

test("a file of the same size that is ahead of the manifest goes under its own digest", async () => {
  const { directory, lake, files } = await filledLake();
  await (await files.open(DAILY))?.close();
  const changed = readFileSync(join(directory, DAILY));
  changed[changed.length >> 1] = (changed[changed.length >> 1] as number) ^ 1;
  writeFileSync(join(directory, ".next"), changed);
  renameSync(join(directory, ".next"), join(directory, DAILY));
  const file = await files.open(DAILY);
  expect(file?.sha256).toBe(sha256(changed));
  await file?.close();
  await lake.close();
});

test("what the manifest does not name letter by letter is not there", async () => {
  const { directory, lake, files } = await filledLake();
  writeFileSync(join(directory, "daily", "stray.parquet"), "PAR1");
  for (const path of ["daily/stray.parquet", "manifest.json", `./${DAILY}`, `daily/../${DAILY}`, "", "/"])
    expect(await files.open(path)).toBeNull();
  rmSync(join(directory, DAILY));
  expect(await files.open(DAILY)).toBeNull();
  await lake.close();
});

test("without a manifest there is a refusal that passes, not an empty lake", async () => {
  const { directory, lake, files } = await filledLake();
  rmSync(join(directory, "manifest.json"));
  for (const attempt of [() => files.manifest(), () => files.open(DAILY)]) {
    const fault = await attempt().then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(fault).toBeInstanceOf(Failure);
    expect((fault as Failure).code).toBe("service_unavailable");
  }
  await lake.close();
});

test("a large file has a name of its own, which leads to the opened version also when the next one is in place", async () => {
  const directory = temporaryDirectory();
  const archive = await openQuoteArchive({ directory, simulated: false, access: "write" });
  const start = at("2026-03-02T00:00:00Z");
  const random = seededRandom(1);
  await archive.append(
    Array.from({ length: 50_000 }, (_, index) =>
      quote("USD/EUR", (0.8 + random() / 10).toFixed(12), start + index * 1_600),
    ),
  );
  await archive.flush();
  const files = openLakeFiles(directory);
  const before = readFileSync(join(directory, QUOTES));
  const file = await files.open(QUOTES);
  await file?.close();
  expect(before.length).toBeGreaterThan(256 * 1024);
  expect(file?.sha256).toBe(sha256(before));

  await archive.append([quote("USD/EUR", "0.9", start + 80_000_000)]);
  await archive.flush();
  expect(readFileSync(join(directory, QUOTES)).equals(before)).toBe(false);
  expect(readFileSync(file?.path ?? "").equals(before)).toBe(true);
  const [first, second] = await Promise.all([files.open(QUOTES), files.open(QUOTES)]);
  expect(first?.sha256).toBe(sha256(readFileSync(join(directory, QUOTES))));
  expect([second?.path, second?.sha256]).toEqual([first?.path as string, first?.sha256 as string]);
  await first?.close();
  await second?.close();
  expect((await files.manifest("intraday")).text).toBe(
    readFileSync(join(directory, "intraday/manifest.json"), "utf8"),
  );
  await archive.close();
});
