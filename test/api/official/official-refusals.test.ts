import { describe, expect, test } from "bun:test";
import { LedgerUnavailable } from "#domain/account/ledger.ts";
import type { ErrorCode } from "#domain/faults/errors.ts";
import { openTestApp, post, type TestApp } from "#test/api/harness.ts";
import { OPERATIONS, sampleCall } from "#test/api/openapi/valid.ts";
import { CUSTOMS, collected, collectedForEach, DOF, FIX, NOW } from "#test/official/collected.ts";
import { day } from "#test/sources/documents.ts";

const world = collectedForEach();
const clock = { now: () => NOW };
const open = (tables = collected(FIX, DOF, CUSTOMS)) => openTestApp({ clock, official: world.deps(tables) });

const NO_COUNTRY = "no official table of a country XXX; there are MEX, GBR: see /v1/official";
const NO_TYPE =
  "no official table of MEX of a type customs; there are fix, banxico, dof, tax: see /v1/official";

/** By code, below /v1/official, after one publication of 2026-04-13; the message ends so, and is not looked at where none is stated. */
const REFUSED: Partial<Record<ErrorCode, readonly (readonly [path: string, message?: string])[]>> = {
  not_found: [
    ["XXX/fix/publications", NO_COUNTRY],
    ["MEX/customs/publications/latest", NO_TYPE],
    [
      "MEX/fix/publications/2026-04-12",
      "mex_fix has no publication 2026-04-12: see /v1/official/MEX/fix/publications",
    ],
    [
      "MEX/fix/publications/2026-04-13?version=7",
      "publication 2026-04-13 of mex_fix has no version 7; its newest is 1",
    ],
    [
      "MEX/fix/publications/latest?valid_on=2026-04-12",
      "no publication of mex_fix is known to be valid on 2026-04-12; the first one here is 2026-04-13, valid from 2026-04-13",
    ],
    ["MEX"],
    ["MEX/fix"],
    ["changes/1"],
    ["MEX/fix/publications/%2E%2E"],
    ["MEX/fix/publications/a%2Fb"],
    ["MEX/fix/publications/%zz"],
    [`MEX/fix/publications/${"x".repeat(65)}`],
    ["MEX/fix/convert/USD/XXX"],
    ["MEX/fix/convert/USD/MXN?on=2026-04-15"],
    ["MEX/fix/convert/USD/MXN?on=1999-01-04"],
    [
      "MEX/fix/convert/USD/MXN?on=2026-04-14&rule=published_on",
      "no publication of mex_fix is known to be published on 2026-04-14; the one before it is 2026-04-13",
    ],
    ["MEX/fix/in-force?on=2026-04-15", "known to be valid on 2026-04-15; the one before it is 2026-04-13"],
    [
      "MEX/fix/in-force?on=1999-01-04",
      "valid on 1999-01-04; the first one here is 2026-04-13, valid from 2026-04-13",
    ],
    ["MEX/fix/in-force?format=parquet&on=1999-01-04"],
    ["MEX/fix/in-force?format=xlsx&on=1999-01-04"],
    ["MEX/fix/in-force?symbols=XXX", "publication 2026-04-13 of mex_fix has no rate of XXX: see its rows"],
    ["MEX/fix/rates?period=1999"],
    ["MEX/fix/rates?period=2027", "valid on 2027-12-31; the one before it is 2026-04-13"],
    ["MEX/fix/rates?start_date=9999-12-01&end_date=9999-12-31", "the one before it is 2026-04-13"],
    ["MEX/fix/rates?period=2026&symbols=KWD", "with a rate of KWD is known from 2026-01-01 to 2026-12-31"],
  ],
  bad_date: [
    ["MEX/fix/publications?from=2026-04-31"],
    ["MEX/fix/publications?to=today"],
    ["MEX/fix/publications/latest?valid_on=13.4.2026"],
    ["MEX/fix/convert/USD/MXN?on=2026-02-30"],
    ["MEX/fix/in-force?on=2026-02-30"],
  ],
  invalid_request: [
    ["MEX/fix/publications?from=2026-04-13&to=2026-04-12"],
    ["MEX/fix/publications?limit=367"],
    ["MEX/fix/publications?cursor=abc"],
    ["MEX/fix/publications/2026-04-13?version=0"],
    ["MEX/fix/publications/2026-04-13?version=one"],
    // Who sends the end of the day misses all of its changes.
    [
      "changes?since=2026-04-13",
      "since must be an instant, not a day: write 2026-04-13T00:00:00Z where that day begins, T23:59:59Z where it ends, UTC",
    ],
    ["changes?since=yesterday", "since must be a UTC instant such as 2026-04-13T16:30:00Z"],
    ["changes?country=XXX", NO_COUNTRY],
    ["changes?country=MEX&type=customs", NO_TYPE],
    [
      "changes?type=nothing",
      "no official table of a type nothing; there are fix, banxico, dof, tax, customs, monthly: see /v1/official",
    ],
    ["changes?limit=0", "limit must be a whole number from 1 to 500"],
    ["changes?limit=501", "limit must be a whole number from 1 to 500"],
    ["changes.atom?country=XXX", NO_COUNTRY],
    ["changes.atom?limit=101"],
    ["MEX/fix/convert/USD/USD"],
    ["MEX/fix/convert/USD/dollar"],
    ["MEX/fix/convert/USD/MXN?rule=nearest"],
    ["MEX/fix/convert/USD/MXN?kind=best"],
    ["MEX/fix/convert/USD/MXN?as_of=2026-04-13"],
    ["MEX/fix/convert/USD/MXN?as_of=2030-01-01T00:00:00Z&on=2029-12-31"],
    ["MEX/fix/convert/USD/MXN/1e3"],
    [
      "MEX/fix/in-force?symbols=",
      "symbols must be codes of three letters, separated by commas, such as USD,EUR",
    ],
    ["MEX/fix/in-force?symbols=dollar"],
    ["MEX/fix/in-force?as_of=2026-04-14T00:00:00Z", "as_of 2026-04-14T00:00:00Z is after now"],
    ["MEX/fix/in-force?format=xml", "format must be one of json, csv, parquet, xlsx"],
    [
      "MEX/fix/rates?period=2026&end_date=2026-04-01",
      "period goes without start_date and end_date: send one or the other",
    ],
    ["MEX/fix/rates?period=2026-13"],
    ["MEX/fix/rates?start_date=2026-04-02&end_date=2026-04-01"],
    ["MEX/fix/rates?period=2026&versions=old", "versions must be one of newest, all"],
    ["MEX/fix/rates?period=2026&limit=367", "limit must be a whole number from 1 to 366"],
    ["MEX/fix/rates?period=2026&as_of=2026-04-14T00:00:00Z"],
    ["MEX/fix/convert/USD/MXN?date=2026-04-13", "leave it out; this call takes on and as_of"],
    ["MEX/fix/in-force?valid_on=2026-04-13", "leave it out; this call takes on and as_of"],
    ["MEX/fix/publications/latest?on=2026-04-13", "leave it out; this call takes valid_on"],
  ],
  invalid_amount: [["MEX/fix/convert/USD/MXN/1000000000000001"]],
  missing_parameter: [
    ["MEX/fix/rates?start_date=2026-04-01", "missing required parameter: end_date"],
    ["MEX/fix/rates?end_date=2026-04-01", "missing required parameter: start_date"],
  ],
};

test("what is refused says so, and what to do", async () => {
  await world.publish(FIX, "2026-04-13");
  const app = open();
  for (const [code, cases] of Object.entries(REFUSED))
    for (const [path, message = ""] of cases)
      expect(`${path}: ${await app.reason(`/v1/official/${path}`, code as ErrorCode)}`).toEndWith(message);
});

const RATES = "/v1/official/MEX/fix/rates?period=2026&limit=1";

test("a cursor is valid for its own query only", async () => {
  for (const date of ["2026-04-10", "2026-04-13"]) {
    await world.publish(FIX, date);
    await world.publish(DOF, date);
  }
  const app = open();
  const { next_cursor: list } = await app.get("/v1/official/MEX/fix/publications?limit=1");
  const { next_cursor: changes } = await app.get("/v1/official/changes?limit=1");
  const { next_cursor: rates } = await app.get(RATES);
  for (const path of [
    `/v1/official/MEX/dof/publications?cursor=${list}`,
    `/v1/official/MEX/fix/publications?from=2026-01-01&cursor=${list}`,
    `/v1/official/MEX/fix/publications?to=2026-12-31&cursor=${list}`,
    `/v1/official/changes?cursor=${list}`,
    `/v1/official/changes?country=MEX&cursor=${changes}`,
    `/v1/official/changes?type=fix&cursor=${changes}`,
    `/v1/official/changes?since=2026-04-01T00:00:00Z&cursor=${changes}`,
    `/v1/official/changes?cursor=x${changes}`,
    `/v1/official/changes.atom?cursor=${changes}`,
    `${RATES}&symbols=USD&cursor=${rates}`,
    `${RATES}&versions=all&cursor=${rates}`,
    `${RATES}&as_of=2026-04-13T12:00:00Z&cursor=${rates}`,
    `${RATES.replace("fix", "dof")}&cursor=${rates}`,
    `${RATES.replace("period=2026", "start_date=2026-01-02&end_date=2026-12-31")}&cursor=${rates}`,
    `${RATES.replace("period=2026", "start_date=2026-01-01&end_date=2026-12-30")}&cursor=${rates}`,
    `${RATES}&format=csv&cursor=${rates}`,
  ])
    await app.refused(path, "invalid_request");
  // The same table under another of its types is the same query.
  await app.get(`/v1/official/MEX/banxico/publications?cursor=${list}`);
});

const OFFICIAL = OPERATIONS.filter(({ tag }) => tag === "Official").map(
  (operation) => [operation.id, sampleCall(operation)[0]] as const,
);
/** Those that are refused for what is wrong with one table. */
const OF_A_TABLE = OFFICIAL.filter(([, path]) => path.includes("/MEX/"));

describe("503", () => {
  test("where official tables are switched off", async () => {
    const app = openTestApp({ clock, official: null });
    for (const [, path] of OFFICIAL) {
      const refusal = await app.refused(path, "source_unavailable");
      expect(await refusal.text(), path).toContain("OFFICIAL_TABLES");
      expect(refusal.headers.get("retry-after")).toBe("300");
    }
  });

  test("while the ledger is out of reach, and an answer again after it", async () => {
    await world.publish(FIX, "2026-04-13");
    let isReachable = false;
    const reached = <Part extends object>(part: Part): Part =>
      new Proxy(part, {
        get: (target, name) => {
          if (isReachable) return Reflect.get(target, name);
          return async () => {
            throw new LedgerUnavailable("no answer in time");
          };
        },
      });
    const { publications, outbox } = world.ledger;
    const parts = { publications: reached(publications), outbox: reached(outbox) };
    for (const [, path] of OFFICIAL) {
      isReachable = false;
      const app = openTestApp({ clock, official: world.deps(undefined, parts) });
      await app.refused(path, "service_unavailable");
      isReachable = true;
      expect((await app.ask(path)).status, path).toBe(200);
    }
  });

  test("while what it would show is damaged; what is whole is answered", async () => {
    await world.publish(FIX, "2026-04-10");
    await world.publish(FIX, "2026-04-13");
    await world.damage("2026-04-13");
    for (const [, path] of OF_A_TABLE)
      expect(await open().reason(path, "service_unavailable"), path).toBe(
        "version 1 of publication 2026-04-13 of mex_fix is damaged in this server's store and is not served; its operator has to restore it",
      );
    await open().get("/v1/official/MEX/fix/publications/2026-04-10");
    const { tables } = await open().get("/v1/official");
    expect(tables.find(({ id }: { id: string }) => id === "mex_fix")).toMatchObject({
      newest: null,
      collected: true,
    });
  });

  test.each(OF_A_TABLE)(
    "%s of a table that is not set up, or of which nothing was collected",
    async (id, path) => {
      expect(
        await open([{ table: FIX, missing: "set BANXICO_TOKEN" }]).reason(path, "source_unavailable"),
      ).toBe("mex_fix is not collected on this server: set BANXICO_TOKEN; see /v1/official");
      if (id === "listOfficialPublications") expect((await open().get(path)).publications).toEqual([]);
      else if (id !== "getOfficialPublication")
        expect(await open().reason(path, "source_unavailable")).toBe(
          "of mex_fix nothing has been collected yet; see /v1/official",
        );
    },
  );
});

test("a table that was not read for a day says so of the days since, wherever its rates are shown", async () => {
  await world.publish(FIX, "2026-04-10");
  await world.publish(CUSTOMS, "2026-04", { validFrom: "2026-04-01", validTo: "2026-04-30" });
  const readAt = (instant: string) => {
    const lastReadAt = async () => Date.parse(instant);
    return openTestApp({ clock, official: world.deps(collected(FIX, CUSTOMS), { lastReadAt }) });
  };
  const app = readAt("2026-04-10T23:10:05.400Z");
  const note = "mex_fix was last read here on 2026-04-10T23:10:05Z: what was published since is missing";
  const of = "/v1/official/MEX/fix";
  const dated = async (asked: TestApp) => {
    const item = { from: "USD", to: "MXN", amount: "1", date: "2026-04-11", table: "mex/fix" };
    const answer = await asked.ask("/v1/convert/dated", post({ items: [item] }));
    return (await answer.json()).conversions[0].citation;
  };
  const said = async (asked: TestApp, on: string, table = of) => [
    (await asked.get(`${table}/convert/USD/MXN?on=${on}`)).citation,
    (await asked.get(`${table}/in-force?on=${on}`)).rows[0].citation,
    await (await asked.ask(`${table}/in-force?on=${on}&format=csv`)).text(),
    (await asked.get(`${table}/publications/latest?valid_on=${on}`)).notice,
    (await asked.get(`${table}/rates?start_date=2026-04-09&end_date=${on}`)).notice,
  ];
  for (const text of [...(await said(app, "2026-04-11")), await dated(app)]) expect(text).toContain(note);
  // What is known of the days before, and a validity that its document states, miss nothing.
  const sure = readAt("2026-04-11T23:10:05Z");
  for (const text of [...(await said(sure, "2026-04-10")), await dated(readAt("2026-04-13T12:00:00Z"))])
    expect(text).not.toContain("last read");
  for (const text of (await said(app, "2026-04-12", "/v1/official/GBR/customs")).slice(0, 4))
    expect(text).not.toContain("last read");
  // Nor does a table that was read within a day, or what was known at an instant; a name asks for nothing later.
  for (const text of await said(readAt("2026-04-12T20:30:00Z"), "2026-04-13"))
    expect(text).not.toContain("last read");
  const asOf = "as_of=2026-04-11T12:00:00Z";
  for (const path of [
    "publications/2026-04-10",
    `in-force?on=2026-04-11&${asOf}`,
    `rates?start_date=2026-04-09&end_date=2026-04-11&${asOf}`,
  ])
    expect(await (await app.ask(`${of}/${path}`)).text()).not.toContain("last read");
});

test("until a first reading is complete the newest publication is unknown, and a known name is not", async () => {
  await world.publish(FIX, "2005-04-11");
  const app = openTestApp({ clock, official: world.deps(collected(FIX), { lastReadAt: async () => null }) });
  const of = "/v1/official/MEX/fix";
  const ofDay = "convert/USD/MXN?on=2005-04-11&rule=published_on";
  const latest = ["publications/latest", "publications/latest?valid_on=2005-04-11"];
  const lists = ["publications", "publications?from=2026-01-01"];
  for (const path of [...latest, ...lists, "in-force", "convert/USD/MXN", ofDay, "rates?period=2005"])
    expect((await app.ask(`${of}/${path}`)).status).toBe(503);
  expect((await app.get(`${of}/publications/2005-04-11`)).version).toBe(1);
  // A page that offers lists that are short is none, either.
  expect((await app.ask("/official/mex/fix")).status).toBe(503);
});

test("a day whose publication is held back has none: neither the one before it, nor a figure of it", async () => {
  await world.publish(FIX, "2026-04-10");
  const held = {
    ...{ table: "mex_fix", publication: "2026-04-11", version: 1, validFrom: day("2026-04-11") },
    ...({
      fingerprint: "",
      firstReadAt: NOW,
      rule: "decimal_slip",
      reason: "1.734 for 1 after 17.34",
    } as const),
  };
  // A held correction takes no day from the version that is stored.
  const correction = { ...held, publication: "2026-04-10", version: 2, validFrom: day("2026-04-12") };
  const all = [correction, held];
  const official = world.deps(undefined, { held: async (table) => (table === "mex_fix" ? all : []) });
  const app = openTestApp({ clock, official });
  const of = "/v1/official/MEX/fix";
  const paths = [
    `${of}/convert/USD/MXN?on=2026-04-11&rule=published_on`,
    `${of}/convert/USD/MXN?on=2026-04-12`,
    `${of}/convert/USD/MXN`,
    `${of}/in-force?on=2026-04-11`,
    `${of}/publications/latest?valid_on=2026-04-11`,
  ];
  for (const path of paths)
    expect(await app.reason(path, "source_unavailable")).toBe(
      "publication 2026-04-11 of mex_fix, valid from 2026-04-11, is held back on this server, which does not believe its rates yet; the one before it is 2026-04-10",
    );
  expect(await app.reason(`${of}/publications/2026-04-11`, "source_unavailable")).toContain(" is held back ");
  expect((await app.get(`${of}/publications/latest`)).notice).toContain(
    " 2026-04-11 is newer, and held back: ",
  );
  const tenth = await app.get(`${of}/publications/latest?valid_on=2026-04-10`);
  expect(tenth.notice).not.toContain("held back");
  expect((await app.get("/v1/rate/usd-mxn-banxico")).stale).toBe(true);
  expect((await app.get(`${of}/convert/USD/MXN?on=2026-04-10`)).publication).toBe("2026-04-10");
  await app.refused(`${of}/convert/USD/MXN?on=2026-04-12&rule=published_on`, "not_found");
  // Of several the last one would be in force.
  all.push({ ...held, publication: "2026-04-12", validFrom: day("2026-04-12") });
  expect(await app.reason(`${of}/in-force?on=2026-04-12`, "source_unavailable")).toContain(
    "publication 2026-04-12 ",
  );
  all.pop();
  // A time that has other days, too, names it.
  const time = `${of}/rates?start_date=2026-04-09`;
  const { rows, held_publications, notice } = await app.get(`${time}&end_date=2026-04-12`);
  expect([rows.length, held_publications]).toEqual([1, ["2026-04-11"]]);
  // Nobody had read it then.
  const then = await app.get(`${time}&end_date=2026-04-12&as_of=2026-04-12T20:00:00Z`);
  expect([then.rows.length, then.held_publications]).toEqual([1, undefined]);
  expect(notice).toContain(" Held back on this server, and without a row: 2026-04-11.");
  for (const format of ["csv", "parquet", "xlsx"]) {
    const file = await app.ask(`${time}&end_date=2026-04-12&format=${format}`);
    expect([file.status, file.headers.get("x-held-publications")]).toEqual([200, "2026-04-11"]);
  }
  expect(await app.get(`${time}&end_date=2026-04-10`)).not.toHaveProperty("held_publications");
  for (const symbols of ["", "&symbols=USD"])
    await app.refused(
      `${of}/rates?start_date=2026-04-12&end_date=2026-04-12${symbols}`,
      "source_unavailable",
    );
  // Nothing was held yet.
  expect((await app.get(`${of}/in-force?on=2026-04-12&as_of=2026-04-13T20:00:00Z`)).rows[0].publication).toBe(
    "2026-04-10",
  );
  await world.publish(FIX, "2026-04-13");
  expect((await app.get(`${of}/convert/USD/MXN`)).publication).toBe("2026-04-13");
  expect((await app.get(`${of}/publications/latest`)).notice).not.toContain("held back");
  const later = await app.get(`${of}/rates?start_date=2026-04-12&end_date=2026-04-13`);
  expect([later.rows.length, later.held_publications]).toEqual([1, ["2026-04-11"]]);
  expect(await app.get(`${of}/rates?start_date=2026-04-13&end_date=2026-04-13`)).not.toHaveProperty(
    "held_publications",
  );
});
