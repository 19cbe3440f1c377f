/** Official publications over HTTP on a real ledger: tables, lists, versions, the newest, the one of a day, and changes. */

import { describe, expect, test } from "bun:test";
import { openTestApp } from "#test/api/harness.ts";
import { CUSTOMS, collected, collectedForEach, DOF, FIX, NOW } from "#test/official/collected.ts";

const world = collectedForEach();
const open = (tables = collected(FIX, DOF, CUSTOMS)) =>
  openTestApp({ now: NOW, official: world.deps(tables) });

const names = (publications: readonly { publication: string }[]) =>
  publications.map(({ publication }) => publication);

describe("tables", () => {
  test("are listed with their authority, their types and their newest publication in its newest version", async () => {
    await world.publish(FIX, "2026-04-10");
    await world.publish(FIX, "2026-04-13");
    await world.publish(FIX, "2026-04-13", { version: 2, rate: "17.35" });
    const { tables, count } = await open().get("/v1/official");
    expect(count).toBe(3);
    expect(tables[0]).toMatchObject({ id: "mex_fix", newest: { publication: "2026-04-13", version: 2 } });
    expect(tables[1]).toMatchObject({ id: "mex_dof", collected: true, newest: null });
  });

  test("that no process collects are reported as such, unless another process has collected them", async () => {
    await world.publish(DOF, "2026-04-13");
    const without = [FIX, DOF].map((table) => ({ table, missing: "set BANXICO_TOKEN" }));
    const { tables } = await open(without).get("/v1/official");
    expect(tables.map(({ collected }: { collected: boolean }) => collected)).toEqual([false, true]);
  });
});

describe("a list", () => {
  test("has the newest validity first, pages that fit together, and no rates", async () => {
    for (const date of ["2026-04-07", "2026-04-08", "2026-04-09", "2026-04-10", "2026-04-13"])
      await world.publish(FIX, date);
    const app = open();
    const first = await app.get("/v1/official/mex/FIX/publications?limit=2");
    expect(first).toMatchObject({ country: "MEX", type: "fix", types: ["fix", "banxico"], has_more: true });
    expect(names(first.publications)).toEqual(["2026-04-13", "2026-04-10"]);
    expect(first.publications[0]).not.toHaveProperty("rows");
    // What comes meanwhile does not move the page after.
    await world.publish(FIX, "2026-04-14");
    const second = await app.get(`/v1/official/MEX/fix/publications?limit=9&cursor=${first.next_cursor}`);
    expect(names(second.publications)).toEqual(["2026-04-09", "2026-04-08", "2026-04-07"]);
    expect([second.has_more, second.next_cursor]).toEqual([false, null]);
  });

  test("selects by the first day of validity, both ends inclusive", async () => {
    for (const date of ["2026-04-08", "2026-04-09", "2026-04-10"]) await world.publish(FIX, date);
    const list = (query: string) => open().get(`/v1/official/MEX/banxico/publications?${query}`);
    expect(names((await list("from=2026-04-09")).publications)).toEqual(["2026-04-10", "2026-04-09"]);
    expect(names((await list("from=2026-04-09&to=2026-04-09")).publications)).toEqual(["2026-04-09"]);
    expect(names((await list("to=2026-04-07")).publications)).toEqual([]);
  });
});

describe("a publication", () => {
  test("has its rates with the digits as printed, and where it was read", async () => {
    const rows = [
      { base: "JPY", quote: "MXN", rate: "011.80", unit: 100, kind: "buy" },
      { base: "USD", quote: "MXN", rate: "17.3400", unit: 1, kind: "mid" },
    ] as const;
    await world.publish(FIX, "2026-04-13", { rows });
    const response = await open().ask("/v1/official/MEX/banxico/publications/2026-04-13");
    const text = await response.text();
    expect(text).toContain('"rows":[{"base":"JPY","quote":"MXN","rate":11.80,"unit":100,"kind":"buy"},');
    expect(text).toContain('"rate":17.3400,');
    expect(JSON.parse(text)).toMatchObject({
      type: "banxico",
      authority: FIX.authority,
      terms: FIX.terms,
      source_url: "https://authority.example/table",
      document_sha256: "ab".repeat(32),
    });
  });

  test("latest is the newest validity, also ahead of today; valid_on is what is valid on a day", async () => {
    await world.publish(CUSTOMS, "2026-03", { validFrom: "2026-03-01", validTo: "2026-03-31" });
    await world.publish(CUSTOMS, "2026-04", { validFrom: "2026-04-01", validTo: "2026-04-30" });
    await world.publish(CUSTOMS, "2026-05", { validFrom: "2026-05-01", validTo: "2026-05-31" });
    const app = open();
    const latest = async (query = "") =>
      (await app.get(`/v1/official/gbr/customs/publications/latest${query}`)).publication;
    expect(await latest()).toBe("2026-05");
    expect(await latest("?valid_on=2026-04-13")).toBe("2026-04");
    expect(await latest("?valid_on=2026-03-31")).toBe("2026-03");
    expect(await latest("?valid_on=2026-05-31")).toBe("2026-05");
    for (const day of ["2026-02-28", "2026-06-01"])
      await app.refused(`/v1/official/GBR/customs/publications/latest?valid_on=${day}`, "not_found");
  });

  test("of today is that of the table's own calendar, whatever is published ahead", async () => {
    await world.publish(DOF, "2026-04-13", { validTo: "2026-04-13" });
    await world.publish(DOF, "2026-04-14", { validTo: "2026-04-14" });
    const of = async (now: string) => {
      const clock = { now: () => Date.parse(now) };
      const official = world.deps(collected(DOF));
      const app = openTestApp({ clock, official: { ...official, clock } });
      return (await app.get("/v1/official/MEX/dof/publications/latest?valid_on=today")).publication;
    };
    // Eight in the evening, and one minute past midnight in Mexico City.
    expect(await of("2026-04-14T02:00:00Z")).toBe("2026-04-13");
    expect(await of("2026-04-14T06:01:00Z")).toBe("2026-04-14");
  });
});

describe("changes", () => {
  test("are the events that webhooks carry, in the order of commits", async () => {
    await world.publish(FIX, "2026-04-13", { retrievedAt: NOW });
    await world.publish(DOF, "2026-04-13");
    await world.publish(FIX, "2026-04-13", { version: 2, rate: "17.35", retrievedAt: NOW });
    const { changes, has_more, next_cursor } = await open().get("/v1/official/changes");
    expect(changes.map(({ id }: { id: string }) => id)).toEqual([
      "evt_mex_fix_2026-04-13_v1",
      "evt_mex_dof_2026-04-13_v1",
      "evt_mex_fix_2026-04-13_v2",
    ]);
    expect([has_more, next_cursor]).toEqual([false, null]);
  });

  test("since an instant are those created at it or later, to the millisecond", async () => {
    const retrievedAt = Date.parse("2026-04-13T18:05:11.250Z");
    await world.publish(DOF, "2026-04-10");
    await world.publish(FIX, "2026-04-13", { retrievedAt });
    const count = async (since: string) =>
      (await open().get(`/v1/official/changes?since=${since}`)).changes.length;
    expect(await count("2026-04-01T00:00:00Z")).toBe(2);
    expect(await count("2026-04-13T18:05:11.250Z")).toBe(1);
    expect(await count("2026-04-13T18:05:11.251Z")).toBe(0);
    // Its cursor continues by commits: a clock that is set back hides nothing.
    const { resume_cursor } = await open().get("/v1/official/changes?since=2026-04-13T19:00:00Z");
    await world.publish(FIX, "2026-04-14", { retrievedAt });
    const rest = `/v1/official/changes?since=2026-04-13T19:00:00Z&cursor=${resume_cursor}`;
    expect((await open().get(rest)).changes).toMatchObject([{ data: { publication: "2026-04-14" } }]);
  });

  test("of a country, of a type, of both", async () => {
    await world.publish(FIX, "2026-04-13");
    await world.publish(DOF, "2026-04-13");
    await world.publish(CUSTOMS, "2026-04", { validFrom: "2026-04-01", validTo: "2026-04-30" });
    const ids = async (query: string) =>
      (await open().get(`/v1/official/changes?${query}`)).changes.map(({ id }: { id: string }) =>
        id.slice(4, 11),
      );
    expect(await ids("country=mex")).toEqual(["mex_fix", "mex_dof"]);
    expect(await ids("type=TAX")).toEqual(["mex_dof"]);
    expect(await ids("country=GBR&type=monthly")).toEqual(["gbr_cus"]);
  });

  test("page by page are each there once, and resume_cursor brings what came later", async () => {
    const dates = ["2026-04-07", "2026-04-08", "2026-04-09"];
    for (const date of dates) await world.publish(FIX, date);
    const app = open();
    const first = await app.get("/v1/official/changes?country=MEX&limit=2");
    expect([first.changes.length, first.has_more, first.next_cursor]).toEqual([2, true, first.resume_cursor]);
    const second = await app.get(`/v1/official/changes?country=MEX&limit=2&cursor=${first.next_cursor}`);
    expect([second.changes.length, second.has_more, second.next_cursor]).toEqual([1, false, null]);
    const later = (cursor: string) => app.get(`/v1/official/changes?country=mex&cursor=${cursor}`);
    const none = await later(second.resume_cursor);
    expect(none.changes).toEqual([]);
    await world.publish(FIX, "2026-04-10");
    expect((await later(none.resume_cursor)).changes.map(({ id }: { id: string }) => id)).toEqual([
      "evt_mex_fix_2026-04-10_v1",
    ]);
  });

  test("of a history that was loaded at once there are none, and its publications are readable", async () => {
    await world.publish(FIX, "1991-11-12", { retrievedAt: NOW });
    const app = open();
    expect((await app.get("/v1/official/changes")).changes).toEqual([]);
    expect((await app.get("/v1/official/MEX/fix/publications/1991-11-12")).version).toBe(1);
  });
});

const restored = collectedForEach();

test("a ledger that was restored from a backup refuses the cursor of changes that it has lost, and of later ones at their place; earlier cursors continue", async () => {
  const dates = ["2026-04-07", "2026-04-08", "2026-04-09"];
  for (const date of dates) await world.publish(FIX, date);
  await restored.publish(FIX, "2026-04-07");
  const app = open();
  const early = await app.get("/v1/official/changes?limit=1");
  const late = await app.get("/v1/official/changes");
  const after = openTestApp({ now: NOW, official: restored.deps() });
  const lost = () => after.ask(`/v1/official/changes?cursor=${late.resume_cursor}`);
  expect((await lost()).status).toBe(400);
  // What comes now has the places of what was lost.
  for (const date of ["2026-04-10", "2026-04-13", "2026-04-14"]) await restored.publish(FIX, date);
  expect(await (await lost()).json()).toMatchObject({ code: "invalid_request" });
  const { changes } = await after.get(`/v1/official/changes?limit=1&cursor=${early.resume_cursor}`);
  expect(changes).toMatchObject([{ data: { publication: "2026-04-10" } }]);
});

describe("an answer", () => {
  const path = "/v1/official/MEX/fix/publications/latest";

  test("matches its tag until a correction, and is never cached without revalidation", async () => {
    await world.publish(FIX, "2026-04-13");
    const app = open();
    const first = await app.ask(path);
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toStartWith('W/"');
    expect(first.headers.get("cache-control")).toBe("public, no-cache");
    const again = () => app.ask(path, { headers: { "if-none-match": etag } });
    expect((await again()).status).toBe(304);
    await world.publish(FIX, "2026-04-13", { version: 2, rate: "17.35" });
    expect((await again()).status).toBe(200);
  });

  test("of the demo begins with the statement that nothing is real", async () => {
    await world.publish(FIX, "2026-04-13");
    const official = world.deps(collected(FIX), { simulated: true });
    const app = openTestApp({ now: NOW, official, simulated: true });
    expect((await app.get(path)).notice).toStartWith("SIMULATED");
    // A citation is copied away from its notice.
    const table = "/v1/official/mex/fix";
    expect((await app.get(`${table}/convert/USD/MXN/250`)).citation).toStartWith("SIMULATED: ");
    for (const rows of [`${table}/in-force`, `${table}/rates?period=2026`]) {
      const [first] = (await app.get(rows)).rows as { readonly citation: string }[];
      expect(first?.citation).toStartWith("SIMULATED: ");
    }
  });
});
