/**
 * What another process commits is shown within seconds, also where the dataset stays as it is: statements, and how far documents reach;
 * and storage that was away is used again within a second.
 */

import { expect, test } from "bun:test";
import { openLake } from "#store/lake/lake.ts";
import { newBucket, openStorage, wayTo } from "#test/store/bucket/storage-server.ts";
import { change, day, firstChange, secondChange } from "#test/store/lake/sample.ts";
import { atEnd } from "#test/support/at-end.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { until } from "#test/support/until.ts";
import { openedDaily } from "./daily.ts";

const NOW = Date.parse("2026-01-06T15:00:00Z");

const clock = { now: () => NOW };

test("statements and coverage of another process reach a replica without a new version of the dataset", async () => {
  const directory = temporaryDirectory();
  const writer = await openLake({ directory, simulated: false, now: () => NOW });
  await writer.commit(() => firstChange());
  const replica = await openedDaily(directory, clock, { simulated: false });
  const stop = replica.watch();
  const { holder } = replica;
  const version = holder.version();
  expect(holder.unsettled().ecb_daily.contradictions).toBeNull();
  const statements = (secondChange().statements ?? []).map((statement) => ({
    ...statement,
    ...{ first: day("2025-01-02"), last: day("2025-01-02"), printed: "11.9" },
  }));
  const { coverage } = firstChange();
  await writer.commit(() => change({ coverage, statements }));
  await until("the contradiction is shown", () => holder.unsettled().ecb_daily.contradictions !== null);
  expect(holder.unsettled().ecb_daily.contradictions?.example).toBe(
    "sdmx states EUR/NOK 11.9 for 2025-01-02; 11.7445 is served",
  );
  const further = coverage.map((entry) => ({ ...entry, coveredThrough: day("2025-01-03") }));
  await writer.commit(() => change({ coverage: further, statements }));
  await until(
    "the coverage is shown",
    () => holder.dataset()?.coveredThrough.ecb_daily === day("2025-01-03"),
  );
  await writer.commit(() => change({ coverage: further, statements: [] }));
  await until("the contradiction is gone", () => holder.unsettled().ecb_daily.contradictions === null);
  expect(holder.version()).toBe(version);
  stop();
  await writer.close();
});

test("a bucket that answers again is looked at before its next turn of five seconds", async () => {
  const [place, directory] = [await newBucket(), temporaryDirectory()];
  const way = await wayTo(place.endpoint);
  const storage = await openStorage({ ...place, endpoint: way.endpoint }, directory);
  atEnd(() => storage.close());
  const replica = await openedDaily(directory, clock, { simulated: false, storage });
  way.decide(() => "refuse");
  await replica.lake.keepUp();
  expect(storage.state().fault).not.toBeNull();
  const began = performance.now();
  const stop = replica.watch();
  way.decide(() => "pass");
  await until("it answers", () => storage.state().fault === null);
  expect(performance.now() - began).toBeLessThan(5_000);
  stop();
});
