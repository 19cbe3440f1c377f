import { expect, test } from "bun:test";
import { openTestApp, post } from "#test/api/harness.ts";

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

test("a pair's page calls every derived rate a cross through a third currency", async () => {
  for (const pair of ["gbp-usd", "gbp-twd"])
    expect(await shown(`/${pair}`)).toContain("cross through a third currency");
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
