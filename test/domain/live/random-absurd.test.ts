/** Random feeds, absurd in every way, over days of random references and releases: an independent oracle decides what may be served. */

import { expect, test } from "bun:test";
import { startChoice } from "#domain/live/feed-choice.ts";
import type { FeedId, LiveQuote, QuoteRelease } from "#domain/live/live-quote.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { FeedRun, poll, quoteOf, START } from "./feed-polls.ts";

const NAMES: readonly FeedId[] = ["massive", "oxr", "oanda"];
const OLDEST = 180_000;
const times = (a: number, b: number) => Math.max(a / b, b / a);

/** What a feed makes of the truth, for a while each. */
const MOODS: readonly ((truth: number) => number | null)[] = [
  (truth) => truth,
  (truth) => truth,
  (truth) => 1 / truth,
  (truth) => truth * 10,
  (truth) => truth / 100,
  (truth) => truth * 1.9,
  (truth) => truth * 1.25,
  (truth) => truth / 1.2,
  (truth) => truth * 1.305,
  () => null,
];

test.each([1, 2, 3])(
  "%d feeds: nothing beyond 1.3 is ever served without a witness or a release",
  (count) => {
    let servedInAll = 0;
    let supported = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const random = seededRandom(seed * 10 + count);
      const feeds = NAMES.slice(0, count);
      const run = new FeedRun(
        startChoice(
          feeds.map((feed) => ({ feed, oldestSeconds: OLDEST / 1000 })),
          ["JPY"],
        ),
      );
      const moods = feeds.map(() => 0);
      const quoted: LiveQuote[] = [];
      let truth = 150;
      let reference: number | null = seed % 4 === 0 ? null : 150;
      let releases: QuoteRelease[] = [];
      let now = START;
      for (let step = 0; step < 400; step++) {
        now += 5000 + Math.floor(random() * 50_000);
        truth *= random() < 0.004 ? 0.6 + random() : 1 + (random() - 0.5) * 0.002;
        const before = run.served;
        const place = Math.floor(random() * count);
        const feed = feeds[place] as FeedId;
        if (random() < 0.03) moods[place] = Math.floor(random() * MOODS.length);
        const price = MOODS[moods[place] as number]?.(truth) ?? null;
        const turn = random();
        if (turn < 0.01) {
          reference = truth;
          run.referenceAt = now;
          run.references = new Map([["JPY", reference]]);
          run.reconsider(now);
        } else if (turn < 0.015 && price !== null) {
          const known = reference === null ? null : { perDollar: reference, observedAt: run.referenceAt };
          releases = [{ at: now, feed, currency: "JPY", price: price.toPrecision(8), reference: known }];
          run.releases = releases;
          run.reconsider(now);
        } else if (price === null) run.take(poll(feed, now, "down"));
        else {
          const quote = quoteOf(feed, price.toPrecision(8), now - 1000);
          quoted.push(quote);
          run.references = new Map(reference === null ? [] : [["JPY", reference]]);
          run.take({
            kind: "quotes",
            feed,
            at: now,
            requested: ["JPY"],
            quotes: [quote],
            refusals: [],
            pauseUntil: null,
          });
        }
        const served = run.state.currencies[0]?.served;
        if (served === null || served === undefined || served.mid === before) continue;
        servedInAll += 1;
        const value = Number(served.mid);
        if (reference !== null && times(value, reference) <= 1.3) continue;
        // Quoted by another feed while the quote was fresh.
        const witness = quoted.some(
          (other) =>
            other.feed !== served.feed &&
            Math.abs(served.observedAt - other.observedAt) <= OLDEST &&
            times(Number(other.mid), value) <= 1.02,
        );
        const released = releases.some(
          (release) =>
            release.feed === served.feed &&
            times(Number(release.price), value) <= 1.1 &&
            (reference === null || run.referenceAt === release.reference?.observedAt),
        );
        if (witness) supported += 1;
        expect([seed, step, served.mid, reference, witness || released]).toEqual([
          seed,
          step,
          served.mid,
          reference,
          true,
        ]);
      }
    }
    expect(servedInAll).toBeGreaterThan(2000);
    expect(supported > 0).toBe(count > 1);
  },
);
