import { describe, expect, test } from "bun:test";
import { openTestApp } from "#test/api/harness.ts";
import { sampleOfficial } from "#test/api/sample-official.ts";
import { runInProcess } from "#test/commands/process.ts";
import { listen } from "#test/support/listen.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const server = listen(openTestApp({ official: sampleOfficial() }).answer);

const run = (line: string) =>
  runInProcess(line.split(" "), {
    CROSSRATE_URL: server.url,
    XDG_CONFIG_HOME: temporaryDirectory(),
  });

test("lists the tables, with the newest publication of each", async () => {
  const { code, out } = await run("official");
  expect(code).toBe(0);
  expect(out).toMatch(
    /^country +type +newest +valid from +every +authority +title\nmex +fix +2026-04-13 +2026-04-13 +daily +Banco de México/,
  );
});

test.each([
  "official mex fix",
  "official mex/fix",
  "official mex",
  "official banxico",
  "official Mexico",
  "official mexico fix",
  "official bdm latest",
  "official banco de méxico",
  "official mex fix 2026-04-13 --version 1",
  "official MEX fix --on 2026-04-13",
])("%s shows a publication with the digits as printed, and where it is from", async (line) => {
  const { code, out } = await run(line);
  expect(code).toBe(0);
  expect(out).toStartWith(
    "mex fix 2026-04-13, version 1 of 1\nBanco de México, valid from 2026-04-13 until the next publication\n",
  );
  expect(out).toMatch(/\nunits {2}of +are +kind\n +1 {2}USD +17\.3485 +MXN +mid\n/);
  expect(out).toContain("reproduced as published");
});

test("lists publications, and what has changed", async () => {
  expect((await run("official mex fix --list")).out).toMatch(
    /\n2026-04-13 +1 +2026-04-13 +the next one +2026-04-13 18:05:11\n/,
  );
  expect((await run("official changes --since 2026-04-13T00:00:00Z")).out).toMatch(
    /^created \(UTC\) .*\n2026-04-13 18:05:11 +published +mex fix +2026-04-13 +1 +2026-04-13\n$/,
  );
});

test("without a beginning the newest fifty changes of all pages are shown, the newest first; a page says what follows", async () => {
  const created_at = "2026-04-13T18:05:11Z";
  const data = { country: "MEX", types: ["fix"], version: 1, valid_from: "2026-04-13" };
  const event = (nth: number) => ({
    created_at,
    type: "official.published",
    data: { ...data, publication: `p${nth}` },
  });
  const { url } = listen(({ url: asked }) => {
    const isFirst = !asked.includes("cursor=");
    const changes = Array.from({ length: isFirst ? 40 : 20 }, (_, nth) => event(isFirst ? nth : 40 + nth));
    const next_cursor = isFirst ? "second" : null;
    return Response.json({ result: "success", changes, next_cursor, has_more: isFirst, resume_cursor: "c" });
  });
  const runAt = async (line: string) => (await runInProcess(line.split(" "), { CROSSRATE_URL: url })).out;
  const shown = [...(await runAt("official changes")).matchAll(/ p(\d+) /g)].map(([, nth]) => Number(nth));
  expect(shown).toEqual(Array.from({ length: 50 }, (_, nth) => 59 - nth));
  const page = await runAt("official changes --since 2026-04-13T00:00:00Z");
  expect(page).toEndWith("… later ones: the same with --cursor c\n");
});

test("changes continue after an answer by its cursor", async () => {
  const { resume_cursor } = JSON.parse((await run("official changes --json")).out);
  expect((await run(`official changes --cursor ${resume_cursor}`)).out).toEndWith("nothing has changed\n");
  expect(await run("official changes --cursor nonsense")).toMatchObject({ code: 2 });
});

test.each([
  "250 USD MXN --authority banxico",
  "250 usd/mxn --country Mexico --type fix",
  "USDMXN 250 --country mex --on 2026-04-13 --rule published_on --kind mid",
])("converts by a table: %s", async (rest) => {
  const { code, out } = await run(`official convert ${rest}`);
  expect(code).toBe(0);
  expect(out).toStartWith("250 USD = 4337.12 MXN, to 15 digits 4337.125, for 2026-04-13\nBanco de México: ");
  expect(out).toContain(", version 1, 1 USD = 17.3485 MXN, retrieved 2026-04-13T18:05:11Z, https://");
  expect(out).toContain("reproduced as published");
});

test("converts by the day's table as the server answers with --json, and passes refusals on", async () => {
  const { out } = await run("official convert 2.5 MXN in USD --country mex --json");
  expect(JSON.parse(out)).toMatchObject({ from: "MXN", to: "USD", amount: 2.5, rate: 0.05764187106 });
  const before = "official convert USD MXN --country mex --as-of 2026-04-01T00:00:00Z";
  expect(await run(before)).toMatchObject({ code: 3, err: expect.stringContaining("known to be valid") });
  expect(await run("official convert USD XXX --country mex")).toMatchObject({ code: 3 });
});

test.each([
  ["250 USD/MXN", "name the table by --country or --authority"],
  ["250 USD --country mex", "name an amount, the currency it is in, and what to convert it to"],
  ["1 2 USD MXN --country mex", "name an amount"],
  ["1 USD MXN --country narnia", "Unknown official table narnia"],
  ["1 USD MXN --country mex --type weekly", "Unknown official table mex weekly"],
  ["1 USD MXN --country mex --rule nearest", "--rule nearest: one of in_force, previous_business_day"],
])("a conversion without its words is refused: %s", async (rest, message) => {
  const { code, err } = await run(`official convert ${rest}`);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});

test("an unknown table is refused with where to look; an unknown publication by the server", async () => {
  expect(await run("official narnia")).toMatchObject({
    code: 2,
    err: expect.stringContaining("Unknown official table narnia; crossrate official lists the tables"),
  });
  expect(await run("official mex fix 1999-01-01")).toMatchObject({ code: 3 });
  expect(await run("official mexico 1999-01-01")).toMatchObject({ code: 3 });
});

describe("of several tables", () => {
  const asked: string[] = [];
  const table = (id: string, types: string[], authority: string, valid_from: string) => ({
    ...{
      id,
      country: id.slice(0, 3).toUpperCase(),
      types,
      title: `Table ${id}`,
      authority,
      cadence: "daily",
    },
    ...{ homepage: "https://example.org/", terms: "", collected: true },
    newest: { publication: valid_from, valid_from },
  });
  const tables = [
    table("mex_fix", ["fix", "banxico"], "Banco de México", "2026-04-13"),
    table("mex_dof", ["dof", "tax"], "Diario Oficial de la Federación", "2026-04-14"),
    table("pol_a", ["a", "daily"], "Narodowy Bank Polski", "2026-04-10"),
    table("pol_b", ["b", "weekly"], "Narodowy Bank Polski", "2026-04-08"),
    table("gbr_monthly", ["customs", "vat"], "HM Revenue & Customs (HMRC)", "2026-04-01"),
    { ...table("tur_indicative", ["indicative"], "TCMB", ""), newest: null },
    { ...table("nor_reference", ["reference"], "Norges Bank", ""), newest: null, collected: false },
  ];
  const many = listen(({ url }) => {
    const { pathname } = new URL(url);
    if (pathname === "/v1/official")
      return Response.json({ result: "success", tables, notice: "Official rates." });
    asked.push(pathname);
    return Response.json({ code: "not_found", message: "nothing here" }, { status: 404 });
  });
  const runOn = (line: string) =>
    runInProcess(line.split(" "), {
      CROSSRATE_URL: many.url,
      XDG_CONFIG_HOME: temporaryDirectory(),
    });

  test.each([
    ["official banxico", "MEX/fix/publications/latest"],
    ["official mexico tax", "MEX/dof/publications/latest"],
    ["official nbp a", "POL/a/publications/latest"],
    ["official Poland b 015/B/NBP/2026", "POL/b/publications/015%2FB%2FNBP%2F2026"],
    ["official hmrc", "GBR/customs/publications/latest"],
    ["official UK --list", "GBR/customs/publications"],
    ["official mex dof", "mex/dof/publications/latest"],
  ])("%s is %s", async (line, path) => {
    asked.length = 0;
    expect((await runOn(line)).code).toBe(3);
    expect(asked).toEqual([`/v1/official/${path}`]);
  });

  test("a country or an authority lists its tables, the newest first", async () => {
    const typesOf = (out: string) => Array.from(out.matchAll(/^[a-z]{3} +(\w+) +\d/gm), ([, type]) => type);
    const { out } = await runOn("official");
    expect(typesOf(out)).toEqual(["dof", "fix", "a", "b", "customs"]);
    expect(out).toMatch(/^tur +indicative +nothing yet +daily/m);
    expect(out).toMatch(/^nor +reference +not collected +daily/m);
    expect(typesOf((await runOn("official mexico")).out)).toEqual(["dof", "fix"]);
    expect(typesOf((await runOn("official narodowy bank")).out)).toEqual(["a", "b"]);
    const { code, err } = await runOn("official poland --on 2026-04-13");
    expect([code, err]).toEqual([2, expect.stringContaining("poland: name one of pol a, pol b")]);
  });

  test("a conversion names its own by the type", async () => {
    const several = await runOn("official convert 1 USD MXN --country mexico");
    expect([several.code, several.err]).toEqual([
      2,
      expect.stringContaining("mexico: add --type: name one of mex fix, mex dof"),
    ]);
    asked.length = 0;
    await runOn("official convert 1 USD MXN --country Mexico --type tax");
    await runOn("official convert 1 EUR PLN --authority nbp --type b");
    await runOn("official convert USD GBP --authority HMRC");
    expect(asked.map((path) => path.replace("/v1/official/", ""))).toEqual([
      ...["MEX/dof/convert/USD/MXN", "POL/b/convert/EUR/PLN", "GBR/customs/convert/USD/GBP"],
    ]);
  });
});
