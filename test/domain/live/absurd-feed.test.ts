/** Repetition is no evidence: what lies beyond the daily reference is refused until a second witness or an operator supports it. */

import { describe, expect, test } from "bun:test";
import { startChoice } from "#domain/live/feed-choice.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { isCredible, isUnconfirmed } from "#domain/live/quote-evidence.ts";
import { FALLBACK, FEEDS, FeedRun, MINUTE, PRIMARY, poll, START } from "./feed-polls.ts";

const at = (minute: number) => START + minute * MINUTE;

/** One feed alone; JPY has the reference 150. */
function alone(): FeedRun {
  return new FeedRun(startChoice(FEEDS.slice(0, 1), ["JPY"]));
}

/** The feed says the same price again and again, each time as a new observation. */
function repeat(run: FeedRun, price: string, from: number, polls: number): void {
  for (let minute = from; minute < from + polls; minute++) run.take(poll(PRIMARY, at(minute), price));
}

test("one feed alone: exactly 1.3 either way may be served after three polls; a hair more may not", () => {
  for (const [price, most] of [
    ["195.000", true],
    ["195.001", false],
    ["115.385", true],
    ["115.384", false],
    // A little beyond 1.1, from where on one poll is not enough.
    ["165.001", true],
    ["136.363", true],
  ] as const) {
    const run = alone();
    repeat(run, price, 0, 2);
    expect(run.served).toBeUndefined();
    repeat(run, price, 2, 60);
    expect(run.served).toBe(most ? price : undefined);
  }
});

test("two feeds a price of 1.2 that was believed alone is held again once a second feed contradicts it", () => {
  const run = new FeedRun();
  for (let minute = 0; minute < 5; minute++) run.both(at(minute), "180.00", "down");
  expect(run.served).toBe("180.00");
  for (let minute = 5; minute < 15; minute++) run.both(at(minute), "181.00", "150.10");
  expect([run.activeFeed, run.served]).toEqual([FALLBACK, "150.10"]);
});

test("two feeds beyond the reference that are 3 % apart support each other in nothing", () => {
  const run = new FeedRun();
  for (let minute = 0; minute < 5; minute++) run.both(at(minute), "210.00", "216.30");
  expect(run.served).toBeUndefined();
});

test.each([
  [1000, "1.51"],
  [5 * MINUTE, "150.00"],
])(
  "a price beyond the reference that comes %d ms late: a present one supports it only while it is fresh",
  (age, served) => {
    const run = new FeedRun();
    run.both(at(0), "150.00", "150.00");
    run.take(poll(FALLBACK, at(6), "1.50"));
    run.take(poll(PRIMARY, at(6) + 1, "1.51", age));
    expect(run.served).toBe(served);
  },
);

test("an absurd second feed is no contradiction: between 1.1 and 1.3 the first one counts as alone", () => {
  const run = new FeedRun();
  for (let minute = 0; minute < 5; minute++) run.both(at(minute), "180.00", "0.00666667");
  expect([run.activeFeed, run.served]).toEqual([PRIMARY, "180.00"]);
});

describe("what ends a doubt", () => {
  test("a newer reference that agrees, without another poll, even where the feed only repeats itself", () => {
    const run = alone();
    repeat(run, "250.000", 0, 5);
    expect(run.served).toBeUndefined();
    run.references = new Map([["JPY", 248]]);
    run.referenceAt = START + 3 * MINUTE;
    run.reconsider(at(5));
    expect(run.served).toBe("250.000");
  });

  test("the first reference, for a feed that was not served for want of one", () => {
    const run = alone();
    run.references = new Map();
    run.take(poll(PRIMARY, at(0), "150.00"));
    expect([run.served, run.held[0]?.rule]).toEqual([undefined, "no_reference"]);
    run.references = new Map([["JPY", 151]]);
    run.reconsider(at(1));
    expect(run.served).toBe("150.00");
  });

  test("an operator's release: of that feed, near that price, until the next reference", () => {
    const release = {
      at: at(2),
      feed: PRIMARY,
      currency: "JPY" as const,
      price: "250.00",
      reference: { perDollar: 150, observedAt: START - 86_400_000 },
    };
    const run = new FeedRun();
    for (let minute = 0; minute < 3; minute++) run.both(at(minute), "250.00", "down");
    expect(run.served).toBeUndefined();
    run.releases = [{ ...release, currency: "CHF" }];
    run.reconsider(at(3));
    expect(run.served).toBeUndefined();
    run.releases = [release];
    run.reconsider(at(3));
    expect(run.served).toBe("250.00");
    run.both(at(4), "274.00", "down");
    expect(run.served).toBe("274.00");
    for (const beyond of ["276.00", "226.00", "150000", "0.00400000"]) {
      for (let minute = 5; minute < 10; minute++) run.both(at(minute), beyond, "down");
      expect(run.served).toBe("274.00");
    }
    // Not another feed's price.
    for (let minute = 15; minute < 25; minute++) run.both(at(minute), "down", "252.00");
    expect(run.served).toBe("274.00");
    // The next reference says 150 again.
    run.referenceAt = at(26);
    run.reconsider(at(26));
    for (let minute = 27; minute < 40; minute++) run.both(at(minute), "252.00", "down");
    expect(run.served).toBe("274.00");
  });

  test("a believed quote that a newer reference contradicts is held from then on", () => {
    const run = alone();
    run.take(poll(PRIMARY, at(0), "150.00"));
    run.references = new Map([["JPY", 210]]);
    run.referenceAt = at(1);
    run.reconsider(at(1));
    expect(run.state[0]?.feeds[0]?.doubted).toMatchObject({ rule: "beyond_reference" });
    expect(run.state[0]?.feeds[0]?.newest).toBe(null);
  });

  test("another feed's support is remembered with the quote, and makes it credible wherever it is kept", () => {
    const run = new FeedRun();
    run.both(at(0), "210.00", "210.50");
    const served = run.state[0]?.served as LiveQuote;
    expect(served.supportedBy).toBe(FALLBACK);
    const reference = { perDollar: 150, observedAt: START };
    expect(isCredible(served, reference, [])).toBe(true);
    const { supportedBy: _, ...bare } = served;
    expect([isCredible(bare, reference, []), isCredible(bare, null, [])]).toEqual([false, false]);
    expect(isCredible({ ...bare, mid: "195.00" }, reference, [])).toBe(true);
  });
});

const reference = { perDollar: 150, observedAt: START };
test.each([
  [157, false],
  [158, true],
  [180, true],
])(
  "%d where the reference is 150: one feed alone is served after three polls, beyond 1.05 unconfirmed; with a second feed's agreement confirmed",
  (price, isFar) => {
    const run = alone();
    run.take(poll(PRIMARY, at(-1), "150.000"));
    repeat(run, `${price}.000`, 0, 3);
    expect(run.served).toBe(`${price}.000`);
    expect(isUnconfirmed(run.state[0]?.served as LiveQuote, reference)).toBe(isFar);
    // A far one that returns to the reference is believed at once, a jump within 1.05 of it is not.
    run.take(poll(PRIMARY, at(3), "149.000"));
    expect(run.served).toBe(isFar ? "149.000" : "157.000");
    const two = new FeedRun();
    two.both(at(0), `${price + 1}.00`, `${price + 1}.10`);
    two.both(at(1), `${price}.00`, `${price}.10`);
    expect(two.served).toBe(`${price}.00`);
    expect(isUnconfirmed(two.state[0]?.served as LiveQuote, reference)).toBe(false);
  },
);

test("a feed that is polled every 45 minutes: a price 6 % from the last one needs a second poll, when that one is over an hour old", () => {
  for (const [minutes, polls] of [
    [45, 2],
    [120, 1],
  ] as const) {
    const run = new FeedRun(startChoice([{ feed: PRIMARY, oldestSeconds: 3 * 45 * 60 }], ["JPY"]));
    run.take(poll(PRIMARY, at(0), "150.00"));
    let taken = 0;
    while (run.served !== "159.00" && taken < 10)
      run.take(poll(PRIMARY, at(minutes + 45 * taken++), "159.00"));
    expect([minutes, taken]).toEqual([minutes, polls]);
  }
});

test("a doubt is reported when it begins and when its rule changes, not with every poll", () => {
  const run = alone();
  repeat(run, "285.000", 0, 60);
  repeat(run, "1500.00", 60, 60);
  run.take(poll(PRIMARY, at(120), "150.00"));
  repeat(run, "285.000", 121, 60);
  expect(run.held.map(({ rule }) => rule)).toEqual(["beyond_reference", "decimal_slip", "beyond_reference"]);
  expect(run.state[0]?.feeds[0]?.doubted?.since).toBe(at(121));
});

test("a clock that is set back an hour: quotes dated by it block nothing", () => {
  const run = alone();
  run.take(poll(PRIMARY, at(60), "150.00"));
  run.take(poll(PRIMARY, at(0), "150.20"));
  expect(run.served).toBe("150.20");
});
