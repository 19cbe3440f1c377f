/** A simulated week as a test drives it: it advances to a moment and checks every surface on the way, closely around every turn. */

import { expect } from "bun:test";
import { type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { PlayedFeed, Trouble } from "./feed-server.ts";
import { type FixturePlan, openFixture } from "./fixture.ts";
import { nameOf } from "./ledger.ts";
import type { Look } from "./look.ts";
import { tradingHours, watchOver } from "./watch.ts";

const STEP = 60 * 60_000;
const FLUSH = 24 * 3_600_000;

export type Week = Awaited<ReturnType<typeof openWeek>>;

export async function openWeek(
  plan: FixturePlan & { readonly sessions: Parameters<typeof tradingHours>[0] },
) {
  const hours = tradingHours(plan.sessions);
  const fixture = await openFixture(plan);
  const watch = watchOver(fixture, hours);
  const closely = hours.turns.flatMap((turn) => [turn - 1000, turn, turn + 1000]);
  let flushed = fixture.time.clock.now();

  const step = async (to: Instant) => {
    await fixture.time.advance(to);
    if (to - flushed < FLUSH) return;
    flushed = to;
    await fixture.running().archive.flush();
  };
  return {
    ...fixture,
    hours,
    looks: watch.looks,
    /** Advances to a moment; resolves with what is served there. Each observation on the way goes to `each`. */
    async until(moment: string, each: (seen: Look, now: Instant) => void = () => {}) {
      const end = Date.parse(moment);
      let last: Look | null = null;
      for (let now = fixture.time.clock.now(); now < end; now = fixture.time.clock.now()) {
        const regular = (Math.floor(now / STEP) + 1) * STEP;
        const next = Math.min(regular, end, ...closely.filter((at) => at > now));
        await step(next);
        // Around turns every answer is checked against the OpenAPI document.
        last = await watch.see(closely.includes(next));
        each(last, next);
      }
      return last ?? (await watch.see());
    },
    trouble(feed: PlayedFeed, trouble: Trouble | null) {
      if (trouble === null) fixture.server.troubles.delete(feed);
      else fixture.server.troubles.set(feed, trouble);
    },
    polls: (feed: PlayedFeed, from: string, to: string) =>
      fixture.server.requested[feed].filter((at) => at >= Date.parse(from) && at < Date.parse(to)).length,
    /** Everything that was served is in the archive, each quote once, and nothing else is. */
    async assertArchived() {
      const from = Date.parse(plan.from) - MILLISECONDS_PER_DAY;
      const kept = await fixture
        .running()
        .archive.quotes(from, Date.parse(plan.until) + MILLISECONDS_PER_DAY);
      const names = kept.map(nameOf);
      expect(new Set(names).size).toBe(names.length);
      expect(names.filter((name) => !fixture.served.has(name))).toEqual([]);
      expect(names.length).toBe(fixture.served.size);
    },
  };
}
