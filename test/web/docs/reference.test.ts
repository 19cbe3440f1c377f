/** The documentation page is complete, and says what is made up. */

import { describe, expect, test } from "bun:test";
import { openTestApp } from "#test/api/harness.ts";
import { sampleApp } from "#test/api/sample-world.ts";

const { visit: get } = sampleApp();

const linksOf = (html: string) =>
  [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link as string);

describe("the page", () => {
  test("links to nothing of this server that is not there", async () => {
    const html = await (await get("/docs/reference")).text();
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
