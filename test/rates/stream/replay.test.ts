/** The stream's promise as a property: a client that applies the events holds the rates of /v1/latest at every moment, however it reads. */

import { describe, expect, test } from "bun:test";
import { CURRENCY_CODES, type CurrencyCode } from "#domain/currency/currency.ts";
import { NOW, WORLD } from "#test/api/harness.ts";
import type { SseEvent, SseReader } from "#test/api/stream/sse.ts";
import { LIVE_CURRENCIES, openStreamFixture, type StreamFixture } from "#test/api/stream/streaming.ts";
import { ecb } from "#test/domain/history/columns.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

// biome-ignore lint/suspicious/noExplicitAny: bodies are compared member by member
type Body = Record<string, any>;

const QUERIES = [
  "",
  "?base=EUR",
  "?base=JPY&symbols=EUR,USD,CHF",
  "?symbols=USD,EUR,GBP",
  "?symbols=CHF",
  "?base=CHF&dp=3",
  "?symbols=HUF,SEK",
];
const MINUTE = 60_000;
const STEPS = 60;

/** What a client does that follows the documentation and nothing else. */
function applied(held: Body | null, { name, data }: SseEvent): Body | null {
  if (name === "unavailable") return null;
  if (name === "snapshot") return data;
  if (held === null) throw new Error("changes of nothing");
  const derived = (held["derived_symbols"] as string[]).filter((code) => data.rates[code] === undefined);
  const merged = { ...held, market_session: data.market_session };
  for (const member of ["rates", "sources", "effective_at", "stale"]) {
    (merged as Body)[member] = { ...held[member], ...data[member] };
  }
  return { ...merged, derived_symbols: [...derived, ...data.derived_symbols] };
}

/** The fields that events maintain: all but those that describe an answer as a whole. */
function kept({ base, rates, sources, effective_at, stale, market_session, derived_symbols }: Body): Body {
  return { base, rates, sources, effective_at, stale, market_session, derived: derived_symbols.toSorted() };
}

interface Client {
  readonly query: string;
  reader: SseReader;
  held: Body | null;
  received: number;
  lastId: string;
  paused: boolean;
}

async function latest(fixture: StreamFixture, query: string): Promise<Body | null> {
  const response = await fixture.visit(`/v1/latest${query}`);
  return response.ok ? await response.json() : null;
}

/** Takes in what has come; every event alone must be what /v1/latest says of its currencies. */
async function listen(fixture: StreamFixture, client: Client): Promise<void> {
  await client.reader.settle();
  for (; client.received < client.reader.events.length; client.received++) {
    const event = client.reader.events[client.received] as SseEvent;
    client.held = applied(client.held, event);
    client.lastId = event.id;
    const isNewest = client.received === client.reader.events.length - 1;
    if (event.name !== "rates" || !isNewest || client.paused || client.reader.ended()) continue;
    const codes = Object.keys(event.data.rates).join(",");
    const alone = await latest(
      fixture,
      `?base=${event.data.base}&symbols=${codes}${client.query.includes("dp=3") ? "&dp=3" : ""}`,
    );
    expect({ ...event.data, timestamp: "" }).toEqual({ ...alone, timestamp: "" });
  }
}

describe.each([1, 2, 3, 4])("with the seed %i", (seed) => {
  test("snapshot and events equal /v1/latest, for fast, slow and returning readers", async () => {
    const random = seededRandom(seed);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    const fixture = openStreamFixture({ now: NOW - Math.floor(random() * 5) * 24 * 60 * MINUTE });
    await fixture.publish({ EUR: "0.8560", CHF: "0.7990" });
    fixture.commit(WORLD.concat(ecb("2026-04-13", "SEK", "10.9")));
    const clients: Client[] = [];
    for (const query of [...QUERIES, ...QUERIES]) {
      const reader = await fixture.connect(`/v1/stream${query}`).catch(() => null);
      if (reader === null) continue;
      clients.push({ query, reader, held: null, received: 0, lastId: "", paused: false });
    }

    const happen = async () => {
      const what = random();
      if (what < 0.5) {
        const prices: Partial<Record<CurrencyCode, string>> = {};
        for (const code of LIVE_CURRENCIES) if (random() < 0.4) prices[code] = (0.5 + random()).toFixed(5);
        await fixture.publish(prices);
      } else if (what < 0.6) {
        const codes = CURRENCY_CODES.filter((code) => code !== "EUR" && random() < 0.3);
        const fixings = codes.map((code) =>
          ecb(pick(["2026-04-09", "2026-04-10"]), code, (1 + random()).toFixed(4)),
        );
        fixture.commit(WORLD.slice(Math.floor(random() * 20)).concat(fixings));
      } else if (what < 0.8) {
        fixture.setNow(fixture.now() + Math.floor(random() * 10) * MINUTE);
      } else if (what < 0.85) {
        // Now and then the clock is set back, too.
        fixture.setNow(fixture.now() + Math.floor(random() * 40 - 10) * 60 * MINUTE);
      } else if (what < 0.95) {
        const client = pick(clients);
        client.paused = !client.paused;
        if (client.paused) client.reader.pause();
        else client.reader.resume();
      } else {
        const client = pick(clients);
        await client.reader.leave();
        const back = await fixture
          .connect(`/v1/stream${client.query}`, { "last-event-id": client.lastId })
          .catch(() => null);
        if (back === null) clients.splice(clients.indexOf(client), 1);
        else Object.assign(client, { reader: back, received: 0, paused: false });
      }
      await fixture.tick();
    };

    for (let step = 0; step < STEPS; step++) {
      await happen();
      for (const client of [...clients]) {
        await listen(fixture, client);
        if (client.reader.ended()) clients.splice(clients.indexOf(client), 1);
        else if (!client.paused) {
          const now = await latest(fixture, client.query);
          expect(client.held === null ? null : kept(client.held)).toEqual(now === null ? null : kept(now));
        }
      }
    }
    // Slow readers were let go when time leapt, but not all of them.
    expect(clients.length).toBeGreaterThan(0);
    expect(fixture.deps.stream.totals().events).toBeGreaterThan(STEPS);
  });
});
