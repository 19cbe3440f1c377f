import { expect, test } from "bun:test";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { currencyIndex } from "#domain/currency/currency.ts";
import { computationOf, type RateLeg } from "#domain/explain/explanation.ts";
import { type Day, parseDay } from "#domain/time/day.ts";
import type { Explanation } from "#rates/explain.ts";
import { NOW, openTestApp, post } from "#test/api/harness.ts";
import { datasetOf, ecb, fred } from "#test/domain/history/columns.ts";
import { textOf } from "#test/web/dashboard/dashboard-server.ts";
import { Provenance } from "#web/provenance/provenance.tsx";

const app = openTestApp();
const shown = async (path: string) => (await app.page(path)).text;

test("a filled rate names the days of its figures", async () => {
  // The ECB has figures of Monday, 13 April; those of H.10 come a week later.
  expect(await shown("/site/provenance/EUR/TWD?date=2026-04-13")).toContain(
    "A cross of 2 published values, for 13 Apr 2026, from the figures of 10 Apr 2026.",
  );
  expect(await shown("/site/provenance/USD/TWD?date=2026-04-10")).toContain(
    "Printed as published, for 10 Apr 2026.",
  );
});

test("a daily rate has a line to cite, in the words of dated conversions, with the document behind it", async () => {
  const items = [{ from: "EUR", to: "TWD", amount: 1, date: "2026-04-13" }];
  const dated = await app.ask("/v1/convert/dated", post(JSON.stringify({ items })));
  const { citation } = (await dated.json()).conversions[0];
  const { legs } = await app.get("/v1/explain/EUR/TWD?date=2026-04-13");
  const addresses: string[] = legs.map((leg: { document: string }) => leg.document);
  const cited = (citation as string).split("; ").map((line, nth) => `${line}, ${addresses[nth]}`);
  expect(cited).toHaveLength(2);
  for (const path of ["/eur-twd?date=2026-04-13", "/site/provenance/EUR/TWD?date=2026-04-13"])
    expect(await shown(path)).toContain(`To cite: ${cited.join("; ")} Copy`);
  // The newest one, without a day.
  expect(await shown("/eur-gbp")).toContain("To cite: European Central Bank, 2026-04-13, 1 EUR = ");
});

/** As in the demo that begins with the ECB's own history, which has BRL from 2008 on. */
const figures = [
  ...["2007-12-28", "2007-12-31", "2008-01-02", "2026-04-10", "2026-04-13"].map((day) =>
    ecb(day, "USD", "1.4"),
  ),
  ...["2007-12-28", "2007-12-31", "2026-04-10"].map((day) => fred(day, "BRL", "1.77")),
  ...["2008-01-02", "2026-04-10", "2026-04-13"].map((day) => ecb(day, "BRL", "2.6")),
  ...["2026-04-10"].map((day) => fred(day, "TWD", "32.1")),
];
const world = { ...datasetOf(figures), simulated: true, realThrough: parseDay("2026-04-10") };
const { page, visit } = openTestApp({ world, simulated: true });

test("a rate of the day after the real history, and one of the Federal Reserve, are called simulated", async () => {
  const { html, text } = await page("/?base=EUR");
  const row = (code: string) => html.slice(html.indexOf(`data-code="${code}"`)).split("</tr>")[0] ?? "";
  expect(row("BRL").replace(/<[^>]*>/g, "")).toContain("ECB, simulated 13 Apr");
  expect(row("TWD").replace(/<[^>]*>/g, "")).toContain("Fed, simulated 10 Apr");
  expect(text).toContain(
    "History: European Central Bank to 10 Apr 2026. All else is simulated: live rates, those of the Fed, Mexican tables, later days.",
  );
});

test("the history of a pair says which of its days are", async () => {
  const { text } = await page("/eur-brl");
  expect(text).toContain("13 Apr 2026 simulated");
  expect(text).not.toContain("10 Apr 2026 simulated");
  const answer = await visit("/site/series/EUR/BRL");
  expect((await answer.json()).simulated).toEqual(
    ["2007-12-28", "2007-12-31", "2026-04-13"].map((day) => parseDay(day)),
  );
});

test("so do the title, the description and no data for programs: they leave the page", async () => {
  const { html } = await page("/eur-brl");
  expect(html).toContain("<title>SIMULATED: EUR to BRL: 2.6 of 13 Apr 2026 · Crossrate</title>");
  expect(html).toContain(
    'name="description" content="SIMULATED: 1 Euro was 2.6 Brazilian Real on 13 Apr 2026.',
  );
  expect(html).not.toContain("application/ld+json");
});

test("a server's own page has its rate with the day in all three", async () => {
  const { html } = await openTestApp().page("/eur-usd");
  const [title = "", rate] = /<title>EUR to USD: ([0-9.]+) of 13 Apr 2026 · Crossrate/.exec(html) ?? [];
  expect(title).not.toBe("");
  expect(html).toContain(`content="1 Euro was ${rate} US Dollar on 13 Apr 2026. Daily rates since 2026 with`);
  expect(html).toContain(`"price":"${rate}","priceCurrency":"USD","validFrom":"2026-04-13T12:15:00Z"`);
  expect(html).not.toMatch(/simulated/i);
});

const DAILY = {
  ...{
    kind: "daily",
    source: "ecb_daily",
    base: "EUR",
    quote: "USD",
    printed: "1.1745",
    units: 11_745,
    scale: 4,
  },
  ...{
    multiplies: true,
    error: 0.00005,
    simulated: false,
    authority: "European Central Bank",
    terms: "Source: ECB.",
    revision: 1,
    earlier: [],
  },
  ...{
    date: parseDay("2026-04-13") as Day,
    publishedAt: null,
    observedAt: NOW - 7_200_000,
    retrievedAt: NOW,
  },
  document: { document: "https://www.ecb.europa.eu/stats/eurofxref.zip", documentSha256: "3f".repeat(32) },
} as const satisfies RateLeg;
const LIVE = {
  ...{
    kind: "live",
    source: "live",
    feed: "coinbase",
    base: "USD",
    quote: "EUR",
    printed: "0.8560",
    units: 8560,
    scale: 4,
  },
  ...{
    multiplies: true,
    error: 0.00005,
    simulated: false,
    authority: "Coinbase",
    terms: "Source: Coinbase.",
    bid: "0.8559",
    ask: "0.8561",
  },
  ...{ observedAt: NOW - 60_000, retrievedAt: NOW },
} as const satisfies RateLeg;

/** What the provenance of a rate from these figures says. */
function provenanceOf(legs: readonly RateLeg[], more: Partial<Explanation> = {}) {
  const pair = { base: currencyIndex("EUR"), quote: currencyIndex("USD"), rate: "1.17" };
  const explanation = {
    ...{ ...pair, day: null, derived: false, boundBps: null, stale: false, forwardFilled: null, legs },
    ...{ computation: computationOf(legs, pair), sql: "SELECT 1", inLakeAt: null, ...more },
  } as Explanation;
  return textOf(renderToString(h(Provenance, { explanation })));
}

test("a published figure has its times, its document and its earlier values, and says where it is simulated or stale", () => {
  const earlier = {
    revision: 1,
    printed: "1.1700",
    supersededAt: NOW - 3_600_000,
    why: "the document was corrected",
  };
  const corrected = provenanceOf([{ ...DAILY, revision: 2, earlier: [earlier as never] }], { stale: true });
  for (const part of [
    "Printed as published, stale: a newer publication was due.",
    "Observed 13 Apr 2026, 14:30:00 UTC Published not stated by the document Retrieved 13 Apr 2026, 16:30:00 UTC",
    `eurofxref.zip sha256 ${"3f".repeat(32)}`,
    "Revisions 1.1700 until 13 Apr 2026, 15:30:00 UTC , the document was corrected 1.1745 since",
  ])
    expect(corrected).toContain(part);
  expect(provenanceOf([DAILY])).toContain("Revisions none");
  const simulated = provenanceOf([{ ...DAILY, simulated: true }]);
  expect(simulated).toContain("EUR/USD 1.1745 simulated ");
  expect(simulated).toContain("To cite: SIMULATED: European Central Bank, 2026-04-13, 1 EUR = 1.1745 USD");
  expect(provenanceOf([DAILY])).not.toMatch(/simulated|stale/i);
});

test("a quote has its feed, its age, bid and ask; it is never cited like a published figure", () => {
  const quoted = provenanceOf([LIVE]);
  expect(quoted).toContain("A live quote.");
  expect(quoted).toContain(
    "Feed Coinbase Observed 13 Apr 2026, 16:29:00 UTC Retrieved 13 Apr 2026, 16:30:00 UTC",
  );
  expect(quoted).toContain("Bid and ask 0.8559 / 0.8561");
  expect(provenanceOf([{ ...LIVE, ask: null }])).not.toContain("Bid and ask");
  expect(provenanceOf([{ ...LIVE, multiplies: false }])).toContain("The inverse of a live quote.");
  for (const legs of [[LIVE], [LIVE, DAILY]]) {
    const text = provenanceOf(legs, { derived: legs.length > 1, inLakeAt: NOW });
    expect(text).toContain("The rate of a day has a line to cite.");
    expect(text).not.toContain("To cite:");
    expect(text).toContain("Not in the lake yet: the quote is stored on 13 Apr 2026, 16:30:00 UTC .");
  }
  expect(provenanceOf([LIVE, DAILY], { derived: true })).toContain(
    "A cross of 2 quotes and published values.",
  );
});
