/** Feeds over real HTTP, from servers that misbehave; credentials, pauses, plans. */

import { describe, expect, test } from "bun:test";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import { currencyOf, type FeedOutcome, type LiveQuote } from "#domain/live/live-quote.ts";
import type { Instant } from "#domain/time/day.ts";
import type { Feed, FeedPoll } from "#ports.ts";
import { liveFeed } from "#sources/catalogue.ts";
import { massiveFeed } from "#sources/live/massive.ts";
import { oandaFeed } from "#sources/live/oanda.ts";
import { oxrFeed } from "#sources/live/oxr.ts";
import { feedPoller } from "#sources/live/poll.ts";
import { twelveDataFeed } from "#sources/live/twelve-data.ts";
import { client, serve } from "#test/sources/upstream-server.ts";
import { ACCESS, arrived, FORGES, forgeOf, HEX, NOW, REQUESTED, TOKEN } from "./forge.ts";

// biome-ignore format: a list of codes
const WANTED: readonly CurrencyCode[] = [
  "EUR", "GBP", "JPY", "CHF", "AUD", "CAD", "NZD", "SEK", "NOK", "DKK",
  "SGD", "HKD", "CNY", "MXN", "ZAR", "TRY", "PLN", "CZK", "HUF",
];

let now: Instant = NOW;
const clock = { now: () => now };
const asker = (base: string) => feedPoller(client(base, { clock, attempts: 1 }).upstream, clock);

for (const { feed, errors, good, write } of FORGES) {
  const [quota] = errors.find(([, kind]) => kind === "rate_limited") ?? [];
  describe(feed.id, () => {
    const poll = feed.polls(REQUESTED)[0];
    if (poll === undefined) throw new Error("nothing to ask");
    const ask = (answer: (request: Request) => Response | Promise<Response>) =>
      asker(serve(answer).base)(feed, poll);
    const failureOf = async (requested: Promise<FeedOutcome>) => {
      const outcome = await requested;
      if (outcome.kind !== "failed") throw new Error(`not failed but ${outcome.kind}`);
      return outcome;
    };

    test("the same prices again are new only where each has a time of its own", async () => {
      const repeating = asker(serve(() => new Response(write(good, NOW))).base);
      expect((await repeating(feed, poll)).kind).toBe("quotes");
      expect((await repeating(feed, poll)).kind).toBe(feed.timesEachPrice ? "quotes" : "unchanged");
    });

    test("a key is in no address, and reaches the feed", async () => {
      const seen: Request[] = [];
      await ask((request) => {
        seen.push(request);
        return new Response("{}");
      });
      expect(seen[0]?.url).not.toContain(HEX);
      expect((seen[0]?.headers.get("authorization") ?? "").includes(HEX)).toBe(feed.id !== "coinbase");
      for (const { request } of feed.polls(WANTED)) expect(request.url).not.toContain(HEX);
    });

    test("a key is reported by no failure, even where the feed repeats it", async () => {
      const echo = (status: number) => (request: Request) =>
        new Response(`bad key ${request.headers.get("authorization")} ${feed.id === "oanda" ? TOKEN : HEX}`, {
          status,
          headers: { "Content-Type": "text/plain" },
        });
      const outcomes = [];
      for (const status of [200, 400, 401, 429, 500]) outcomes.push(await ask(echo(status)));
      for (const [body] of errors) {
        const repeated = ({ headers }: Request) => JSON.stringify(headers.get("authorization") ?? "");
        outcomes.push(await ask((request) => new Response(body.replace(/"[^"]{12,}"/, repeated(request)))));
      }
      outcomes.push(await ask(() => new Response(`{"${TOKEN}":1,"${TOKEN}":`)));
      if (feed.id !== "coinbase") expect(Bun.inspect(outcomes)).not.toContain(HEX.slice(0, 8));
    });

    test("a key does not follow a redirect", async () => {
      const elsewhere: (string | null)[] = [];
      await ask((request) => {
        if (request.url.endsWith("/moved")) {
          elsewhere.push(request.headers.get("authorization"));
          return new Response("{}");
        }
        return new Response(null, { status: 302, headers: { Location: "https://elsewhere.example/moved" } });
      });
      expect(elsewhere).toEqual([null]);
    });

    test("Retry-After is obeyed, in seconds or as a date, and cut to a day", async () => {
      now = NOW;
      const pauseFor = async (value: string, status = 429) => {
        const { pauseUntil } = await failureOf(
          ask(() => new Response("", { status, headers: { "Retry-After": value } })),
        );
        return pauseUntil === null ? null : (pauseUntil - now) / 1000;
      };
      expect(await pauseFor("120")).toBe(120);
      expect(await pauseFor("120", 503)).toBe(120);
      expect(await pauseFor(new Date(NOW + 90_000).toUTCString())).toBe(90);
      expect(await pauseFor("999999999")).toBe(86_400);
      expect(await pauseFor("0")).toBe(1);
      expect(await pauseFor("soon")).toBe(feed.quotaPauseSeconds("", NOW));
    });

    test("a used-up quota without a Retry-After is a pause of the feed's own length", async () => {
      now = NOW;
      const plain = await failureOf(ask(() => new Response("", { status: 429 })));
      expect([plain.fault, plain.pauseUntil]).toEqual([
        "rate_limited",
        NOW + feed.quotaPauseSeconds("", NOW) * 1000,
      ]);
      if (quota === undefined) return;
      const inside = await failureOf(ask(() => new Response(quota)));
      expect([inside.fault, inside.pauseUntil]).toEqual(["rate_limited", plain.pauseUntil]);
    });

    test("refused credentials are a pause of a quarter of an hour", async () => {
      now = NOW;
      const { fault, pauseUntil } = await failureOf(ask(() => new Response("", { status: 401 })));
      expect([fault, pauseUntil]).toEqual(["refused_credentials", NOW + 900_000]);
    });

    test.each<readonly [why: string, fault: string, answer: () => Response]>([
      ["a server error", "status", () => new Response("", { status: 500 })],
      ["a web page with 200", "broken_document", () => new Response("<html></html>")],
    ])("%s is a failure by name, without a pause", async (_, fault, answer) => {
      const failure = await failureOf(ask(answer));
      expect([failure.fault as string, failure.pauseUntil]).toEqual([fault, null]);
      expect(failure.detail.length).toBeGreaterThan(10);
    });
  });
}

describe("the answer's Date", () => {
  const coinbase = forgeOf("coinbase");
  const poll = coinbase.feed.polls(["JPY"])[0] as FeedPoll;
  const observed = async (headers: Record<string, string>) => {
    now = NOW;
    const { base } = serve(() => new Response(coinbase.write(coinbase.good, 0), { headers }));
    const outcome = await asker(base)(coinbase.feed, poll);
    if (outcome.kind !== "quotes") throw new Error(outcome.kind);
    return outcome.quotes[0]?.observedAt ?? outcome.refusals[0]?.rule;
  };
  const date = (at: Instant) => new Date(at).toUTCString();

  test("is the time of a price without its own", async () => {
    expect(await observed({ Date: date(NOW - 3000) })).toBe(NOW - 3000);
  });
  test("with an Age is the earlier of the two times that a cache may mean", async () => {
    expect(await observed({ Date: date(NOW), Age: "40" })).toBe(NOW - 40_000);
    expect(await observed({ Date: date(NOW - 60_000), Age: "40" })).toBe(NOW - 60_000);
    expect(await observed({ Date: date(NOW - 60_000), Age: "0" })).toBe(NOW - 60_000);
    expect(await observed({ Date: date(NOW), Age: "very" })).toBe(NOW);
  });
  test("that cannot be read is none", async () => {
    for (const text of ["yesterday", "1", "2026-04-14"])
      expect(await observed({ Date: text })).toBe("no_time");
  });
});

describe("plans", () => {
  test("Open Exchange Rates: a month's requests are spread over the longest month", () => {
    const least = (requestsPerMonth: number) =>
      oxrFeed({ appId: HEX, requestsPerMonth }).leastPollSeconds(WANTED);
    for (const requests of [1000, 10_000, 100_000]) {
      expect((31 * 86_400) / least(requests)).toBeLessThanOrEqual(requests);
    }
    expect([least(1000), least(10_000), least(100_000), least(1e7)]).toEqual([2679, 268, 27, 10]);
    expect(oxrFeed({ appId: HEX }).leastPollSeconds(WANTED)).toBe(2679);
  });

  test("Twelve Data: each poll within a minute's credits, a day's polls within a day's, in turn over all", () => {
    for (const [minute, perDay] of [
      [8, 800],
      [8, null],
      [55, null],
      [610, null],
      [1, 100],
    ] as const) {
      const feed = twelveDataFeed({ apiKey: HEX, creditsPerMinute: minute, creditsPerDay: perDay });
      const polls = feed.polls(WANTED);
      expect(polls.flatMap(({ requested }) => requested).sort()).toEqual([...WANTED].sort());
      const most = Math.max(...polls.map(({ requested }) => requested.length));
      const seconds = feed.leastPollSeconds(WANTED);
      expect(Math.ceil(60 / seconds) * most).toBeLessThanOrEqual(minute);
      if (perDay !== null) expect((86_400 / seconds) * most).toBeLessThanOrEqual(perDay);
    }
    expect(twelveDataFeed({ apiKey: HEX }).polls(WANTED).length).toBe(3);
    expect(
      twelveDataFeed({ apiKey: HEX, creditsPerMinute: 55, creditsPerDay: null }).polls(WANTED).length,
    ).toBe(1);
  });

  test("a used-up quota is a pause of minutes, or of an hour where it is a month's", () => {
    const pauses = FORGES.map(({ feed }) => [feed.id, feed.quotaPauseSeconds("", NOW)]);
    const expected = { coinbase: 300, oxr: 3600, massive: 60, twelvedata: 30, oanda: 60 };
    expect(Object.fromEntries(pauses)).toEqual(expected);
  });

  test("Twelve Data: credits come back at the next minute, a day's at midnight UTC", () => {
    const feed = twelveDataFeed({ apiKey: HEX });
    expect(feed.quotaPauseSeconds("out of API credits for the current minute", NOW)).toBe(30);
    expect(feed.quotaPauseSeconds("out of API credits for the day", NOW)).toBe(8 * 3600 + 59 * 60 + 30);
  });

  test("Twelve Data: an answer without the pairs that the quota lacks is a pause, one without an unknown pair is not", async () => {
    now = NOW;
    const { feed, good, write } = forgeOf("twelvedata");
    const { MXN: _, ...others } = good;
    const outcomeOf = (code: string) => {
      const error = `{"code":${code},"message":"no API credits left for the current minute","status":"error"}`;
      const text = write(others, NOW).replace(/}$/, `,"USD/MXN":${error}}`);
      return asker(serve(() => new Response(text)).base)(feed, feed.polls(REQUESTED)[0] as FeedPoll);
    };
    const refusal = { currency: "MXN", rule: "no_price" };
    expect(await outcomeOf("429")).toMatchObject({ refusals: [refusal], pauseUntil: NOW + 30_000 });
    for (const [code, told] of [
      ["404", "404"],
      // A text may be a key.
      ['"sk_live_51MszZ9"', "unknown"],
    ] as const) {
      const refused = { ...refusal, rule: "not_offered", reason: `USD/MXN is refused with code ${told}` };
      expect(await outcomeOf(code)).toMatchObject({ refusals: [refused], pauseUntil: null });
    }
  });

  test("Massive: five a minute where there is a limit, and a pair by its other direction where one has no price", () => {
    const feed = massiveFeed({ apiKey: HEX });
    expect(feed.leastPollSeconds(WANTED)).toBe(12);
    expect(feed.polls(["EUR"])[0]?.request.url).toEndWith("?tickers=C:EURUSD,C:USDEUR");
    const [without, other] = ["EURUSD", "USDEUR"].map((pair) => `{"ticker":"C:${pair}"`);
    const read = (bid: string) => {
      const last = `"lastQuote":{"b":${bid},"a":0.85160,"t":${NOW}}`;
      const text = `{"status":"DELAYED","tickers":[${without}},${other},${last}}]}`;
      return feed.parse(arrived(text), ["EUR"]);
    };
    expect(read("0.85150")).toMatchObject({ quotes: [{ base: "USD", mid: "0.85155" }], refusals: [] });
    // Of two refusals the first counts.
    expect(read("0")).toMatchObject({ quotes: [], refusals: [{ rule: "no_price" }] });
  });

  test("OANDA: the number of the account is in no reported failure", async () => {
    const feed = oandaFeed({ token: TOKEN, accountId: "101-004-1234567-001" });
    const echo = ({ url }: Request) => new Response(`no such page: ${url}`, { status: 401 });
    for (const base of [serve(echo).base, "http://127.0.0.1:1"]) {
      const reported = Bun.inspect(await asker(base)(feed, feed.polls(["EUR"])[0] as FeedPoll));
      expect(reported).toContain("api-fxtrade.oanda.com/v3/accounts/[secret]/pricing");
      expect(reported).not.toContain("1234567");
    }
  });

  test("OANDA: a practice account has its own host; of a side's prices the first is the best", () => {
    const urlOf = (practice?: boolean) =>
      oandaFeed({ token: TOKEN, accountId: "1/2", ...(practice !== undefined && { practice }) }).polls([
        "EUR",
      ])[0]?.request.url;
    expect(urlOf()).toBe("https://api-fxtrade.oanda.com/v3/accounts/1%2F2/pricing?instruments=EUR_USD");
    expect(urlOf(true)).toBe(
      "https://api-fxpractice.oanda.com/v3/accounts/1%2F2/pricing?instruments=EUR_USD",
    );
    const { feed, good, write } = forgeOf("oanda");
    const deep = write(good, NOW).replaceAll(
      /("price":"[^"]+","liquidity":"1000000"})/g,
      '$1,{"price":"1.05000"}',
    );
    expect(feed.parse(arrived(deep), REQUESTED).quotes.map(({ mid }) => mid)).toEqual(Object.values(good));
  });

  // Coinbase's crypto-currencies move around the clock: its bytes always differ.
  test("Coinbase: prices that stand still are not newer because another member moves, nor because the market opens", async () => {
    const feed = liveFeed("coinbase", ACCESS) as Feed;
    const poll = feed.polls(["EUR", "JPY"])[0] as FeedPoll;
    let prices = { EUR: "0.856123", JPY: "159.4712", BTC: "0.00001" };
    const { base } = serve(
      () =>
        new Response(JSON.stringify({ data: { currency: "USD", rates: prices } }), {
          headers: { Date: new Date(now).toUTCString() },
        }),
    );
    const polling = asker(base);
    const at = async (text: string, changes: Partial<typeof prices>) => {
      now = Date.parse(text);
      prices = { ...prices, ...changes };
      const outcome = await polling(feed, poll);
      return outcome.kind === "quotes" ? outcome.quotes.map(({ mid }) => mid) : outcome.kind;
    };
    expect(await at("2026-04-12T20:30:00Z", {})).toEqual([]);
    expect(await at("2026-04-12T21:00:30Z", { BTC: "0.00002" })).toBe("unchanged");
    expect(await at("2026-04-12T21:01:00Z", { EUR: "0.856124" })).toEqual(["0.856124", "159.4712"]);
    expect(await at("2026-04-12T21:01:30Z", { BTC: "0.00003" })).toBe("unchanged");
    expect(await at("2026-04-12T21:02:00Z", { JPY: "159.4713" })).toEqual(["0.856124", "159.4713"]);
    now = NOW;
  });

  test("Coinbase: old copies that come in turn with new answers are not newer", async () => {
    const { feed, good, write } = forgeOf("coinbase");
    let answer = "";
    const dated = () => new Response(answer, { headers: { Date: new Date(now).toUTCString() } });
    const polling = asker(serve(dated).base);
    const kindOf = async (wanted: readonly CurrencyCode[], eur: string) => {
      answer = write({ ...good, EUR: eur }, now);
      return (await polling(feed, feed.polls(wanted)[0] as FeedPoll)).kind;
    };
    const kinds = async (wanted: readonly CurrencyCode[]) => {
      const found = [];
      for (const eur of ["0.85156", "0.85157", "0.85156", "0.85158", "0.85156"])
        found.push(await kindOf(wanted, eur));
      return found.map((kind) => (kind === "quotes" ? "new" : "old"));
    };
    expect(await kinds(REQUESTED)).toEqual(["new", "new", "old", "new", "old"]);
    // A few prices may all come back to what they were.
    expect(await kinds(["EUR", "JPY"])).toEqual(["new", "new", "new", "new", "new"]);
  });

  test("Coinbase: the prices of the quotes before a restart are not newer after it, in every price they have", async () => {
    const { feed, good, write } = forgeOf("coinbase");
    const dated = () => new Response(write(good, now), { headers: { Date: new Date(now).toUTCString() } });
    const poll = feed.polls(REQUESTED)[0] as FeedPoll;
    const { upstream } = client(serve(dated).base, { clock, attempts: 1 });
    const outcome = await feedPoller(upstream, clock)(feed, poll);
    const quotes = outcome.kind === "quotes" ? outcome.quotes : [];
    const after = async (known: readonly LiveQuote[]) => {
      const byCode = new Map(known.map((quote) => [currencyOf(quote), quote]));
      return (await feedPoller(upstream, clock, byCode)(feed, poll)).kind;
    };
    expect(quotes).toHaveLength(REQUESTED.length);
    expect(await after(quotes)).toBe("unchanged");
    expect(await after(quotes.slice(1))).toBe("unchanged");
    expect(await after(quotes.map((quote) => ({ ...quote, feed: "oxr" as const })))).toBe("quotes");
    const other = quotes.map((quote, at) => (at === 0 ? { ...quote, mid: "0.85155" } : quote));
    expect(await after(other)).toBe("quotes");
  });

  test.each(["coinbase", "oxr"] as const)(
    "%s: rates in which the dollar does not cost 1 are of another base",
    async (id) => {
      const forge = forgeOf(id);
      const kindOf = async (dollar: string) => {
        const { base } = serve(() => new Response(forge.write({ ...forge.good, USD: dollar }, NOW)));
        return (await asker(base)(forge.feed, forge.feed.polls(["EUR"])[0] as FeedPoll)).kind;
      };
      const kinds = [await kindOf("1.00"), await kindOf("1.17432"), await kindOf("1e0")];
      expect(kinds).toEqual(["quotes", "failed", "quotes"]);
    },
  );

  test("an error of the program is no outcome", async () => {
    const { feed } = forgeOf("oxr");
    const parse = () => {
      throw new TypeError("a mistake");
    };
    const asking = asker(serve(() => new Response("{}")).base);
    const poll = feed.polls(REQUESTED)[0] as FeedPoll;
    await expect(asking({ ...feed, parse }, poll)).rejects.toThrow("a mistake");
  });

  test("an unchanged document is an outcome of its own", async () => {
    const { feed } = forgeOf("oxr");
    const { base } = serve((request) =>
      request.headers.get("if-none-match") === '"1"'
        ? new Response(null, { status: 304 })
        : new Response("{}", { headers: { ETag: '"1"' } }),
    );
    const { upstream } = client(base, { clock });
    const poll = feed.polls(REQUESTED)[0] as FeedPoll;
    const document = await upstream.get(poll.request);
    if (document !== "unchanged") upstream.remember(document);
    const unchanged = { kind: "unchanged", feed: "oxr", at: now, requested: poll.requested } as const;
    expect(await feedPoller(upstream, clock)(feed, poll)).toEqual(unchanged);
  });
});
