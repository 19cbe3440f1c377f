import { describe, expect, test } from "bun:test";
import { openTestApp } from "#test/api/harness.ts";
import { CUSTOMS, collected, collectedForEach, DOF, FIX, NOW } from "#test/official/collected.ts";
import { rowOf } from "#test/official/version.ts";
import { day } from "#test/sources/documents.ts";

const world = collectedForEach();
const hours = { opens: "12:00", closes: "15:00", next: (after: number) => after + 86_400_000 };

const open = (tables = collected(FIX, CUSTOMS)) => openTestApp({ now: NOW, official: world.deps(tables) });

async function html(path: string, app = open()): Promise<string> {
  const { status, html } = await app.page(path);
  expect([path, status]).toEqual([path, 200]);
  return html;
}

function cells(page: string, of: string): string[] {
  const row = page.split("<tr>").find((part) => part.replace(/<[^>]*>/g, "").includes(of)) ?? "";
  return row.split(/<\/t[dh]>/).map((cell) => cell.replace(/<[^>]*>/g, ""));
}

describe("/official", () => {
  test("has every table with its hours, its last publication, and when the next one is due", async () => {
    await world.publish(FIX, "2026-04-13");
    await world.publish(CUSTOMS, "2026-04", { validFrom: "2026-04-01", validTo: "2026-04-30" });
    const page = await html(
      "/official",
      open([
        { table: FIX, missing: null, hours },
        { table: CUSTOMS, missing: null },
      ]),
    );
    // The page may be open, or on paper, for days.
    expect(page.replace(/<[^>]*>/g, "")).toContain("As of 13 Apr 2026, 20:30:00 UTC.");
    expect(cells(page, "Mexico ·")).toEqual([
      "Pesos per US dollarMexico · Banco de México",
      "daily12:00–15:00, Mexico City",
      "2026-04-13retrieved 13 Apr 2026, 12:00:00 UTC",
      "14 Apr 2026, 12:00:00 UTC",
      "",
    ]);
    expect(cells(page, "United Kingdom").slice(1, 4)).toEqual([
      "monthly",
      "2026-04retrieved 1 Apr 2026, 12:00:00 UTC",
      "by 1 May 2026",
    ]);
  });

  test("a weekly table is due about a week later: holidays move it", async () => {
    const weekly = { ...FIX, cadence: "weekly" } as const;
    await world.publish(weekly, "2026-04-08");
    const page = await html("/official", open([{ table: weekly, missing: null, hours }]));
    expect(cells(page, "Mexico ·")[3]).toBe("about 15 Apr 2026");
  });

  test("lists what was published and corrected, the newest first, with links", async () => {
    await world.publish(FIX, "2026-04-13");
    await world.publish(FIX, "2026-04-13", { version: 2, rate: "17.43", retrievedAt: NOW });
    const page = await html("/official");
    const changes = [...page.matchAll(/<li class="row">(.*?)<\/li>/g)].map(([, text = ""]) => text);
    expect(changes.map((text) => text.replace(/<[^>]*>/g, ""))).toEqual([
      "13 Apr 2026, 20:30:00 UTCMexico, fix 2026-04-13 corrected, version 2",
      "13 Apr 2026, 12:00:00 UTCMexico, fix 2026-04-13 published",
    ]);
    expect(changes[0]).toContain('href="/official/mex/fix/2026-04-13"');
  });

  test("says so where official tables are switched off, or a table is not collected", async () => {
    expect(await html("/official", openTestApp())).toContain("with OFFICIAL_TABLES");
    expect((await openTestApp().visit("/official/mex/fix")).status).toBe(404);
    const without = () => open([{ table: FIX, missing: "set BANXICO_TOKEN" }]);
    expect(await html("/official", without())).toContain("not collected: set BANXICO_TOKEN");
    expect(await html("/official/mex/fix", without())).toContain("does not collect it: set BANXICO_TOKEN");
  });
});

describe("the page of a table", () => {
  const plain = (page: string) => page.replace(/<[^>]*>/g, "");

  test("begins with what is in force today, then the next; each publication ends where the next begins", async () => {
    await world.publish(FIX, "2026-04-10");
    await world.publish(FIX, "2026-04-13");
    await world.publish(CUSTOMS, "2026-04", { validFrom: "2026-04-01", validTo: "2026-04-30" });
    await world.publish(CUSTOMS, "2026-05", { validFrom: "2026-05-01", validTo: "2026-05-31" });
    await world.publish(FIX, "2026-04-08");
    const daily = plain(await html("/official/mex/fix"));
    expect(daily).toContain("In force on 13 Apr 2026: 2026-04-13");
    expect(daily).toContain("10 Apr 2026 to 12 Apr 2026");
    for (const [name, days] of Object.entries({
      "2026-04-08": "8 Apr 2026 to 9",
      "2026-04-10": "10 Apr 2026 to 12",
    }))
      expect(plain(await html(`/official/mex/fix/${name}`))).toContain(`Valid ${days} Apr 2026`);
    const monthly = plain(await html("/official/gbr/customs"));
    expect(monthly).toContain("In force on 13 Apr 2026: 2026-04");
    expect(monthly).toContain("Next: 2026-05, valid 1 May 2026 to 31 May 2026");
    const overview = await html("/official", open(collected(CUSTOMS)));
    expect(cells(overview, "United Kingdom").slice(2, 4)).toEqual([
      "2026-04retrieved 1 Apr 2026, 12:00:00 UTC",
      "2026-051 May 2026 to 31 May 2026",
    ]);
  });

  test("says what comes next, the soonest first, also where nothing is in force yet; and the day of a publication of one", async () => {
    const one = (name: string) => world.publish(FIX, name, { validTo: name });
    await one("2026-04-14");
    const early = plain(await html("/official/mex/fix"));
    expect(early).toContain("Next: 2026-04-14Valid 14 Apr 2026");
    expect(early).not.toContain("Next: 2026-04-14, valid");
    for (const name of ["2026-04-13", "2026-04-15"]) await one(name);
    expect(plain(await html("/official/mex/fix"))).toContain(
      "In force on 13 Apr 2026: 2026-04-13Valid 13 Apr 2026Next: 2026-04-14, valid 14 Apr 2026Next: 2026-04-15, valid 15 Apr 2026Rates of",
    );
    await world.publish(DOF, "2026-04-10");
    const overdue = { ...hours, next: () => NOW - 3_600_000 };
    const overview = await html("/official", open([{ table: DOF, missing: null, hours: overdue }]));
    expect(cells(overview, "Mexico ·")[3]).toBe("expected since 13 Apr 2026, 19:30:00 UTC");
  });

  test("has units and kinds of rates where they differ, and which publications were corrected", async () => {
    const rows = [rowOf("JPY", "MXN", "11.7000", 100, "buy"), rowOf("JPY", "MXN", "11.9", 100, "sell")];
    await world.publish(FIX, "2026-04-13", { rows });
    const tableIn = (page: string, name: string) => page.slice(page.indexOf(`class="${name}"`));
    const first = tableIn(await html("/official/mex/fix"), "official-rows");
    expect(cells(first, "buying").slice(0, 4)).toEqual(["100 JPY", "buying", "11.7000", "MXN"]);
    await world.publish(FIX, "2026-04-13", { version: 2, rows: rows.map((row) => ({ ...row, unit: 1 })) });
    const listed = tableIn(await html("/official/mex/fix"), "official-publications");
    expect(cells(listed, "2026-04-13").slice(3, 5)).toEqual(["2", "2, corrected"]);
    const corrected = await html("/official/mex/fix/2026-04-13");
    expect(cells(tableIn(corrected, "official-differences"), "buying")[2]).toBe("for 100: 11.7000");
    expect(corrected).toContain('href="/v1/official/MEX/fix/publications/2026-04-13?version=2"');
    const sold = await html("/official/mex/fix?amount=200&from=JPY&to=MXN&on=2026-04-13&kind=sell");
    expect(plain(sold)).toContain("200 JPY = 2,380.00 MXN");
  });

  test("whose next publication is missing here says that its newest is in force no longer", async () => {
    await world.publish(FIX, "2026-03-25");
    const lastReadAt = async () => Date.parse("2026-03-26T06:00:00Z");
    const app = openTestApp({ now: NOW, official: world.deps(collected(FIX), { lastReadAt }) });
    const page = plain(await html("/official/mex/fix", app));
    expect(page).toContain("Newest, no longer in force on 13 Apr 2026: 2026-03-25");
    expect(page).toContain(
      "mex_fix was last read here on 2026-03-26T06:00:00Z: what was published since is missing.",
    );
    const overview = await html("/official", open(collected(FIX)));
    expect(cells(overview, "Mexico")[2]).toBe("none");
    // A publication weeks later is not the next one: those between are missing here, and the days between have none in force.
    await world.publish(FIX, "2026-04-13");
    for (const path of ["/official/mex/fix", "/official/mex/fix/2026-03-25"])
      expect(plain(await html(path))).toContain("25 Mar 2026 until the next publication");
  });

  test("whose next publication is held says that the last one is no longer in force, on every page", async () => {
    await world.publish(FIX, "2026-04-10");
    const held = {
      ...{ table: FIX.id, publication: "2026-04-13", version: 1, validFrom: day("2026-04-13") },
      ...({ fingerprint: "", firstReadAt: NOW, rule: "decimal_slip", reason: "" } as const),
    };
    // A held correction ends no validity.
    const correction = { ...held, publication: "2026-04-10", version: 2, validFrom: day("2026-04-12") };
    const official = world.deps(collected(FIX), { held: async () => [held, correction] });
    const app = openTestApp({ now: NOW, official });
    const page = plain(await html("/official/mex/fix", app));
    expect(page).toContain("2026-04-13 is newer, and held back: this server does not believe its rates yet.");
    expect(page).toContain("Newest, no longer in force on 13 Apr 2026: 2026-04-10");
    const converted = await html("/official/mex/fix?amount=2&from=USD&to=MXN&on=2026-04-13", app);
    expect(plain(converted)).toContain(
      "Publication 2026-04-13 of mex_fix, valid from 2026-04-13, is held back on this server",
    );
    const until = "Valid 10 Apr 2026 to 12 Apr 2026";
    expect(plain(await html("/official/mex/fix/2026-04-10", app))).toContain(until);
    expect(cells(await html("/official", app), "Mexico ·").slice(2, 4)).toEqual(["none", "–"]);
  });

  test("converts an amount by the publication of a day, with a line to cite", async () => {
    await world.publish(FIX, "2026-04-10", { rate: "17.5000" });
    await world.publish(FIX, "2026-04-13", { rate: "17.3400", sourceUrl: "https://authority.example/fix" });
    const asked = (query: string) => html(`/official/mex/fix?${query}`);
    const today = await asked("amount=1,234.50&from=USD&to=MXN&on=2026-04-13");
    expect(plain(today)).toContain("1,234.50 USD = 21,406.23 MXN");
    expect(plain(today)).toContain(
      "Banco de México: Pesos per US dollar, 2026-04-13, version 1, 1 USD = 17.3400 MXN, retrieved 2026-04-13T12:00:00Z, https://authority.example/fix",
    );
    const weekend = plain(await asked("amount=100&from=MXN&to=USD&on=2026-04-11"));
    expect(weekend).toContain("100 MXN = 5.71 USD");
    expect(weekend).toContain("2026-04-10, version 1, 1 USD = 17.5000 MXN");
    for (const [query, sentence] of [
      ["amount=1,000&from=USD&to=MXN", "can mean 1000 or 1.000"],
      ["amount=1&from=USD&to=USD", "From and to are both USD: choose two currencies."],
      ["amount=1&from=USD&to=XYZ", "has no mid rate from USD to XYZ"],
      [
        "amount=1&from=USD&to=MXN&on=2020-01-01",
        "No publication of mex_fix is known to be valid on 2020-01-01",
      ],
      ["amount=1&from=USD&to=MXN&on=tomorrow", "Write the day as"],
    ] as const)
      expect(plain(await asked(query))).toContain(sentence);
  });

  test("has the newest rates as printed, and all publications page by page", async () => {
    for (let day = 1; day <= 31; day++)
      await world.publish(FIX, `2026-03-${String(day).padStart(2, "0")}`, { rate: `17.${day}00` });
    const app = open();
    const first = await html("/official/mex/fix", app);
    expect(cells(first, "1 USD").slice(0, 3)).toEqual(["1 USD", "17.3100", "MXN"]);
    const older = /href="(\/official\/mex\/fix\?cursor=[^"]+)"/.exec(first)?.[1] ?? "";
    const second = await html(older, app);
    expect(second).toContain('href="/official/mex/fix/2026-03-01"');
    expect(second).not.toContain("2026-03-02");
    expect(second).not.toContain("cursor=");
    expect(plain(await html("/official/mex/fix/2026-03-12", app))).toContain("Valid 12 Mar 2026, ");
    expect((await app.visit("/official/mex/fix?cursor=forged")).status).toBe(400);
  });

  test("has one address: other names and cases lead to it", async () => {
    await world.publish(FIX, "2026-04-13");
    const app = open();
    for (const [path, to] of [
      ["/official/MEX/FIX", "/official/mex/fix"],
      ["/official/mex/banxico?cursor=x", "/official/mex/fix?cursor=x"],
      ["/official/MEX/banxico/2026-04-13", "/official/mex/fix/2026-04-13"],
    ] as const) {
      const answer = await app.visit(path);
      expect([answer.status, answer.headers.get("location")]).toEqual([308, to]);
    }
  });

  test("is 404 for unknown tables and publications", async () => {
    await world.publish(FIX, "2026-04-13");
    const app = open();
    for (const path of ["/official/xxx/fix", "/official/mex/none", "/official/mex/fix/2026-04-14"])
      expect((await app.visit(path)).status, path).toBe(404);
  });
});

test("the page of a publication has every version with its source and what it changed: rates, rows and validity", async () => {
  const row = (base: string, rate: string) => rowOf(base, "MXN", rate);
  await world.publish(FIX, "2026-04-13", { rows: [row("EUR", "20.10"), row("USD", "17.3400")] });
  await world.publish(FIX, "2026-04-13", {
    version: 2,
    validTo: "2026-04-14",
    rows: [row("JPY", "0.1170"), row("USD", "17.43")],
    sourceUrl: "https://authority.example/corrected",
  });
  const page = await html("/official/mex/fix/2026-04-13");
  const differences = page.slice(page.indexOf('class="official-differences"'));
  expect(differences).toContain("1 changed, 1 added, 1 removed");
  expect(cells(differences, "USD").slice(0, 5)).toEqual([
    "1 USD middle",
    "changed",
    "17.3400",
    "17.43",
    "MXN",
  ]);
  expect(cells(differences, "JPY").slice(1, 4)).toEqual(["added", "none", "0.1170"]);
  expect(cells(differences, "EUR").slice(1, 4)).toEqual(["removed", "20.10", "none"]);
  expect(page.replace(/<[^>]*>/g, "")).toContain("Validity before: 13 Apr 2026 until the next publication");
  expect(page.indexOf("Version 2")).toBeLessThan(page.indexOf("Version 1"));
  expect(page).toContain('href="https://authority.example/corrected"');
  expect(page).toContain("ab".repeat(32));
  for (let version = 3; version <= 22; version++)
    await world.publish(FIX, "2026-04-13", { version, rows: [row("USD", `17.${version}`)] });
  const newest = await html("/official/mex/fix/2026-04-13");
  const oldest = newest.slice(newest.indexOf("Version 3<"));
  expect(oldest).toContain("1 changed, 0 added, 1 removed");
  expect(oldest).not.toContain("Version 2<");
});
