/** Pages of a server that still collects, or could not: they say of which day the figures are, reload by themselves, and then have rates. */

import { expect, test } from "bun:test";
import type { CollectionState } from "#domain/intake/reading.ts";
import { NOW, openTestApp, WORLD } from "#test/api/harness.ts";
import { openStreamFixture } from "#test/api/stream/streaming.ts";
import { datasetOf } from "#test/domain/history/columns.ts";
import { inBrowser, openPage } from "#test/support/browser.ts";
import { listen } from "#test/support/listen.ts";

const DAY = 86_400_000;

function state(source: CollectionState["source"], outcome: CollectionState["outcome"]): CollectionState {
  const lastSuccessAt = outcome === "figures" ? NOW : null;
  const detail = outcome === "failed" ? "www.ecb.europa.eu cannot be reached" : null;
  return { source, outcome, lastAttemptAt: NOW, lastSuccessAt, detail };
}

const refreshOf = ({ headers }: { readonly headers: Headers }) => headers.get("refresh");

/** Four weeks after the newest figures. */
function opened(ecb: CollectionState["outcome"], { later = 28, collecting = true } = {}) {
  return openTestApp({
    now: NOW + later * DAY,
    collection: () => [state("ecb_daily", ecb), state("fred_daily", ecb === "figures" ? "figures" : "never")],
    process: () => ({ role: "all", collecting, stopping: false }),
    nextCollection: () => NOW + 28 * DAY + 3_600_000,
  });
}

test("while it collects: of which day the figures are, what is being collected, and a reload every few seconds", async () => {
  const app = opened("never");
  for (const [path, status] of [
    ["/", 200],
    ["/status/page", 200],
  ] as const) {
    const shown = await app.page(path);
    expect([path, shown.status, refreshOf(shown)]).toEqual([path, status, "3"]);
    expect(shown.text).toContain("Collecting the days since 13 Apr 2026…");
    expect(shown.text).toContain("European Central Bank, euro reference rates: being collected…");
    expect(shown.text).toContain("Federal Reserve H.10, through FRED: waiting");
  }
});

test("a pair has its page meanwhile, with the rate of the newest day as stale", async () => {
  const app = opened("failed");
  const shown = await app.page("/eur-usd");
  expect([shown.status, refreshOf(shown)]).toEqual([200, null]);
  expect(shown.text).toContain("1 EUR = 1.1670 USD");
  expect(shown.text).toContain("ECB, stale 13 Apr 2026");
  // A cross has no other time in its head.
  expect((await app.page("/gbp-usd")).text).toContain("ECB, stale 13 Apr 2026cross through a third currency");
  // What a click on the rate loads.
  const panel = await app.page("/site/provenance/EUR/USD");
  expect([panel.status, panel.text.includes("1.1670")]).toEqual([200, true]);
});

test("a pair whose history is damaged says so, and not that there is none yet", async () => {
  const damaged = [{ table: "daily", path: "", sentence: "", source: "ecb_daily", year: 2015 }] as const;
  const app = openTestApp({ world: { ...datasetOf(WORLD), damaged } });
  const { text } = await app.page("/eur-usd");
  expect(text).toContain("1 EUR = 1.1670 USD");
  expect(text).toContain(
    "The history of this pair cannot be shown: this answer depends on data that is damaged",
  );
  const ofDay = await app.page("/eur-usd?date=2015-01-15");
  expect(ofDay.text).toContain("These rates are not availableThis answer depends on data that is damaged");
});

test("where nothing could be reached: what, when it is tried again, and the newest day that is there", async () => {
  const app = opened("failed", { collecting: false });
  const shown = await app.page("/");
  expect([shown.status, refreshOf(shown)]).toEqual([200, "30"]);
  expect(shown.text).toContain("No current rates");
  expect(shown.text).toContain(
    "The newest rates here are of 2026-04-13, more than 14 days ago: /v1/2026-04-13 has them",
  );
  expect(shown.text).toContain(
    "www.ecb.europa.eu cannot be reached. Tried again at 11 May 2026, 17:30:00 UTC",
  );
  const { message } = await (await app.refused("/v1/latest", "data_unavailable")).json();
  expect(message).toContain("2026-04-13");
});

test("where one source has the latest rates and another could not be reached, they are not called missing", async () => {
  const shown = await opened("failed", { later: 0, collecting: false }).page("/status/page");
  expect(shown.text).toContain("A source could not be collected");
  expect(shown.text).not.toContain("No current rates");
});

test("once it is done, the pages have rates and stay", async () => {
  const app = opened("figures", { later: 0 });
  for (const path of ["/", "/usd-eur", "/status/page"]) {
    const shown = await app.page(path);
    expect([path, shown.status, refreshOf(shown)]).toEqual([path, 200, null]);
    expect(shown.text).not.toContain("Collecting the");
  }
});

inBrowser("the page of a pair that was opened before its history was there", () => {
  test("gets its chart, its table and its files once the history arrives", async () => {
    const app = openStreamFixture({ observations: null });
    await app.publish({ EUR: "0.85585" });
    const { url } = listen(app.answer, 0);
    const { page, complaints } = await openPage(`${url}/usd-eur`);
    expect(await page.textContent("#history")).toBe(
      "The history of this pair cannot be shown: no rate has been collected yet; see /status.",
    );
    app.commit(WORLD);
    await app.publish({ EUR: "0.85611" }, NOW + 1000);
    await app.tick();
    await page.waitForSelector(".chart canvas");
    expect(await page.textContent("#pair-rate")).toBe("0.85611");
    expect(await page.locator(".history-table tbody tr").count()).toBe(8);
    expect(await page.locator(".history-files a").count()).toBe(3);
    expect(complaints).toEqual([]);
  });
});
