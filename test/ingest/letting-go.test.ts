/** A history is not held in several forms at once: each is let go when the next one is made, so that a first start fits into little memory. */

import { expect, test } from "bun:test";
import { createCollector } from "#ingest/collect.ts";
import type { Lake } from "#ports.ts";
import { openFixture, withFigures } from "./fixture.ts";

/** A Tuesday of the sixth year: some 24,000 figures. */
const EARLY = Date.parse("2004-04-13T15:00:00Z");
/** The collector's own variables and the stack may keep a few. */
const MOST_LEFT = 0.01;

type Watched = WeakRef<object>[];

const leftOf = (watched: Watched) => watched.filter((one) => one.deref() !== undefined).length;

function watch(objects: readonly object[], into: Watched): void {
  for (const object of objects) into.push(new WeakRef(object));
}

test("the figures of documents are gone while their observations are written, and the observations when the lake is read back", async () => {
  const figures: Watched = [];
  const observations: Watched = [];
  const left = { figuresWhileWriting: -1, observationsWhenServed: -1 };
  const fixture = await openFixture({
    at: EARLY,
    adapt: (adapter) =>
      withFigures(adapter, (read) => {
        watch(read, figures);
        return read;
      }),
  });
  const lake: Lake = {
    ...fixture.lake,
    commit: async (decide) => {
      const version = await fixture.lake.commit((current) => {
        const change = decide(current);
        watch(change?.accepted ?? [], observations);
        return change;
      });
      // What the collection still has here it had while the lake wrote, too.
      Bun.gc(true);
      left.figuresWhileWriting = leftOf(figures);
      return version;
    },
  };
  const onCommitted = async () => {
    Bun.gc(true);
    left.observationsWhenServed = leftOf(observations);
  };
  await createCollector({ ...fixture, lake, onCommitted }).collect("ecb_daily", "history");
  expect(figures.length).toBeGreaterThan(20_000);
  expect(observations.length).toBe(figures.length);
  expect(left.figuresWhileWriting).toBeLessThan(figures.length * MOST_LEFT);
  expect(left.observationsWhenServed).toBeLessThan(observations.length * MOST_LEFT);
});
