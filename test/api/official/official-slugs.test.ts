/** usd-mxn-banxico and usd-mxn-dof: one official figure each, its own time, when it is stale, and the refusal without it. */

import { describe, expect, test } from "bun:test";
import { openTestApp } from "#test/api/harness.ts";
import { collected, collectedForEach, DOF, FIX, NOW } from "#test/official/collected.ts";

const world = collectedForEach();

/** The clock of the test, for transport and use cases alike. */
function open(tables = collected(FIX, DOF)) {
  const official = world.deps(tables);
  return openTestApp({ clock: official.clock, official });
}

test("the FIX is the newest determination, at noon in Mexico City, with its printed digits and nothing of any other source", async () => {
  await world.publish(FIX, "2026-04-10", { rate: "17.2000" });
  await world.publish(FIX, "2026-04-13", { rate: "17.3400" });
  const response = await open().ask("/v1/rate/USD-MXN-Banxico");
  const text = await response.text();
  expect(text).toContain('"rate":17.3400,');
  expect(response.headers.get("cache-control")).toBe("public, max-age=15, must-revalidate");
  const { notice, ...body } = JSON.parse(text);
  expect(body).toEqual({
    result: "success",
    pair: "usd-mxn-banxico",
    base: "USD",
    quote: "MXN",
    rate: 17.34,
    source: "banxico_daily",
    sources: { MXN: "banxico_daily" },
    market_session: "open",
    timestamp: "2026-04-13T20:30:00Z",
    data_updated_at: "2026-04-13T18:00:00Z",
    stale: false,
    derived: false,
    effective_at: { MXN: "2026-04-13T18:00:00Z" },
    derivation_bps_max: null,
  });
  expect(notice).toEndWith("its own publication prevails.");
});

test("the Diario's dollar is that of the newest issue up to today, from the beginning of its day", async () => {
  await world.publish(DOF, "2026-04-13", { rate: "17.200000" });
  await world.publish(DOF, "2026-04-14", { rate: "17.340000" });
  const text = await (await open().ask("/v1/rate/usd-mxn-dof")).text();
  expect(text).toContain('"rate":17.200000,"source":"dof_daily","sources":{"MXN":"dof_daily"}');
  expect(JSON.parse(text).data_updated_at).toBe("2026-04-13T06:00:00Z");
});

test("a correction counts, in its newest version; dp rounds half-even", async () => {
  await world.publish(FIX, "2026-04-13", { rate: "17.3400" });
  await world.publish(FIX, "2026-04-13", { version: 2, rate: "17.4350" });
  const app = open();
  expect((await app.get("/v1/rate/usd-mxn-banxico")).rate).toBe(17.435);
  expect((await app.get("/v1/rate/usd-mxn-banxico?dp=2")).rate).toBe(17.44);
  expect((await app.refused("/v1/rate/usd-mxn-banxico?dp=x", "invalid_request")).status).toBe(400);
});

describe("stale", () => {
  test.each([
    // Friday's FIX is followed by Monday's, which is due at 14:00 in Mexico City.
    ["usd-mxn-banxico", "2026-04-11T12:00:00Z", false],
    ["usd-mxn-banxico", "2026-04-13T19:59:00Z", false],
    ["usd-mxn-banxico", "2026-04-13T20:00:00Z", true],
    // Friday's issue is followed by Monday's, which is due at noon.
    ["usd-mxn-dof", "2026-04-12T23:00:00Z", false],
    ["usd-mxn-dof", "2026-04-13T17:59:00Z", false],
    ["usd-mxn-dof", "2026-04-13T18:00:00Z", true],
  ])("%s of Friday at %s: %p", async (slug, now, stale) => {
    await world.publish(FIX, "2026-04-10");
    await world.publish(DOF, "2026-04-10");
    world.at(now);
    expect((await open().get(`/v1/rate/${slug}`)).stale).toBe(stale);
  });

  test("for two weeks; after that nothing is served", async () => {
    await world.publish(FIX, "2026-03-30");
    expect((await open().get("/v1/rate/usd-mxn-banxico")).stale).toBe(true);
    world.at("2026-04-14T12:00:00Z");
    expect(await open().reason("/v1/rate/usd-mxn-banxico", "source_unavailable")).toBe(
      "the newest value of usd-mxn-banxico is of 2026-03-30, more than 14 days ago; usd-mxn is the ordinary pair",
    );
  });
});

describe("without a value", () => {
  test.each([
    ["switched off", null, "usd-mxn-banxico is not collected on this server: OFFICIAL_TABLES leaves it out"],
    [
      "left out",
      collected(DOF),
      "usd-mxn-banxico is not collected on this server: OFFICIAL_TABLES leaves it out",
    ],
    [
      "not set up",
      [{ table: FIX, missing: "set BANXICO_TOKEN" }],
      "usd-mxn-banxico is not collected on this server: set BANXICO_TOKEN",
    ],
    ["not collected yet", collected(FIX), "of usd-mxn-banxico nothing has been collected yet"],
  ] as const)("%s: the message says what would help", async (_, tables, message) => {
    const official = tables === null ? null : world.deps(tables);
    const app = openTestApp({ now: NOW, official });
    expect(await app.reason("/v1/rate/usd-mxn-banxico", "source_unavailable")).toBe(
      `${message}; usd-mxn is the ordinary pair`,
    );
  });

  test("what another process has collected is served, set up here or not", async () => {
    await world.publish(FIX, "2026-04-13");
    const app = open([{ table: FIX, missing: "set BANXICO_TOKEN" }]);
    expect((await app.get("/v1/rate/usd-mxn-banxico")).rate).toBe(17.34);
  });

  test("there are two such slugs, and no inverse of them", async () => {
    const app = open();
    for (const slug of ["mxn-usd-banxico", "usd-mxn-fix", "usd-eur-dof", "usd-mxn-"])
      await app.refused(`/v1/rate/${slug}`, "invalid_pair");
  });
});

test("a call matches its tag until the value or its staleness changes", async () => {
  await world.publish(FIX, "2026-04-10");
  world.at("2026-04-13T19:58:00Z");
  const app = open();
  const first = await app.ask("/v1/rate/usd-mxn-banxico");
  const again = () =>
    app.ask("/v1/rate/usd-mxn-banxico", { headers: { "if-none-match": first.headers.get("etag") ?? "" } });
  world.at("2026-04-13T19:59:00Z");
  expect((await again()).status).toBe(304);
  world.at("2026-04-13T20:00:00Z");
  expect((await again()).status).toBe(200);
});
