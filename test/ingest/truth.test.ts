/** No single document rewrites what is known: wrong documents of one route, against true ones of another kind. */

import { describe, expect, test } from "bun:test";
import { contradictionsOf } from "#domain/acceptance/unsettled.ts";
import { buildHistory } from "#domain/history/history.ts";
import type { Figure } from "#domain/history/observation.ts";
import { parseDay } from "#domain/time/day.ts";
import { decideHeldDocument } from "#ingest/held.ts";
import type { DailyAdapter } from "#ports/upstream.ts";
import { broken } from "#test/demo/broken-transport.ts";
import {
  ECB_FILES,
  ECB_SDMX,
  type Fixture,
  figureInForce,
  ninetyDays,
  ONE_DAY,
  openFixture,
  TUESDAY,
  withFigures,
} from "./fixture.ts";

/** A history of five months: the last 90 days are a part of it. */
const EARLY = Date.parse("1999-06-15T15:00:00Z");

type Change = (figures: readonly Figure[]) => readonly Figure[];

/** A world in which the documents of one route can be made wrong. */
function wrongRoute(name: string) {
  const wrong: { change: Change | null } = { change: null };
  const adapt = (adapter: DailyAdapter) =>
    withFigures(adapter, (figures, route) =>
      route.name === name && wrong.change !== null ? wrong.change(figures) : figures,
    );
  return { wrong, adapt };
}

/** Every figure has the value of the same series' next day; the newest keeps its own. */
const shifted: Change = (figures) => {
  const later = new Map<string, Figure>();
  return [...figures]
    .reverse()
    .map((figure) => {
      const series = figure.base + figure.quote;
      const { printed } = later.get(series) ?? figure;
      later.set(series, figure);
      return { ...figure, printed };
    })
    .reverse();
};
const cell =
  (quote: string, date: string, factor: number): Change =>
  (figures) =>
    figures.map((figure) =>
      figure.quote === quote && figure.date === parseDay(date)
        ? { ...figure, printed: (Number(figure.printed) * factor).toFixed(4) }
        : figure,
    );

async function served(fixture: Fixture): Promise<string> {
  const { observations, superseded } = await fixture.lake.read();
  const { count, date, base, quote, units, scale } = observations;
  const rows = Array.from({ length: count }, (_, row) =>
    [date[row], base[row], quote[row], (units[row] as number) / 10 ** (scale[row] as number)].join(" "),
  );
  return [...rows, `${superseded.length} superseded`].join("\n");
}

/** Without what was superseded: one route has versions that the other does not have. */
const current = (text: string) => text.replace(/\d+ superseded$/, "");

async function contradictions(fixture: Fixture, source = "ecb_daily") {
  const record = await fixture.lake.read();
  const history = buildHistory(record.version, record.observations);
  return contradictionsOf(record.statements, record.held, history).find((entry) => entry.source === source);
}

test("a wrong document of one route changes nothing, and is reported in the same collection history zip: rows shifted by one day", async () => {
  const { wrong, adapt } = wrongRoute("history zip");
  const fixture = await openFixture({ at: EARLY, adapt });
  await fixture.collector.collect("ecb_daily", "history");
  const before = await served(fixture);
  expect(await contradictions(fixture)).toBeUndefined();
  wrong.change = shifted;
  fixture.setTime(EARLY + 60_000);
  const again = fixture.restart();
  await again.collector.collect("ecb_daily", "history");
  expect(await served(fixture)).toBe(before);
  const report = await contradictions(fixture);
  expect(report?.count).toBeGreaterThan(1_000);
  expect(report?.example).toMatch(
    /^files\/history zip states EUR\/[A-Z]{3} [\d.]+ for 1999-\d\d-\d\d; [\d.]+ is served$/,
  );
  expect(report?.since).toBe(EARLY + 60_000);
  // Repetition is no evidence, and a healthy document ends it.
  await again.restart().collector.collect("ecb_daily", "history");
  expect(await served(fixture)).toBe(before);
  wrong.change = null;
  fixture.setTime(EARLY + 120_000);
  await fixture.restart().collector.collect("ecb_daily", "history");
  expect(await served(fixture)).toBe(before);
  expect(await contradictions(fixture)).toBeUndefined();
  expect((await fixture.lake.read()).held).toEqual([]);
});

describe("one wrong figure of the newest day", () => {
  test.each(["daily XML", "sdmx"])(
    "by the %s alone is corrected in the collection that brings it",
    async (name) => {
      const { wrong, adapt } = wrongRoute(name);
      const start = { from: await ninetyDays(), at: TUESDAY + ONE_DAY };
      const fixture = await openFixture({ ...start, adapt });
      wrong.change = cell("NOK", "2015-04-15", 1.05);
      const reach = name === "sdmx" ? "recent" : "latest";
      const { detail } = await fixture.collector.collect("ecb_daily", reach);
      expect(detail).toBeNull();
      const truth = await openFixture(start);
      await truth.collector.collect("ecb_daily", reach);
      const published = await figureInForce(truth.lake, "ecb_daily", "2015-04-15", "NOK");
      expect(await figureInForce(fixture.lake, "ecb_daily", "2015-04-15", "NOK")).toEqual({
        value: published?.value as number,
        revision: 2,
      });
      expect(await contradictions(fixture)).toBeUndefined();
    },
  );

  /** How often the other kind is asked by collections so many minutes after the publication, while its host answers so. */
  async function askedAt(minutes: readonly number[], status: number, behavesAt = Number.POSITIVE_INFINITY) {
    const fixture = await openFixture({ from: await ninetyDays() });
    const asked = () => fixture.simulator.requests().filter(({ path }) => path.startsWith(ECB_SDMX)).length;
    fixture.simulator.misbehave(ECB_SDMX, broken.status(status));
    const counts = [];
    for (const minute of minutes) {
      fixture.setTime(TUESDAY + ONE_DAY + minute * 60_000);
      if (minute === behavesAt) fixture.simulator.behave();
      const before = asked();
      await fixture.collector.collect("ecb_daily", "latest");
      counts.push(asked() - before);
    }
    return counts;
  }

  test("is compared as soon as the other kind has the day, and then no more", async () => {
    expect(await askedAt([0, 3, 6, 9], 404, 6)).toEqual([1, 1, 1, 0]);
  });

  test("waits half an hour for a host that is in trouble, and the next publication does not wait for it", async () => {
    const counts = await askedAt([0, 3, 29, 30], 503);
    expect(counts.map((count) => count > 0)).toEqual([true, false, false, true]);
  });
});

test("a wrong document that ends a day too late does not make an old copy of the true one after it", async () => {
  const { wrong, adapt } = wrongRoute("sdmx");
  const fixture = await openFixture({ from: await ninetyDays(), adapt });
  const friday = await figureInForce(fixture.lake, "ecb_daily", "2015-04-10", "NOK");
  const morning = TUESDAY - (TUESDAY % ONE_DAY) + ONE_DAY + 6 * 3_600_000;
  fixture.setTime(morning);
  wrong.change = (figures) => {
    const days = [...new Set(figures.map(({ date }) => date))];
    const next = new Map(days.map((day, at) => [day, days[at + 1] ?? day + 1]));
    return figures.map((one) => ({ ...one, date: next.get(one.date) as number, publishedAt: null }));
  };
  const doubted = await fixture.collector.collect("ecb_daily", "recent");
  expect(doubted.detail).toMatch(/sdmx: \S+ is not believed on its own/);
  wrong.change = null;
  fixture.setTime(morning + 3_600_000);
  expect((await fixture.collector.collect("ecb_daily", "recent")).detail).toBeNull();
  expect(await figureInForce(fixture.lake, "ecb_daily", "2015-04-10", "NOK")).toEqual(friday);
  expect(await figureInForce(fixture.lake, "ecb_daily", "2015-04-15", "NOK")).toBeNull();
});

test("an old copy changes nothing and covers nothing, and is reported each time it is read", async () => {
  const { wrong, adapt } = wrongRoute("sdmx");
  const fixture = await openFixture({ from: await ninetyDays(), adapt });
  fixture.setTime(TUESDAY + ONE_DAY);
  await fixture.collector.collect("ecb_daily", "recent");
  const before = await fixture.lake.read();
  const wednesday = parseDay("2015-04-15") as number;
  const corrected = cell("NOK", "2015-04-10", 1.002);
  wrong.change = (figures) => corrected(figures).filter(({ date }) => date < wednesday);
  // After the next publication: a look at an old copy does not count as one at it.
  fixture.setTime(TUESDAY + 2 * ONE_DAY);
  const next = fixture.restart();
  for (const reading of [1, 2])
    expect(`${reading} ${(await next.collector.collect("ecb_daily", "recent")).detail}`).toContain(
      "sdmx: an old copy: it ends on 2015-04-14, and the copy read before on 2015-04-15; it changes nothing",
    );
  const oldCopy = { kind: "route_failed", source: "ecb_daily", route: "sdmx", fault: "old_copy" };
  expect(next.emitted.filter(({ kind }) => kind === "route_failed")).toMatchObject([oldCopy, oldCopy]);
  const { version, coverage, retrievals, held } = await fixture.lake.read();
  expect({ version, coverage, retrievals, held }).toEqual({
    ...{ version: before.version, coverage: before.coverage },
    ...{ retrievals: before.retrievals, held: before.held },
  });
});

test("a first history that the other kind of route contradicts is refused for the next route, unless in fewer than one figure of a hundred", async () => {
  const healthy = await openFixture({ at: EARLY });
  await healthy.collector.collect("ecb_daily", "history");
  const { wrong, adapt } = wrongRoute("history zip");
  wrong.change = shifted;
  const fixture = await openFixture({ at: EARLY, adapt });
  const state = await fixture.collector.collect("ecb_daily", "history");
  expect(state.detail).toMatch(
    /history zip: the history is refused, because sdmx states other values for \d+ of \d+ figures/,
  );
  expect(current(await served(fixture))).toBe(current(await served(healthy)));

  // The other kind may have a day that the history lacks.
  wrong.change = (figures) => figures.filter(({ date }) => date < (parseDay("1999-06-15") as number));
  const lagging = await openFixture({ at: EARLY, adapt });
  expect((await lagging.collector.collect("ecb_daily", "history")).detail).toBeNull();
  expect(current(await served(lagging))).toBe(current(await served(healthy)));

  // Fewer than one contradiction in a hundred: the history is taken, and the other files settle the contradiction.
  wrong.change = cell("NOK", "1999-05-11", 1.02);
  const nearly = await openFixture({ at: EARLY, adapt });
  await nearly.collector.collect("ecb_daily", "history");
  const value = (await figureInForce(healthy.lake, "ecb_daily", "1999-05-11", "NOK"))?.value;
  expect(await figureInForce(nearly.lake, "ecb_daily", "1999-05-11", "NOK")).toEqual({
    value: value as number,
    revision: 2,
  });
});

describe("a correction", () => {
  test("of a hundred figures is believed as a whole where the other kind confirms a sample of them", async () => {
    const restated: Change = (figures) =>
      figures.map((figure) =>
        figure.quote === "NOK" ? { ...figure, printed: (Number(figure.printed) * 1.001).toFixed(4) } : figure,
      );
    const zip = wrongRoute("history zip");
    const fixture = await openFixture({
      at: EARLY,
      adapt: (adapter) => {
        const { secondRoutes } = adapter;
        return {
          ...zip.adapt(adapter),
          secondRoutes: (days) =>
            (secondRoutes?.(days) ?? []).map((route) => ({
              ...route,
              parse: (document, window) => {
                const parsed = route.parse(document, window);
                if (zip.wrong.change === null || parsed.outcome !== "figures") return parsed;
                return { ...parsed, figures: zip.wrong.change(parsed.figures) };
              },
            })),
        };
      },
    });
    await fixture.collector.collect("ecb_daily", "history");
    zip.wrong.change = restated;
    fixture.setTime(EARLY + 60_000);
    await fixture.restart().collector.collect("ecb_daily", "history");
    const { superseded, held } = await fixture.lake.read();
    expect(held).toEqual([]);
    expect(superseded.length).toBeGreaterThan(100);
    expect(superseded.every(({ quote }) => quote === "NOK")).toBe(true);
    expect(await contradictions(fixture)).toBeUndefined();
  });

  test("by one kind of route alone waits for the other, unless that has not answered for a week", async () => {
    const { wrong, adapt } = wrongRoute("90-day XML");
    const fixture = await openFixture({ from: await ninetyDays(), adapt });
    fixture.simulator.misbehave(ECB_SDMX, broken.status(404));
    const revisionAfter = async (days: number) => {
      fixture.setTime(TUESDAY + days * ONE_DAY);
      await fixture.collector.collect("ecb_daily", "recent");
      return (await figureInForce(fixture.lake, "ecb_daily", "2015-04-10", "NOK"))?.revision;
    };
    await revisionAfter(1);
    wrong.change = cell("NOK", "2015-04-10", 1.002);
    expect([await revisionAfter(4), await revisionAfter(8), await revisionAfter(9)]).toEqual([1, 1, 2]);
  });
});

test("a currency that drops out of a document is reported, and nothing is withdrawn", async () => {
  const { wrong, adapt } = wrongRoute("90-day XML");
  const fixture = await openFixture({ from: await ninetyDays(), adapt });
  fixture.simulator.misbehave(ECB_SDMX, broken.status(404));
  await fixture.collector.collect("ecb_daily", "recent");
  fixture.simulator.behave();
  fixture.simulator.misbehave(ECB_FILES, broken.status(404));
  fixture.setTime(TUESDAY + ONE_DAY);
  await fixture.collector.collect("ecb_daily", "recent");
  fixture.simulator.behave();
  const before = await served(fixture);
  wrong.change = (figures) =>
    figures.filter(({ quote, date }) => quote !== "CHF" || date < (parseDay("2015-04-15") as number));
  fixture.simulator.misbehave(ECB_SDMX, broken.status(404));
  fixture.setTime(TUESDAY + ONE_DAY + 60_000);
  await fixture.collector.collect("ecb_daily", "recent");
  expect(await served(fixture)).toBe(before);
  expect((await contradictions(fixture))?.example).toMatch(
    /^files\/90-day XML has no EUR\/CHF for 2015-04-15; [\d.]+ is served$/,
  );
});

describe("an operator's decision on a document", () => {
  async function heldDocument() {
    const { wrong, adapt } = wrongRoute("CSV");
    const fixture = await openFixture({ from: await ninetyDays(), adapt });
    const before = await served(fixture);
    wrong.change = shifted;
    fixture.setTime(TUESDAY + 7 * ONE_DAY);
    const { detail } = await fixture.collector.collect("fred_daily", "recent");
    expect(detail).toMatch(
      /figures are held back: unconfirmed_revision, distrusted_document|distrusted_document, unconfirmed_revision/,
    );
    expect(await served(fixture)).toBe(before);
    const { held } = await fixture.lake.read();
    expect(held[0]?.reason).toMatch(/its document changes \d+ known figures/);
    const document = held[0]?.documentSha256 as string;
    return { fixture, before, document, count: held.length };
  }

  test("releases every figure that only misses a witness, with one event, and settles its contradictions", async () => {
    const { fixture, document, count } = await heldDocument();
    expect(count).toBeGreaterThan(100);
    const contradicted = (await contradictions(fixture, "fred_daily"))?.count as number;
    expect(contradicted).toBeGreaterThan(50);
    expect(await decideHeldDocument(fixture, document, "release")).toMatchObject({
      decided: count,
      remaining: 0,
    });
    expect((await fixture.lake.read()).held).toEqual([]);
    expect(await contradictions(fixture, "fred_daily")).toBeUndefined();
    const released = fixture.emitted.filter(({ kind }) => kind === "figure_released");
    expect(released).toMatchObject([{ by: "command", count }]);
    expect(await decideHeldDocument(fixture, document, "release")).toBeNull();
  });

  test("discards all of them: what is served stays, and the contradictions stay counted", async () => {
    const { fixture, before, document, count } = await heldDocument();
    const contradicted = await contradictions(fixture, "fred_daily");
    expect(await decideHeldDocument(fixture, document, "discard")).toMatchObject({
      decided: count,
      remaining: 0,
    });
    expect((await fixture.lake.read()).held).toEqual([]);
    expect(await served(fixture)).toBe(before);
    expect((await contradictions(fixture, "fred_daily"))?.count).toBeGreaterThanOrEqual(
      contradicted?.count as number,
    );
  });
});
