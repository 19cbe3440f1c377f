/** Two live feeds over real HTTP under the test's clock, in their real wire formats, with every fault of a week. */

import { openExchangeRates, quotesOf } from "#demo/live.ts";
import { TRUE_FIGURES, type Upstream } from "#demo/request.ts";
import type { World } from "#demo/world.ts";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { Instant } from "#domain/time/day.ts";
import type { Clock } from "#ports.ts";
import { massive } from "#test/support/massive.ts";
import { type Ledger, newLedger, READERS, TICKER } from "./ledger.ts";

export type PlayedFeed = "massive" | "oxr";

/** How a feed misbehaves; several at once are possible. */
export interface Trouble {
  /** It answers with this status, and nothing of use. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** It accepts the request and never answers; the client's deadline is the virtual one. */
  readonly hangs?: true;
  /** The document as it is sent, made of the good one. */
  readonly rewrite?: (text: string) => string;
  /** Its clock is ahead of the true one by so many milliseconds; its prices are those of the moment all the same. */
  readonly skewMilliseconds?: number;
  /** It repeats what it answered at this instant, time included. */
  readonly standsStillAt?: Instant;
}

const HOSTS: Readonly<Record<string, readonly [PlayedFeed, Upstream]>> = {
  "api.massive.com": ["massive", massive],
  "openexchangerates.org": ["oxr", openExchangeRates],
};

export type FeedServer = ReturnType<typeof startFeeds>;

/** `noted` are the currencies whose deliveries the ledger records. */
export function startFeeds(world: World, clock: Clock, noted: readonly CurrencyCode[]) {
  const ledger = newLedger();
  const requested: Record<PlayedFeed, Instant[]> = { massive: [], oxr: [] };
  const troubles = new Map<PlayedFeed, Trouble>();

  const answer = (request: Request): Response => {
    const { pathname, search } = new URL(request.url);
    const [, host = "", ...path] = pathname.split("/");
    const [feed, upstream] = HOSTS[host] ?? [];
    if (feed === undefined || upstream === undefined) return new Response("no such host", { status: 404 });
    const now = clock.now();
    const trouble = troubles.get(feed) ?? {};
    requested[feed].push(now);
    if (trouble.status !== undefined)
      return new Response("not well", { status: trouble.status, headers: { ...trouble.headers } });
    const visit = {
      url: new URL(`https://${host}/${path.join("/")}${search}`),
      headers: request.headers,
      world,
      now: trouble.standsStillAt ?? now,
      printing: TRUE_FIGURES,
      question: null,
    };
    const good = upstream(visit);
    const date = visit.now + (trouble.skewMilliseconds ?? 0);
    const timed = shifted(good.body() as string, trouble.skewMilliseconds ?? 0);
    const text = trouble.rewrite?.(timed) ?? timed;
    const market = quotesOf(visit);
    // A Date has whole seconds.
    const printed = Math.floor(date / 1000) * 1000;
    // A price is never of a later time than its arrival, whatever its feed prints.
    const arriving: Ledger = {
      ...ledger,
      note: (base, quote, price, at, of) => ledger.note(base, quote, price, Math.min(at, now), of),
    };
    READERS[feed](arriving, text, (code) => (noted.includes(code) ? market.mid("USD", code) : null));
    const headers = { "content-type": good.contentType, date: new Date(printed).toUTCString() };
    return new Response(text, { status: good.status ?? 200, headers });
  };

  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, reusePort: false, fetch: answer });
  return {
    /** What UPSTREAM_BASE is set to. */
    base: `http://127.0.0.1:${server.port}`,
    ledger,
    /** The instants of each feed's requests. */
    requested,
    troubles,
    stop: () => server.stop(true),
  };
}

/** The document with its times moved, as a feed with another clock prints it. */
function shifted(text: string, milliseconds: number): string {
  if (milliseconds === 0) return text;
  return text
    .replace(/"(t|updated)":(\d{13})/g, (_, name, time) => `"${name}":${Number(time) + milliseconds}`)
    .replace(/"timestamp":(\d{10})/, (_, time) => `"timestamp":${Number(time) + milliseconds / 1000}`);
}

/** A rewriting of single tickers: a new bid and ask, or null to leave the currency out. */
export function tickers(
  change: (code: CurrencyCode, bid: string, ask: string) => readonly [bid: string, ask: string] | null,
): (text: string) => string {
  return (text) =>
    text
      .replace(TICKER, (whole, base, quote, ask, bid) => {
        const changed = change(base === "USD" ? quote : base, bid, ask);
        if (changed === null) return "";
        return whole.replace(`"a":${ask},"b":${bid}`, `"a":${changed[1]},"b":${changed[0]}`);
      })
      .replace(/\[,+/, "[")
      .replace(/,+\]/, "]")
      .replace(/,{2,}/g, ",");
}

/** Ten times as much, digit for digit. */
export function tenfold(printed: string): string {
  const [whole = "", decimals = ""] = printed.split(".");
  return `${`${whole}${decimals.slice(0, 1)}`.replace(/^0+(?=\d)/, "")}.${decimals.slice(1)}`;
}
