/** A feed for benchmarks, in Coinbase's wire format: the given values, moved a little at every request, so that every poll is news. */

export interface LiveFeed {
  /** For UPSTREAM_BASE: every other upstream is answered with 404. */
  readonly base: string;
  stop(): Promise<void>;
}

/** Values are units per dollar. */
export function startLiveFeed(perDollar: Readonly<Record<string, number>>, now: () => number): LiveFeed {
  let polls = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) => {
      if (new URL(url).pathname !== "/api.coinbase.com/v2/exchange-rates")
        return new Response(null, { status: 404 });
      polls += 1;
      const moved = 1 + (polls % 100) / 1e6;
      const rates = Object.fromEntries(
        Object.entries(perDollar).map(([code, value]) => [code, (value * moved).toPrecision(8)]),
      );
      return Response.json(
        { data: { currency: "USD", rates } },
        { headers: { Date: new Date(now()).toUTCString() } },
      );
    },
  });
  return { base: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) };
}
