/** The documentation page is complete and self-contained: it loads nothing from, and sends nothing to, another host. */

import { describe, expect, test } from "bun:test";
import { openTestApp } from "#test/api/harness.ts";
import { sampleApp } from "#test/api/sample-world.ts";

const { visit: get } = sampleApp();

const linksOf = (html: string) =>
  [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link as string);

describe("the page", () => {
  test("loads nothing from outside this server, and everything it links to is there", async () => {
    const html = await (await get("/docs/reference")).text();
    const elsewhere = [...html.matchAll(/<(?:script|img|link)[^>]*(?:src|href)="([^"]+)"/g)].map(
      ([, link]) => link,
    );
    expect(
      elsewhere.filter((link) => !link?.startsWith("/") && link !== "http://localhost/docs/reference"),
    ).toEqual([]);
    const links = linksOf(html).filter((link) => link.startsWith("/"));
    expect(links.length).toBeGreaterThan(10);
    // A page of the dashboard leads to the sign-in.
    for (const link of new Set(links))
      expect([200, 303], link).toContain((await get(link.replace(/#.*/, ""))).status);
  });

  test("says that the demo's rates are made up, and only then", async () => {
    const page = async (simulated: boolean) =>
      await (await openTestApp({ simulated }).visit("/docs/reference")).text();
    expect(await page(true)).toContain("Simulated data");
    expect(await page(false)).not.toContain("Simulated data");
  });
});
