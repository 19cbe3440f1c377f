/** The one search: names of currencies in every shape lead to their pairs, and words to tables, guides and operations. */

import { describe, expect, test } from "bun:test";
import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { openGuides } from "#guides/pages.ts";
import { openTestApp } from "#test/api/harness.ts";
import { OPERATIONS } from "#test/api/openapi/valid.ts";
import { CUSTOMS, FIX } from "#test/official/collected.ts";
import { namesOf } from "#web/search/names.ts";
import { searchSite } from "#web/search/page.tsx";

const operations = [
  { id: "getLatest", method: "get", path: "/v1/latest", summary: "Latest rates" },
  { id: "convertBatch", method: "post", path: "/v1/convert/batch", summary: "Convert a batch" },
] as const;
const deps = {
  guides: openGuides(),
  tables: [FIX, { ...CUSTOMS, authority: "HM Revenue & Customs" }],
  operations: () => operations,
};

async function hits(query: string, group: string, from = deps): Promise<readonly string[]> {
  const found = (await searchSite(from, query)).find(({ name }) => name === group);
  return (found?.hits ?? []).map(({ href }) => href);
}

const pairsOf = (query: string) =>
  hits(query, "Pairs", { ...deps, guides: { ...deps.guides, search: async () => [] } });

describe("pairs", () => {
  test.each([
    ["USD/EUR", "/usd-eur"],
    ["EURUSD", "/eur-usd"],
    ["usd-jpy", "/usd-jpy"],
    ["100 dollars", null],
    ["swiss franc in yen", "/chf-jpy"],
    ["zloty", "/pln-usd"],
    ["złoty", "/pln-usd"],
    ["zł", "/pln-usd"],
    ["Türkiye", "/try-usd"],
    ["turkey", "/try-usd"],
    ["£ to €", "/gbp-eur"],
    ["deutsche mark", "/eur-usd"],
    ["renminbi", "/cny-usd"],
    ["south africa", "/zar-usd"],
    ["new zealand to australia", "/nzd-aud"],
    ["switz", "/chf-usd"],
    ["us dollar", "/usd-eur"],
    ["₩", "/krw-usd"],
  ])("%s", async (query, first) => {
    const [href = null] = await pairsOf(query);
    expect(href).toBe(first);
  });

  test("a name of several currencies has all of them", async () => {
    const found = await pairsOf("krone");
    expect(found).toContain("/nok-usd");
    expect(found).toContain("/dkk-usd");
    expect(await pairsOf("dollar to euro")).toContain("/aud-eur");
  });

  test("every name of every currency finds it", async () => {
    for (const code of CURRENCY_CODES)
      for (const name of [code, ...namesOf(code)]) {
        const pairs = await pairsOf(`${name} to ${code === "CHF" ? "usd" : "chf"}`);
        expect(
          pairs.some((href) => href.startsWith(`/${code.toLowerCase()}-`)),
          `${name} is ${code}`,
        ).toBe(true);
      }
  });
});

test("tables by country and authority, guides by their text, operations by path and summary", async () => {
  expect(await hits("mexico", "Official tables")).toEqual(["/official/mex/fix"]);
  for (const query of ["FIX rate", "mexico exchange rates", "official fix"])
    expect(await hits(query, "Official tables")).toContain("/official/mex/fix");
  expect(await hits("united kingdom customs", "Official tables")).toEqual(["/official/gbr/customs"]);
  expect((await hits("webhook signature", "Guides"))[0]).toStartWith("/docs/webhooks");
  expect(await hits("convert batch", "Operations")).toEqual(["/docs/reference#convertBatch"]);
  expect(await searchSite(deps, "  …  ")).toEqual([]);
});

test("the page and its fragment have the results", async () => {
  const app = openTestApp();
  for (const path of ["/search", "/site/search"]) {
    const { status, html } = await app.page(`${path}?q=swiss+franc`);
    expect([status, html]).toEqual([200, expect.stringContaining('href="/chf-usd"')]);
  }
});

test("the reference has every operation at the address that the search names, without a script", async () => {
  const { html } = await openTestApp().page("/docs/reference");
  for (const { id, path } of OPERATIONS) {
    expect(html).toContain(`<code>${path}</code>`);
    expect(html).toContain(`id="${id}"`);
  }
});
