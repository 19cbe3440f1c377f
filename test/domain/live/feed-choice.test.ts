/** Which feed is active: hysteresis both ways, no time travel, and wrong quotes that are held until another feed confirms them. */

import { describe, expect, test } from "bun:test";
import { refusedQuotes, startChoice } from "#domain/live/feed-choice.ts";
import { perDollar } from "#domain/live/quote-evidence.ts";
import { brought, FALLBACK, FEEDS, FeedRun, MINUTE, PRIMARY, poll, quoteOf, START } from "./feed-polls.ts";

const at = (minute: number) => START + minute * MINUTE;

describe("at first", () => {
  test("a fall-back that is first waits for the primary's first answer, whichever it is", () => {
    const run = new FeedRun();
    run.take(poll(FALLBACK, START, "150.01"));
    expect(run.activeFeed).toBe(null);
    run.take(poll(PRIMARY, START + 100, "150.00"));
    expect([run.activeFeed, run.served]).toEqual([PRIMARY, "150.00"]);
    const without = new FeedRun();
    without.take(poll(FALLBACK, START, "150.01"));
    without.take(poll(PRIMARY, START + 100, "down"));
    expect([without.activeFeed, without.served]).toEqual([FALLBACK, "150.01"]);
  });

  test("but not longer than the policy allows", () => {
    const run = new FeedRun();
    run.take(poll(FALLBACK, START, "150.01"));
    run.take(poll(FALLBACK, at(1), "150.02"));
    expect([run.activeFeed, run.served]).toEqual([FALLBACK, "150.02"]);
  });

  test("what was served before a restart is never followed by something older", () => {
    const known = new Map([["JPY", quoteOf(FALLBACK, "150.03", START - 500)]] as const);
    const run = new FeedRun(startChoice(FEEDS, ["JPY"], known));
    run.take(poll(PRIMARY, START, "150.00"));
    expect([run.activeFeed, run.served]).toEqual([null, "150.03"]);
    run.take(poll(PRIMARY, at(1), "150.04"));
    expect([run.activeFeed, run.served]).toEqual([PRIMARY, "150.04"]);
  });
});

describe("leaving the primary", () => {
  test.each([
    ["failed", "down"],
    ["came without the currency", null],
  ] as const)("takes three polls that %s", (_, answer) => {
    const run = new FeedRun();
    run.both(at(0), "150.00", "150.01");
    for (const minute of [1, 2]) run.both(at(minute), answer, "150.02");
    expect([run.activeFeed, run.served]).toEqual([PRIMARY, "150.00"]);
    run.both(at(3), answer, "150.03");
    expect([run.activeFeed, run.served]).toEqual([FALLBACK, "150.03"]);
    expect(run.switches.at(-1)).toMatchObject({ from: PRIMARY, to: FALLBACK, reason: "failing" });
  });

  test.each([
    ["Saturday", "2026-04-17T20:59:00Z", "2026-04-18T12:00:00Z"],
    ["Christmas", "2025-12-24T21:59:00Z", "2025-12-25T12:00:00Z"],
  ])("does not come by polls that fail while the market is closed: %s", (_, last, closed) => {
    const run = new FeedRun();
    run.both(Date.parse(last), "150.00", "150.01");
    for (const minute of [0, 1, 2, 3]) run.both(Date.parse(closed) + minute * MINUTE, "down", "150.02");
    expect([run.activeFeed, run.served]).toEqual([PRIMARY, "150.00"]);
  });

  test("comes by age alone when the primary is not polled at all", () => {
    const run = new FeedRun();
    run.both(at(0), "150.00", "150.01");
    for (const minute of [1, 2, 3]) run.take(poll(FALLBACK, at(minute), "150.02"));
    expect(run.activeFeed).toBe(FALLBACK);
  });

  test("does not happen without a fallback that has a newer quote", () => {
    const run = new FeedRun();
    run.both(at(0), "150.00", null);
    for (let minute = 1; minute < 10; minute++) {
      run.take(poll(PRIMARY, at(minute), "down"));
      run.take(poll(FALLBACK, at(minute) + 1, "150.02", 1000 + minute * MINUTE));
    }
    expect([run.activeFeed, run.served]).toEqual([PRIMARY, "150.00"]);
  });

  test("does not lead to a fall-back whose last poll failed", () => {
    const run = new FeedRun();
    run.both(at(0), "150.00", "150.01");
    run.both(at(1), "down", "150.02");
    for (const minute of [2, 3]) run.both(at(minute), "down", "down");
    expect([run.activeFeed, run.served]).toEqual([PRIMARY, "150.00"]);
  });

  test("is not delayed by a clock that is set back an hour", () => {
    const run = new FeedRun();
    run.both(at(60), "150.00", "150.01");
    for (const minute of [1, 2, 3]) run.both(at(minute), "down", "150.02");
    expect([run.activeFeed, run.served]).toEqual([FALLBACK, "150.02"]);
  });

  test("a poll that did not request a currency has no effect on it", () => {
    const run = new FeedRun();
    run.take(poll(PRIMARY, START, "150.00"));
    const before = run.state;
    for (let second = 1; second < 60; second++) {
      run.take({ ...poll(PRIMARY, START + second * 1000, "down"), requested: ["SEK"] });
    }
    expect(run.state).toEqual(before);
  });
});

function onFallback(): FeedRun {
  const run = new FeedRun();
  run.both(at(0), "150.00", "150.01");
  for (const minute of [1, 2, 3]) run.both(at(minute), "down", "150.02");
  expect(run.activeFeed).toBe(FALLBACK);
  return run;
}

test("going back comes sooner when the fall-back fails, but never within the least time", () => {
  const run = onFallback();
  for (let minute = 3.3; minute < 5; minute += 0.3) run.both(at(minute), "150.05", "down");
  expect(run.activeFeed).toBe(FALLBACK);
  run.both(at(5.1), "150.09", "down");
  expect(run.activeFeed).toBe(PRIMARY);
});

describe("the primary is active again after five good polls", () => {
  test("however long these take", () => {
    const slowly = FEEDS.map(({ feed }) => ({ feed, oldestSeconds: 1800 }));
    const run = new FeedRun(startChoice(slowly, ["JPY"]));
    for (const minute of [0, 10, 20, 30]) run.both(at(minute), minute === 0 ? "150.00" : "down", "150.01");
    for (const minute of [40, 50, 60, 70]) run.both(at(minute), "150.02", "150.03");
    expect(run.activeFeed).toBe(FALLBACK);
    run.both(at(80), "150.04", "150.05");
    expect(run.activeFeed).toBe(PRIMARY);
  });

  /** Both feeds every minute, one before the other; the primary's prices are `behind` milliseconds old, the fall-back's new. */
  function recovering(primaryFirst: boolean, behind: number, minutes: number): FeedRun {
    const run = new FeedRun();
    const price = (minute: number) => (150 + minute / 1000).toFixed(3);
    for (let minute = 0; minute < minutes; minute++) {
      const down = minute >= 5 && minute < 15;
      const pollPrimary = (when: number) =>
        run.take(poll(PRIMARY, when, down ? "down" : price(minute), behind));
      if (primaryFirst) pollPrimary(at(minute));
      run.take(poll(FALLBACK, at(minute) + 400, price(minute), 0));
      if (!primaryFirst) pollPrimary(at(minute) + 800);
    }
    return run;
  }

  describe.each([true, false])("requested first: %s", (primaryFirst) => {
    test.each([0, 400, 5_000, 90_000])(
      "with prices %d ms old, and no served quote goes back in time",
      (behind) => {
        const run = recovering(primaryFirst, behind, 40);
        expect(run.switches.map(({ to }) => to)).toEqual([PRIMARY, FALLBACK, PRIMARY]);
        expect(run.switches.at(-1)).toMatchObject({ reason: "recovered" });
        expect(((run.switches.at(-1)?.at ?? 0) - START) / MINUTE).toBeCloseTo(20, 1);
        const served = run.steps.flatMap((step) => step.served);
        for (const [place, { observedAt }] of served.entries())
          expect(observedAt).toBeGreaterThan(served[place - 1]?.observedAt ?? 0);
        expect(served.at(-1)?.feed).toBe(PRIMARY);
      },
    );

    test("but not while its prices are so old that it would have to leave before its next poll", () => {
      const run = recovering(primaryFirst, 150_000, 120);
      // Left once for good, not again and again.
      expect(run.switches.filter(({ from }) => from === PRIMARY).length).toBeLessThanOrEqual(1);
    });
  });
});

describe("a quote that is hard to believe", () => {
  function quiet(): FeedRun {
    const run = new FeedRun();
    run.both(at(0), "150.00", "150.01");
    return run;
  }

  test("ten times too large is held from the first quote on, and without a reference by the last quote", () => {
    const first = new FeedRun();
    first.both(at(0), "1500.0", "down");
    expect(first.served).toBeUndefined();
    const run = quiet();
    run.references = new Map();
    run.both(at(1), "1500.0", "down");
    expect(run.served).toBe("150.00");
  });

  test("a jump of six per cent in a minute is held until the second feed confirms it", () => {
    const run = quiet();
    run.take(poll(PRIMARY, at(1), "159.00"));
    expect([run.served, run.held[0]?.rule]).toEqual(["150.00", "jump"]);
    run.take(poll(FALLBACK, at(1) + 1, "159.10"));
    // The second feed confirms what the first one quoted before: the first need not be polled again.
    expect(run.served).toBe("159.00");
    run.take(poll(PRIMARY, at(2), "159.20"));
    expect(run.served).toBe("159.20");
  });

  test("a jump is held as long as the second feed contradicts", () => {
    const run = quiet();
    for (let minute = 1; minute <= 2; minute++) run.both(at(minute), "159.00", "150.02");
    run.both(at(3), "159.00", "150.03");
    expect([run.activeFeed, run.served]).toEqual([FALLBACK, "150.03"]);
    // Its last good quote is young enough: what it quotes is not.
    expect(run.switches.at(-1)?.reason).toBe("failing");
  });

  test("without a second feed three polls that agree are believed, and the quotes after them at once", () => {
    const run = quiet();
    // Past the age at which the fallback's quote still contradicts it.
    const fresh = 4;
    for (let poll_ = 0; poll_ < 3; poll_++) {
      expect(run.served).toBe("150.00");
      run.both(at(fresh + poll_), `17${poll_}.00`, "down");
    }
    expect(run.served).toBe("172.00");
    run.both(at(fresh + 3), "175.00", "down");
    expect(run.served).toBe("175.00");
    run.both(at(fresh + 4), "151.00", "down");
    expect(run.served).toBe("151.00");
  });

  test("three polls that do not agree, that are not in a row, or that are one observation, are not believed", () => {
    const differing = quiet();
    const prices = ["170.00", "173.00", "170.00", "173.00", "176.00", "170.00"];
    for (const [index, price] of prices.entries()) differing.both(at(4 + index), price, "down");
    const broken = quiet();
    for (let minute = 4; minute < 30; minute++)
      broken.both(at(minute), minute % 3 === 0 ? "down" : "170.00", "down");
    // One observation again and again, and in turn with an older copy.
    const [repeated, copied] = [quiet(), quiet()];
    for (let minute = 4; minute < 30; minute++) {
      const age = (minute - 4) * MINUTE + 1000;
      repeated.take(poll(PRIMARY, at(minute), "170.00", age));
      copied.take(poll(PRIMARY, at(minute), "170.00", age + (minute % 2) * 1000));
    }
    for (const run of [differing, broken, repeated, copied]) expect(run.served).toBe("150.00");
  });

  test("a wrong quote that is corrected under the same time is dropped", () => {
    const run = quiet();
    run.take(poll(PRIMARY, at(1), "1500.0"));
    run.take(poll(PRIMARY, at(1) + 10, "150.05", 1010));
    expect(run.served).toBe("150.05");
  });

  test("a wrong quote without a reference is not served, and does not make a right one suspicious once there is a reference", () => {
    const run = new FeedRun();
    run.references = new Map();
    run.both(at(0), "1500.0", "down");
    expect(run.served).toBeUndefined();
    run.references = new Map([["JPY", 150]]);
    run.both(at(1), "150.00", "down");
    expect(run.served).toBe("150.00");
  });

  test("a wrong quote leaves its currency unanswered where nothing is served, and when the active feed has had three", () => {
    const unanswered = (run: FeedRun) =>
      refusedQuotes(run.state, run.known(), at(0)).map(({ feed, isUnanswered }) => [feed, isUnanswered]);
    const first = new FeedRun();
    first.take(poll(PRIMARY, at(0), "1500.0"));
    expect(unanswered(first)).toEqual([[PRIMARY, true]]);
    const active = new FeedRun();
    active.both(at(0), "150.00", "down");
    const after = [1, 2, 3].map((minute) => {
      active.both(at(minute), "1500.0", "down");
      return unanswered(active);
    });
    expect(after).toEqual([[[PRIMARY, false]], [[PRIMARY, false]], [[PRIMARY, true]]]);
    const other = new FeedRun();
    for (const minute of [0, 1, 2, 3, 4]) other.both(at(minute), "150.00", "1500.0");
    expect(unanswered(other)).toEqual([[FALLBACK, false]]);
  });

  test("feeds that are over 2 % apart contradict each other while both are fresh; which one is served does not change", () => {
    const run = quiet();
    run.both(at(1), "150.00", "153.10");
    const listed = (minute: number) =>
      refusedQuotes(run.state, run.known(), at(minute)).map(({ feed, rule }) => `${feed} ${rule}`);
    expect([run.activeFeed, run.served, listed(1)]).toEqual([PRIMARY, "150.00", [`${FALLBACK} contradicts`]]);
    run.both(at(2), "150.00", "152.90");
    expect(listed(2)).toEqual([]);
    run.both(at(3), "150.00", "153.10");
    const alone = [4, 5, 6].map((minute) => {
      run.take(poll(PRIMARY, at(minute), "150.00"));
      return listed(minute).length;
    });
    expect(alone).toEqual([1, 1, 0]);
  });

  test("the way round of a quote does not matter", () => {
    expect(perDollar({ base: "EUR", mid: "1.25" })).toBe(0.8);
    const run = new FeedRun(startChoice(FEEDS, ["EUR"]));
    run.references = new Map([["EUR", 0.8]]);
    for (const [minute, mid] of ["1.2500", "12.500"].entries()) {
      const quote = { ...quoteOf(PRIMARY, mid, at(minute)), base: "EUR", quote: "USD" } as const;
      run.take(brought(PRIMARY, at(minute), [quote], ["EUR"]));
    }
    expect([run.served, run.held[0]?.rule]).toEqual(["1.2500", "decimal_slip"]);
  });
});
