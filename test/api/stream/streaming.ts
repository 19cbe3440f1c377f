/** The application with a hot book, a clock and ticks in the test's hands, and clients of its stream. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { memoryHotBook } from "#store/memory/hot-book/hot-book.ts";
import { NOW, openTestApp, WORLD } from "#test/api/harness.ts";
import { datasetOf, historyOf, type PlainObservation } from "#test/domain/history/columns.ts";
import { quoteOfPair } from "#test/domain/live/quote.ts";
import { readSse, turn } from "./sse.ts";

export const LIVE_CURRENCIES = ["EUR", "GBP", "JPY", "CHF"] as const satisfies readonly CurrencyCode[];

/** A price of each of them. */
export const PRICES = { EUR: "0.8560", GBP: "0.7460", JPY: "157.70", CHF: "0.7990" };

export interface FixtureChoices {
  readonly streamSubscribers?: number;
  readonly simulated?: boolean;
  /** null: nothing has been collected. */
  readonly observations?: readonly PlainObservation[] | null;
  readonly now?: number;
}

type Prices = Partial<Record<CurrencyCode, string>>;

export type StreamFixture = ReturnType<typeof openStreamFixture>;

/** With a price of every live currency. */
export async function openLiveFixture() {
  const fixture = openStreamFixture();
  await fixture.publish(PRICES);
  return fixture;
}

export function openStreamFixture(choices: FixtureChoices = {}) {
  const { streamSubscribers = 100, simulated = false, observations = WORLD } = choices;
  let now = choices.now ?? NOW;
  let dataset: Dataset | null = observations === null ? null : { ...datasetOf(observations), simulated };
  let commits = 1;
  const ticks = new Set<() => void>();
  const clock = { now: () => now };
  const emit = (event: { readonly kind: string }) => {
    if (event.kind === "job_failed" || event.kind === "request_failed")
      throw new Error(JSON.stringify(event));
  };
  const hotBook = memoryHotBook({ clock, emit });
  const app = openTestApp({
    clock,
    emit,
    simulated,
    dataset: () => dataset,
    live: { hotBook, policy: { currencies: new Set(LIVE_CURRENCIES), staleAfterSeconds: () => 300 } },
    streaming: {
      streamSubscribers,
      every: (milliseconds, run) => {
        if (milliseconds !== 1000) throw new Error(`ticks of ${milliseconds} ms`);
        ticks.add(run);
        return () => void ticks.delete(run);
      },
    },
  });
  const publish = async (prices: Prices, observedAt = now) => {
    await hotBook.publish(
      Object.entries(prices).map(([code, mid]) =>
        quoteOfPair(`USD/${code}`, mid, observedAt, { feed: "oxr", retrievedAt: now }),
      ),
    );
  };
  return {
    ...app,
    hotBook,
    now: () => now,
    /** Sets the clock; the change has effect at the next tick. */
    setNow: (instant: number) => {
      now = instant;
    },
    /** That many seconds pass, each with a tick where there are readers, and with time for these to read. */
    tick: async (seconds = 1) => {
      for (let second = 0; second < seconds; second++) {
        now += 1000;
        for (const run of [...ticks]) run();
        await turn();
      }
    },
    ticking: () => ticks.size > 0,
    publish,
    /** Sets the clock so many seconds after NOW, and publishes then. */
    publishAfter: async (seconds: number, prices: Prices) => {
      now = NOW + seconds * 1000;
      await publish(prices);
    },
    commit: (next: readonly PlainObservation[]) => {
      commits += 1;
      dataset = { ...datasetOf(next), history: historyOf(next, `test-${commits}`) };
    },
    connect: async (path: string, headers: Record<string, string> = {}) => {
      const reader = readSse(await app.visit(path, { headers }));
      await reader.settle();
      return reader;
    },
  };
}
