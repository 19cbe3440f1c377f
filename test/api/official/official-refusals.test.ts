/** What the official endpoints refuse, with which code, and what the message says to do. */

import { describe, expect, test } from "bun:test";
import { LedgerUnavailable } from "#domain/account/ledger.ts";
import { openTestApp } from "#test/api/harness.ts";
import { CUSTOMS, collected, collectedForEach, DOF, FIX, NOW } from "#test/official/collected.ts";

const world = collectedForEach();
const clock = { now: () => NOW };
const open = (tables = collected(FIX, DOF, CUSTOMS)) => openTestApp({ clock, official: world.deps(tables) });

describe("404", () => {
  test.each([
    [
      "/v1/official/XXX/fix/publications",
      "no official table of a country XXX; there are MEX, GBR: see /v1/official",
    ],
    [
      "/v1/official/MEX/customs/publications/latest",
      "no official table of MEX of a type customs; there are fix, banxico, dof, tax: see /v1/official",
    ],
    [
      "/v1/official/MEX/fix/publications/2026-04-12",
      "mex_fix has no publication 2026-04-12: see /v1/official/MEX/fix/publications",
    ],
    [
      "/v1/official/MEX/fix/publications/2026-04-13?version=7",
      "publication 2026-04-13 of mex_fix has no version 7; its newest is 1",
    ],
    [
      "/v1/official/MEX/fix/publications/latest?valid_on=2026-04-12",
      "no publication of mex_fix is known to be valid on 2026-04-12; the first one here is 2026-04-13, valid from 2026-04-13",
    ],
  ])("%s", async (path, message) => {
    await world.publish(FIX, "2026-04-13");
    expect(await open().reason(path, "not_found")).toBe(message);
  });

  test.each([
    "/v1/official/MEX",
    "/v1/official/MEX/fix",
    "/v1/official/changes/1",
    "/v1/official/MEX/fix/publications/%2E%2E",
    "/v1/official/MEX/fix/publications/a%2Fb",
    "/v1/official/MEX/fix/publications/%zz",
    `/v1/official/MEX/fix/publications/${"x".repeat(65)}`,
  ])("%s", async (path) => {
    await open().refused(path, "not_found");
  });
});

describe("400", () => {
  test.each([
    [
      "since=2026-04-13",
      "since must be an instant, not a day: write 2026-04-13T23:59:59Z for the end of that day, UTC",
    ],
    ["since=yesterday", "since must be a UTC instant such as 2026-04-13T16:30:00Z"],
    ["country=XXX", "no official table of a country XXX; there are MEX, GBR: see /v1/official"],
    [
      "country=MEX&type=customs",
      "no official table of MEX of a type customs; there are fix, banxico, dof, tax: see /v1/official",
    ],
    [
      "type=nothing",
      "no official table of a type nothing; there are fix, banxico, dof, tax, customs, monthly: see /v1/official",
    ],
    ["limit=0", "limit must be a whole number from 1 to 500"],
    ["limit=501", "limit must be a whole number from 1 to 500"],
  ])("changes?%s", async (query, message) => {
    expect(await open().reason(`/v1/official/changes?${query}`, "invalid_request")).toBe(message);
  });

  test.each([
    ["?from=2026-04-31", "bad_date"],
    ["?to=today", "bad_date"],
    ["?from=2026-04-13&to=2026-04-12", "invalid_request"],
    ["?limit=367", "invalid_request"],
    ["?cursor=abc", "invalid_request"],
    ["/latest?valid_on=13.4.2026", "bad_date"],
    ["/2026-04-13?version=0", "invalid_request"],
    ["/2026-04-13?version=one", "invalid_request"],
  ] as const)("publications%s", async (rest, code) => {
    await open().refused(`/v1/official/MEX/fix/publications${rest}`, code);
  });

  test("a cursor is valid for its own query only", async () => {
    for (const date of ["2026-04-10", "2026-04-13"]) {
      await world.publish(FIX, date);
      await world.publish(DOF, date);
    }
    const app = open();
    const { next_cursor: list } = await app.get("/v1/official/MEX/fix/publications?limit=1");
    const { next_cursor: changes } = await app.get("/v1/official/changes?limit=1");
    for (const path of [
      `/v1/official/MEX/dof/publications?cursor=${list}`,
      `/v1/official/MEX/fix/publications?from=2026-01-01&cursor=${list}`,
      `/v1/official/changes?cursor=${list}`,
      `/v1/official/changes?country=MEX&cursor=${changes}`,
      `/v1/official/changes?since=2026-04-01T00:00:00Z&cursor=${changes}`,
      `/v1/official/changes?cursor=x${changes}`,
    ])
      await app.refused(path, "invalid_request");
    // The same table under another of its types is the same query.
    await app.get(`/v1/official/MEX/banxico/publications?cursor=${list}`);
  });
});

describe("503", () => {
  const PATHS = [
    "/v1/official",
    "/v1/official/changes",
    "/v1/official/MEX/fix/publications",
    "/v1/official/MEX/fix/publications/latest",
    "/v1/official/MEX/fix/publications/2026-04-13",
  ];

  test.each(PATHS)("%s where official tables are switched off", async (path) => {
    const refusal = await openTestApp({ clock, official: null }).refused(path, "source_unavailable");
    expect(await refusal.text()).toContain("OFFICIAL_TABLES");
    expect(refusal.headers.get("retry-after")).toBe("300");
  });

  test.each(PATHS)("%s while the ledger is out of reach, and an answer again after it", async (path) => {
    await world.publish(FIX, "2026-04-13");
    const { publications, outbox } = world.ledger;
    let isReachable = false;
    const reach = async <T>(read: () => Promise<T>): Promise<T> => {
      if (isReachable) return await read();
      throw new LedgerUnavailable("no answer in time");
    };
    const official = world.deps(undefined, {
      publications: {
        find: (...wanted) => reach(() => publications.find(...wanted)),
        list: (query) => reach(() => publications.list(query)),
        validOn: (...wanted) => reach(() => publications.validOn(...wanted)),
        first: (table) => reach(() => publications.first(table)),
        versions: (...wanted) => reach(() => publications.versions(...wanted)),
      },
      outbox: {
        changes: (query) => reach(() => outbox.changes(query)),
        newestChanges: (query) => reach(() => outbox.newestChanges(query)),
      },
    });
    const app = openTestApp({ clock, official });
    await app.refused(path, "service_unavailable");
    isReachable = true;
    await app.get(path);
  });

  test.each(PATHS.slice(2))(
    "%s while what it would show is damaged; what is whole is answered",
    async (path) => {
      await world.publish(FIX, "2026-04-10");
      await world.publish(FIX, "2026-04-13");
      await world.damage("2026-04-13");
      expect(await open().reason(path, "service_unavailable")).toBe(
        "version 1 of publication 2026-04-13 of mex_fix is damaged in this server's store and is not served; its operator has to restore it",
      );
      await open().get("/v1/official/MEX/fix/publications/2026-04-10");
      const { tables } = await open().get("/v1/official");
      expect(tables.find(({ id }: { id: string }) => id === "mex_fix")).toMatchObject({
        newest: null,
        collected: true,
      });
    },
  );

  test.each(["", "/latest", "/2026-04-13"])(
    "publications%s of a table that is not set up: the message says what is missing",
    async (rest) => {
      const app = open([{ table: FIX, missing: "set BANXICO_TOKEN" }]);
      expect(await app.reason(`/v1/official/MEX/fix/publications${rest}`, "source_unavailable")).toBe(
        "mex_fix is not collected on this server: set BANXICO_TOKEN; see /v1/official",
      );
    },
  );

  test("latest of a table of which nothing has been collected yet", async () => {
    expect(await open().reason("/v1/official/MEX/fix/publications/latest", "source_unavailable")).toBe(
      "of mex_fix nothing has been collected yet; see /v1/official",
    );
    expect((await open().get("/v1/official/MEX/fix/publications")).publications).toEqual([]);
  });
});

test("other methods are refused with those that there are", async () => {
  const refusal = await open().refused("/v1/official/changes", "method_not_allowed", { method: "POST" });
  expect(refusal.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
});
