/** What must hold at every moment of a simulated week, whatever the feeds do; each violation fails by name. */

import { expect } from "bun:test";
import { CURRENCY_CODES, type CurrencyCode } from "#domain/currency/currency.ts";
import { isStale } from "#domain/history/schedule.ts";
import { atWallTime } from "#domain/time/calendar.ts";
import { dayAt, type Instant } from "#domain/time/day.ts";
import type { PlainObservation } from "#test/domain/history/columns.ts";
import { dailyPerDollar, figureInForce } from "#test/domain/spot/oracle.ts";
import { type Fraction, isPrintOf, ONE, over } from "./exact.ts";
import { type Fixture, LIVE } from "./fixture.ts";
import { type Latest, type Look, look } from "./look.ts";

/** The figure behind one currency's rate at one moment. */
interface Basis {
  readonly source: string;
  readonly effectiveAt: Instant;
  readonly value: Fraction;
  readonly stale: boolean;
}

export function watchOver(fixture: Fixture, hours: TradingHours) {
  const last = new Map<string, Instant>();
  let looks = 0;
  return {
    looks: () => looks,
    /** Requests every surface now and checks everything; resolves with the answers. */
    async see(documented = false) {
      const now = fixture.time.clock.now();
      const seen = await look(fixture, documented);
      looks += 1;
      try {
        check(fixture, hours, last, now, seen);
      } catch (fault) {
        throw new Error(`at ${new Date(now).toISOString()}: ${(fault as Error).message}`, { cause: fault });
      }
      return seen;
    },
  };
}

function check(fixture: Fixture, hours: TradingHours, last: Map<string, Instant>, now: Instant, seen: Look) {
  const { dollar, euro, yen, convert, rate, currencies, status } = seen;
  const bases = new Map<string, Basis>();
  for (const code of CURRENCY_CODES) {
    const basis = basisOf(fixture, hours, now, code, dollar);
    if (basis === null) continue;
    bases.set(code, basis);
    if (basis.effectiveAt < (last.get(code) ?? 0)) fail(code, "went back in time");
    last.set(code, basis.effectiveAt);
  }
  for (const latest of [dollar, euro, yen]) if (latest !== null) checkLatest(latest, bases, hours, now);
  const session = hours.sessionAt(now);
  for (const [pair, from, to] of [
    [convert, "EUR", "JPY"],
    [rate, "USD", "MXN"],
  ] as const) {
    const known = bases.has(from) && bases.has(to);
    if (pair === null) {
      if (known) fail(`${from}/${to}`, "is refused although both are known");
      continue;
    }
    const exact = over(fractionFor(bases, to), fractionFor(bases, from));
    if (!isPrintOf(pair.rate, exact))
      fail(`${from}/${to}`, `${pair.rate} is not what its currencies stand for`);
    const stale = [from, to].some((code) => bases.get(code)?.stale === true);
    expect([pair.market_session, pair.stale]).toEqual([session, stale]);
  }
  const live = [...bases].filter(([code, { source }]) => code !== "USD" && source === "live");
  const flagged = currencies.currencies.filter(({ code, live }) => live && code !== "USD");
  expect(flagged.map(({ code }) => code as string).sort()).toEqual(live.map(([code]) => code).sort());
  const { live_data } = status.checks;
  expect(live_data.market_session).toBe(session);
  expect(live_data.live_currencies).toBe(String(live.length));
  const stale = live.filter(([, basis]) => basis.stale).map(([code]) => code);
  expect(live_data.stale.filter((code) => bases.get(code)?.source === "live").sort()).toEqual(stale.sort());
}

/** What a currency's rate against the dollar rests on, found again in the ledger or in the daily figures. */
function basisOf(
  fixture: Fixture,
  hours: TradingHours,
  now: Instant,
  code: CurrencyCode,
  { rates, sources, effective_at, stale }: Latest,
): Basis | null {
  const { figures, dataset } = fixture.daily.at(now);
  if (code === "USD") return { source: "", effectiveAt: 0, value: ONE, stale: false };
  const text = rates[code];
  if (text === undefined) return null;
  const [source, effective] = [sources[code] as string, Date.parse(effective_at[code] as string)];
  if (effective > now) fail(code, "is of the future");
  if (source === "live") {
    if (!LIVE.includes(code)) fail(code, "is live without being configured");
    if (hours.sessionAt(effective) !== "open") fail(code, "is of a time when the market was shut");
    const found = fixture.server.ledger
      .of(code, effective)
      .find(({ perDollar }) => isPrintOf(text, perDollar));
    if (found === undefined) fail(code, `${text} of ${effective_at[code]} was never delivered`);
    else if (!found.isHonest) fail(code, `${text} is a lie that was believed`);
    const isOld = hours.openBetween(effective, now) > fixture.staleSeconds * 1000;
    if (stale[code] !== isOld) fail(code, `stale is ${stale[code]} at ${(now - effective) / 1000} s`);
    if (hours.openBetween(effective, now) > 24 * 3_600_000) fail(code, "is live beyond 24 hours");
    return { source, effectiveAt: effective, value: found?.perDollar ?? ONE, stale: isOld };
  }
  const { figure, value } = publishedOf(figures, code, now);
  if (figure === null || value === null || !isPrintOf(text, value))
    return fail(code, `${text} was never published`);
  const observed =
    figure.source === "ecb_daily"
      ? atWallTime("Europe/Berlin", figure.date, 14, 15)
      : atWallTime("America/New_York", figure.date, 12, 0);
  expect([code, source, effective]).toEqual([code, figure.source, observed]);
  const late = isStale(figure.source, figure.date, dataset.coveredThrough[figure.source] ?? figure.date, now);
  return { source, effectiveAt: effective, value, stale: late };
}

/** Looked up once a day and publication. */
function publishedOf(figures: readonly PlainObservation[], code: CurrencyCode, now: Instant) {
  const key = `${code} ${dayAt(now)} ${figures.length}`;
  const known = published.get(figures)?.get(key);
  if (known !== undefined) return known;
  const figure = figureInForce(figures, code === "EUR" ? "USD" : code, now);
  const found = { figure, value: dailyPerDollar(figures, code, now) };
  published.set(figures, (published.get(figures) ?? new Map()).set(key, found));
  return found;
}

const published = new WeakMap<
  readonly PlainObservation[],
  Map<string, { readonly figure: PlainObservation | null; readonly value: Fraction | null }>
>();

function checkLatest(latest: Latest, bases: ReadonlyMap<string, Basis>, hours: TradingHours, now: Instant) {
  const { base, rates, market_session, timestamp, sources, effective_at, data_updated_at, source } = latest;
  expect(market_session).toBe(hours.sessionAt(now));
  expect(Date.parse(timestamp)).toBe(Math.floor(now / 1000) * 1000);
  for (const [code, text] of Object.entries(rates)) {
    if (!isPrintOf(text, over(fractionFor(bases, code), fractionFor(bases, base))))
      fail(`${base}/${code}`, `${text} is not what its currencies stand for`);
    if (code === "USD" || base === "USD") continue;
    expect([code, sources[code], Date.parse(effective_at[code] as string)]).toEqual([
      code,
      bases.get(code)?.source,
      bases.get(code)?.effectiveAt as number,
    ]);
  }
  const times = Object.values(effective_at).map((at) => Date.parse(at));
  const oldest = Math.min(...times);
  expect(Date.parse(data_updated_at)).toBe(oldest);
  const oldestCodes = Object.keys(effective_at).filter(
    (code) => Date.parse(effective_at[code] as string) === oldest,
  );
  expect(oldestCodes.map((code) => sources[code])).toContain(source);
}

function fractionFor(bases: ReadonlyMap<string, Basis>, code: string): Fraction {
  return bases.get(code)?.value ?? fail(code, "has a rate on one base and none on the dollar");
}

function fail(what: string, why: string): never {
  throw new Error(`${what} ${why}`);
}

type Session = "open" | "weekend" | "interbank_closed";

type TradingHours = ReturnType<typeof tradingHours>;

/** The hours of the market, written down by hand: nothing of the product's calendar. Sessions in order: each begins at its moment (`2026-03-06T22:00Z`) and ends with the next one; the first is always there. */
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
