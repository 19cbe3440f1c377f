/** The live product wired as in a server, but on virtual time: real client, parsers, archive, hot book, rates and HTTP. */

import { createWorld } from "#demo/world.ts";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { UpstreamFault } from "#domain/faults/upstream.ts";
import { refusedQuotes } from "#domain/live/feed-choice.ts";
import type { References } from "#domain/live/live-quote.ts";
import { referencesAt } from "#domain/spot/rates.ts";
import type { LivePolicy } from "#domain/spot/table.ts";
import { type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { type LiveCollector, startLive } from "#ingest/live.ts";
import type { Upstream } from "#ports/upstream.ts";
import { liveFeed } from "#sources/catalogue.ts";
import { openUpstream } from "#sources/fetch/fetch.ts";
import { feedPoller } from "#sources/live/poll.ts";
import { openQuoteArchive } from "#store/archive/archive.ts";
import { memoryHotBook } from "#store/memory/hot-book/hot-book.ts";
import type { TelemetryEvent } from "#telemetry.ts";
import { openTestApp } from "#test/api/harness.ts";
import { atEnd } from "#test/support/at-end.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { type Daily, dailyOf, dayOfMoment } from "./daily.ts";
import { type FeedServer, type PlayedFeed, startFeeds } from "./feed-server.ts";
import { nameOf } from "./ledger.ts";
import { type VirtualTime, virtualTime } from "./virtual-time.ts";

export const LIVE: readonly CurrencyCode[] = ["EUR", "GBP", "JPY", "CHF", "MXN", "SEK", "ISK"];
const KEY = "0123456789abcdef0123456789abcdef";

export interface FixturePlan {
  readonly from: string;
  readonly until: string;
  /** In order of preference. */
  readonly feeds: readonly PlayedFeed[];
  readonly pollSeconds: number;
}

const SEED = 20_260_413;
const WORLD = createWorld(SEED);

interface Common {
  readonly time: VirtualTime;
  readonly server: FeedServer;
  readonly daily: Daily;
  readonly directory: string;
  readonly emitted: TelemetryEvent[];
  /** Names of the quotes that were ever in the hot book. */
  readonly served: Set<string>;
  readonly random: () => number;
}

export type Fixture = Awaited<ReturnType<typeof openFixture>>;

export async function openFixture(plan: FixturePlan) {
  const { from, until } = plan;
  const time = virtualTime(Date.parse(from));
  const common: Common = {
    time,
    server: startFeeds(WORLD, time.clock, LIVE),
    daily: dailyOf(WORLD, dayOfMoment(from), dayOfMoment(until)),
    directory: temporaryDirectory(),
    emitted: [],
    served: new Set(),
    random: seededRandom(SEED),
  };
  const { pollSeconds } = plan;
  let running = await openServer(common, plan);
  atEnd(async () => {
    await running.close();
    await common.server.stop();
  });
  return {
    ...common,
    staleSeconds: Math.max(300, 3 * pollSeconds),
    running: () => running,
    /** The process ends and another one starts on the same archive. */
    restart: async () => {
      await running.close();
      running = await openServer(common, plan);
    },
  };
}

/** One process: what assembly/live.ts and compose.ts join, with virtual timers. */
async function openServer(common: Common, plan: FixturePlan) {
  const { pollSeconds } = plan;
  const { time, server, daily, directory, emitted, served, random } = common;
  const { clock, later } = time;
  const emit = (event: TelemetryEvent) => {
    emitted.push(event);
  };
  const dataset = () => daily.at(clock.now()).dataset;
  const archive = await openQuoteArchive({ directory, simulated: false, access: "write", emit });
  const hotBook = memoryHotBook({ clock, emit });
  hotBook.subscribe(({ quotes }) => {
    for (const quote of quotes.values()) served.add(nameOf(quote));
  });
  const kept = await archive.newest(clock.now() - 7 * MILLISECONDS_PER_DAY, clock.now() + 1);
  if (kept.length > 0) await hotBook.publish(kept);

  const policy: LivePolicy = {
    currencies: new Set(LIVE),
    staleAfterSeconds: () => Math.max(300, 3 * pollSeconds),
  };
  const access = {
    massive: { apiKey: KEY },
    oxr: { appId: KEY, requestsPerMonth: 100_000 },
    twelvedata: null,
    oanda: null,
  };
  const feeds = plan.feeds.flatMap((id) => liveFeed(id, access) ?? []);
  const client = openUpstream({ clock, base: server.base, userAgent: "crossrate-test", attempts: 1 });
  const publish = hotBook.publish;
  const references = () => referencesOf(dataset(), clock.now());
  const known = hotBook.read().quotes;
  const ask = feedPoller(withVirtualDeadline(client, common), clock, known);
  const collector: LiveCollector = startLive(
    { clock, emit, ask, archive, publish, references, releases: () => [], later, random },
    { feeds, currencies: LIVE, pollSeconds, lastQuotes: known },
  );
  time.pollers = feeds.length;
  const app = openTestApp({
    clock,
    emit,
    dataset,
    archive,
    live: {
      hotBook,
      policy,
      delayMinutes: 0,
      feeds: {
        order: plan.feeds,
        currencies: LIVE,
        kind: "memory",
        states: collector.states,
        references,
        refused: () => refusedQuotes(collector.choice(), references(), clock.now()),
      },
    },
  });
  return {
    app,
    archive,
    collector,
    close: async () => {
      await time.advance(clock.now());
      collector.stop();
      time.pollers = 0;
      await hotBook.close();
      await archive.close();
    },
  };
}

/** A request that hangs costs its deadline on the test's clock; every other one is really made. */
function withVirtualDeadline(client: Upstream, { server, time }: Common): Upstream {
  return {
    ...client,
    get: (request) => {
      const { host } = new URL(request.url);
      const feed = (["massive", "oxr"] as const).find((one) =>
        host.includes(one === "oxr" ? "openexchangerates" : one),
      );
      if (feed === undefined || server.troubles.get(feed)?.hangs !== true) return client.get(request);
      server.requested[feed].push(time.clock.now());
      return new Promise((_, reject) => {
        const detail = `is not complete after ${request.timeoutSeconds} s`;
        time.later(request.timeoutSeconds * 1000, () => reject(new UpstreamFault("timeout", detail, null)));
      });
    },
  };
}

let lastReferences: { readonly of: Dataset; readonly found: References } | null = null;

function referencesOf(dataset: Dataset, now: Instant): References {
  if (lastReferences?.of !== dataset) lastReferences = { of: dataset, found: referencesAt(dataset, now) };
  return lastReferences.found;
}
