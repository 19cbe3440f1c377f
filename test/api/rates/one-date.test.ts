/** The rule of one date on every surface: what each answers on a world with holes beside the slow oracle. */

import { describe, expect, test } from "bun:test";
import { CURRENCY_CODES, type CurrencyCode } from "#domain/currency/currency.ts";
import { type Day, formatDay } from "#domain/time/day.ts";
import { NOW, post, WORLD } from "#test/api/harness.ts";
import { openStreamFixture, type StreamFixture } from "#test/api/stream/streaming.ts";
import { day, ecb, fred, type PlainObservation } from "#test/domain/history/columns.ts";
import { type OracleRate, oracleOf } from "#test/domain/history/one-date-oracle.ts";
import { madeUp, withHoles } from "#test/domain/history/one-date-worlds.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

const [FIRST, LAST] = [day("2026-03-02"), day("2026-04-13")];
const BASES: readonly CurrencyCode[] = ["EUR", "USD", "TWD", "NOK", "BRL"];
type Numbers = Readonly<Record<string, number>>;

/** Of a world with holes; the dollar of its last day is missing. */
const FIGURES = withHoles(seededRandom(1), madeUp(FIRST - 40, LAST)).filter(
  ({ source, quote, date }) => source !== "ecb_daily" || quote !== "USD" || date !== LAST,
);
const [fixture, oracle] = [openStreamFixture({ observations: FIGURES }), oracleOf(FIGURES)];

function othersOf(base: CurrencyCode): readonly CurrencyCode[] {
  return CURRENCY_CODES.filter((code) => code !== base);
}

/** Currency → number, of those that have one. */
function ratesBy(base: CurrencyCode, rate: (to: CurrencyCode) => OracleRate | null): Numbers {
  return Object.fromEntries(
    othersOf(base).flatMap((to) => {
      const found = rate(to);
      return found === null ? [] : [[to, Number(found.text)]];
    }),
  );
}

const days = (from: Day, to: Day) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

describe("on a world with holes", () => {
  test("days: rates, fill flag and the times of base and symbols", async () => {
    for (const base of BASES) {
      for (const date of days(LAST - 6, LAST)) {
        const body = await fixture.get(`/v1/${formatDay(date)}?base=${base}`);
        const wanted = (to: CurrencyCode) => oracle.daily(date, base, to);
        expect(body.rates).toEqual(ratesBy(base, wanted));
        expect(body.is_forward_filled).toBe(othersOf(base).some((to) => wanted(to)?.filled));
        for (const to of othersOf(base)) {
          const oldest = wanted(to)
            ?.figures.map((figure) => formatDay(figure.date))
            .sort()[0];
          expect(body.effective_at[to]?.slice(0, 10)).toBe(oldest);
        }
      }
    }
  });

  test("conversions at a day's rate", async () => {
    for (const [base, to] of [
      ["USD", "NOK"],
      ["TWD", "EUR"],
      ["NOK", "JPY"],
    ] as const) {
      for (const date of days(LAST - 6, LAST)) {
        const wanted = oracle.daily(date, base, to);
        const path = `/v1/convert/${base}/${to}/1?date=${formatDay(date)}`;
        if (wanted === null) await fixture.refused(path, "no_data_for_date");
        else
          expect(await fixture.get(path)).toMatchObject({
            rate: Number(wanted.text),
            is_forward_filled: wanted.filled,
            effective_at: (await fixture.get(`/v1/${formatDay(date)}/${base}?symbols=${to}`)).effective_at,
          });
      }
    }
  });

  test("an answer of one pair names the source of each of its figures, and no other", async () => {
    for (const base of ["EUR", "USD", "TWD"] as const) {
      for (const to of othersOf(base)) {
        for (const date of days(LAST - 1, LAST)) {
          const wanted = oracle.daily(date, base, to);
          if (wanted === null) continue;
          const expected = new Set(wanted.figures.map(({ source }) => source));
          const window = `base=${base}&symbols=${to}&start_date=${formatDay(date)}&end_date=${formatDay(date)}`;
          for (const path of [
            `/v1/${formatDay(date)}/${base}?symbols=${to}`,
            `/v1/convert/${base}/${to}?date=${formatDay(date)}`,
            `/v1/range?${window}&fill=previous`,
            `/v1/range?${window}&fill=previous&interval=1w`,
            `/v1/average?${window}&method=calendar`,
          ]) {
            const { sources } = await fixture.get(path);
            expect([path, new Set(Object.values(sources))]).toEqual([path, expected]);
          }
        }
        const newest = oracle.latest(LAST, base, to);
        if (newest === null) continue;
        const { sources } = await fixture.get(`/v1/convert/${base}/${to}`);
        expect(new Set(Object.values(sources))).toEqual(new Set(newest.figures.map(({ source }) => source)));
      }
    }
  });

  test.each(["none", "previous"] as const)("ranges with fill=%s", async (fill) => {
    for (const base of BASES) {
      const path = `/v1/range?base=${base}&symbols=*&start_date=${formatDay(FIRST)}&end_date=${formatDay(LAST)}&fill=${fill}`;
      const { data } = await fixture.get(path);
      const wanted = days(FIRST, LAST).flatMap((date) => {
        const rates = ratesBy(base, (to) => {
          const found = oracle.daily(date, base, to);
          return found?.filled && fill === "none" ? null : found;
        });
        return Object.keys(rates).length === 0 ? [] : [{ date: formatDay(date), rates }];
      });
      expect(data.map(({ date, rates }: { date: string; rates: Numbers }) => ({ date, rates }))).toEqual(
        wanted,
      );
    }
  });

  test("latest, single pairs, conversions, batches, the stream and the rates of the compatible routes", async () => {
    for (const base of BASES) {
      const wanted = ratesBy(base, (to) => oracle.latest(LAST, base, to));
      const body = await fixture.get(`/v1/latest?base=${base}`);
      expect(body.rates).toEqual(wanted);
      for (const to of othersOf(base)) assertTimes(body, base, to, oracle.latest(LAST, base, to));
      const [to, rate] = Object.entries(wanted)[3] as [string, number];
      const { effective_at } = await fixture.get(`/v1/latest?base=${base}&symbols=${to}`);
      expect(await fixture.get(`/v1/convert/${base}/${to}/1`)).toMatchObject({ rate, effective_at });
      expect(await fixture.get(`/v1/rate/${base}-${to}`)).toMatchObject({ rate, effective_at });
      const pairs = Object.keys(wanted).map((code) => [code, 1]);
      const batch = await fixture.get("/v1/convert", post({ from: base, pairs }));
      const { conversions } = batch as { conversions: { to: string; rate: number }[] };
      expect(Object.fromEntries(conversions.map((one) => [one.to, one.rate]))).toEqual(wanted);
      const reader = await fixture.connect(`/v1/stream?base=${base}`);
      expect(reader.events[0]?.data.rates).toEqual(wanted);
      const oxr = await fixture.get(`/compat/oxr/latest.json?base=${base}`);
      expect(oxr.rates).toMatchObject(wanted);
    }
  });

  test("the compatible routes on a day", async () => {
    for (const date of days(LAST - 4, LAST)) {
      const text = formatDay(date);
      for (const base of ["USD", "NOK"] as const) {
        const wanted = ratesBy(base, (to) => oracle.daily(date, base, to));
        expect((await fixture.get(`/compat/oxr/historical/${text}.json?base=${base}`)).rates).toMatchObject(
          wanted,
        );
        for (const record of await fixture.get(`/compat/frankfurter/v2/rates?base=${base}&date=${text}`))
          if (record.quote !== base) expect(record.rate).toBe(wanted[record.quote] as number);
        // Frankfurter's first version has the rates of the ECB.
        const { rates } = await fixture.get(`/compat/frankfurter/v1/${text}?base=${base}`);
        for (const [code, rate] of Object.entries(rates as Numbers))
          expect(rate).toBe(wanted[code] as number);
        expect(Object.keys(rates).length).toBeGreaterThan(20);
      }
    }
  });
});

/** Both sides of a rate are dated, each with the oldest figure that it brings. */
function assertTimes(
  body: { readonly effective_at: Readonly<Record<string, string>>; readonly data_updated_at: string },
  base: CurrencyCode,
  to: CurrencyCode,
  rate: OracleRate | null,
): void {
  if (rate === null) return;
  const dates = rate.figures.map(({ date }) => formatDay(date)).sort();
  const effectiveDates = [body.effective_at[base], body.effective_at[to]]
    .flatMap((at) => at?.slice(0, 10) ?? [])
    .sort();
  // The base's entry is the oldest of all its rates, which may be older than this one's.
  expect((effectiveDates[0] as string) <= (dates[0] as string)).toBe(true);
  expect(dates).toContain(body.effective_at[to]?.slice(0, 10) as string);
  expect(body.data_updated_at.slice(0, 10) <= (dates[0] as string)).toBe(true);
}

describe("named cases", () => {
  const held = WORLD.filter(({ quote, date }) => quote !== "USD" || date !== day("2026-04-08"));

  test("a hole that is filled later reports every rate that it changes as changed, and changes the ETag", async () => {
    const fixture = openStreamFixture({ observations: held });
    const tag = async () => (await fixture.ask("/v1/2026-04-08?base=USD&symbols=GBP")).headers.get("etag");
    const first = await tag();
    fixture.commit(WORLD);
    expect(await tag()).not.toBe(first);
    expect((await fixture.get("/v1/2026-04-08?base=USD&symbols=GBP")).is_forward_filled).toBe(false);
  });

  test("a live euro and a daily currency: its value against the dollar is of one date, and both times are published", async () => {
    const fixture = await liveEuro([
      ...held,
      ecb("2026-04-13", "NOK", "11.1210"),
      ecb("2026-04-10", "NOK", "11.0000"),
    ]);
    const body = await fixture.get("/v1/latest?base=EUR&symbols=NOK,JPY");
    // USD/NOK of the 13th over the live 0.856.
    expect(body.rates["NOK"]).toBeCloseTo(11.121 / 1.167 / 0.856, 8);
    expect(body.effective_at).toMatchObject({
      EUR: new Date(NOW).toISOString().replace(".000", ""),
      NOK: "2026-04-13T12:15:00Z",
    });
  });

  test("a currency of H.10 is not stale because the ECB has gone on, and is when its own source is late", async () => {
    const fixture = openStreamFixture({ now: Date.parse("2026-04-14T17:00:00Z") });
    const stale = async () => (await fixture.get("/v1/2026-04-14?base=EUR&symbols=TWD")).stale;
    const latest = async () => (await fixture.get("/v1/latest?base=TWD&symbols=USD")).stale;
    expect([await stale(), await latest()]).toEqual([undefined, { USD: false }]);
    fixture.setNow(Date.parse("2026-04-21T17:00:00Z"));
    fixture.commit([...WORLD, ecb("2026-04-20", "USD", "1.1700"), fred("2026-04-13", "TWD", "32.2", 2)]);
    expect(await latest()).toEqual({ USD: true });
    expect((await fixture.get("/v1/rate/TWD-USD")).stale).toBe(true);
  });
});

async function liveEuro(observations: readonly PlainObservation[]): Promise<StreamFixture> {
  const fixture = openStreamFixture({ observations });
  await fixture.publish({ EUR: "0.8560" });
  return fixture;
}
