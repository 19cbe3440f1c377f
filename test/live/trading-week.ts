/** The market's hours of a simulated week, written down by hand: nothing of the product's calendar. */

import type { Instant } from "#domain/time/day.ts";

export type Session = "open" | "weekend" | "interbank_closed";

export type TradingHours = ReturnType<typeof tradingHours>;

/** Sessions in order: each begins at its moment (`2026-03-06T22:00Z`) and ends with the next one; the first is always there. */
export function tradingHours(sessions: readonly (readonly [from: string, session: Session])[]) {
  const stretches = sessions.map(([from, session], place) => ({
    from: place === 0 ? Number.NEGATIVE_INFINITY : Date.parse(from),
    until: Date.parse(sessions[place + 1]?.[0] ?? "9999-01-01T00:00Z"),
    session,
  }));
  return {
    sessionAt: (now: Instant) =>
      (stretches.find(({ until }) => now < until) as (typeof stretches)[number]).session,
    openBetween: (from: Instant, to: Instant) =>
      stretches
        .filter(({ session }) => session === "open")
        .reduce(
          (open, stretch) => open + Math.max(0, Math.min(to, stretch.until) - Math.max(from, stretch.from)),
          0,
        ),
    turns: stretches.slice(1).map(({ from }) => from),
  };
}
