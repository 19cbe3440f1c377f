import { expect, test } from "bun:test";
import { parseDay } from "#domain/time/day.ts";
import { openTestApp } from "#test/api/harness.ts";
import { datasetOf, ecb, fred } from "#test/domain/history/columns.ts";

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
