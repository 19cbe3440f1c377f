/**
 * Random feeds, absurd in every way, over days of random references and releases: an independent oracle decides what may be served, and
 * when a feed may be left.
 */

import { expect, test } from "bun:test";
import { CHOICE_POLICY, type ChoiceStep, startChoice } from "#domain/live/feed-choice.ts";
import type { FeedId, FeedOutcome, LiveQuote, QuoteRelease } from "#domain/live/live-quote.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { brought, FeedRun, poll, quoteOf, START } from "./feed-polls.ts";

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
  "%d feeds: nothing beyond 1.3 is ever served without a witness or a release, nothing older than before, and no feed is taken too soon",
  (count) => {
    let servedInAll = 0;
    let supported = 0;
    let changes = 0;
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
      const outcomes: FeedOutcome[] = [];
      const switches: ChoiceStep["switches"][number][] = [];
      let newest = Number.NEGATIVE_INFINITY;
      const reconsider = () => switches.push(...run.reconsider(now).switches);
      const take = (outcome: FeedOutcome) => {
        outcomes.push(outcome);
        const again = new FeedRun(JSON.parse(JSON.stringify(run.state)));
        Object.assign(again, { references: run.references, referenceAt: run.referenceAt, releases });
        const step = run.take(outcome);
        switches.push(...step.switches);
        // The state is data: read again, it goes on as before.
        if (seed === 1) expect(again.take(outcome)).toEqual(step);
      };
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
          reconsider();
        } else if (turn < 0.015 && price !== null) {
          const known = reference === null ? null : { perDollar: reference, observedAt: run.referenceAt };
          releases = [{ at: now, feed, currency: "JPY", price: price.toPrecision(8), reference: known }];
          run.releases = releases;
          reconsider();
        } else if (price === null || turn < 0.06) take(poll(feed, now, price === null ? "down" : null));
        else {
          // Now and then it repeats itself, or its price is minutes old.
          const said = turn < 0.12 ? quoted.findLast((one) => one.feed === feed) : undefined;
          const age = turn < 0.2 ? Math.floor(random() * 300_000) : 1000;
          const quote = said ?? quoteOf(feed, price.toPrecision(8), now - age);
          quoted.push(quote);
          run.references = new Map(reference === null ? [] : [["JPY", reference]]);
          take(brought(feed, now, [quote]));
        }
        const served = run.state[0]?.served;
        if (served === null || served === undefined || served.mid === before) continue;
        servedInAll += 1;
        expect(served.observedAt).toBeGreaterThan(newest);
        newest = served.observedAt;
        const isSame = ({ feed, mid, observedAt }: LiveQuote) =>
          feed === served.feed && mid === served.mid && observedAt === newest;
        expect(quoted.some(isSame)).toBe(true);
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
      for (const [place, { from, to, at, reason }] of switches.entries()) {
        const before = switches[place - 1];
        if (before === undefined) continue;
        changes += 1;
        expect([seed, from]).toEqual([seed, before.to]);
        expect(at - before.at).toBeGreaterThanOrEqual(CHOICE_POLICY.leastSeconds * 1000);
        if (reason !== "recovered") continue;
        const polls = outcomes.filter((outcome) => outcome.feed === to && outcome.at <= at).slice(-5);
        for (const outcome of polls) expect(outcome.kind).not.toBe("failed");
      }
    }
    expect(changes > 40).toBe(count > 1);
    expect(servedInAll).toBeGreaterThan(2000);
    expect(supported > 0).toBe(count > 1);
  },
);
