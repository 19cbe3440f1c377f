/** `crossrate official` on a server that has one table with one publication. */

import { expect, test } from "bun:test";
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
  "official MEX fix latest",
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

test("changes continue after an answer by its cursor", async () => {
  const { resume_cursor } = JSON.parse((await run("official changes --json")).out);
  expect((await run(`official changes --cursor ${resume_cursor}`)).out).toEndWith("nothing has changed\n");
  expect(await run("official changes --cursor nonsense")).toMatchObject({ code: 2 });
});

test.each([
  "250 usd/mxn --country mex --type fix",
  "USDMXN 250 --country mex --type fix --on 2026-04-13 --rule published_on --kind mid",
])("converts by a table: %s", async (rest) => {
  const { code, out } = await run(`official convert ${rest}`);
  expect(code).toBe(0);
  expect(out).toStartWith("250 USD = 4337.12 MXN, unrounded 4337.125, for 2026-04-13\nBanco de México: ");
  expect(out).toContain(", version 1, 1 USD = 17.3485 MXN, retrieved 2026-04-13T18:05:11Z, https://");
  expect(out).toContain("reproduced as published");
});

test("converts by the day's table as the server answers with --json, and passes refusals on", async () => {
  const { out } = await run("official convert 2.5 MXN in USD --country mex --type fix --json");
  expect(JSON.parse(out)).toMatchObject({ from: "MXN", to: "USD", amount: 2.5, rate: 0.05764187106 });
  const before = "official convert USD MXN --country mex --type fix --as-of 2026-04-01T00:00:00Z";
  expect(await run(before)).toMatchObject({ code: 3, err: expect.stringContaining("known to be valid") });
  expect(await run("official convert USD XXX --country mex --type fix")).toMatchObject({ code: 3 });
});

test.each([
  ["250 USD/MXN --country mex", "required option '--type <NAME>' not specified"],
  ["250 USD --country mex --type fix", "name an amount, the currency it is in, and what to convert it to"],
  ["1 2 USD MXN --country mex --type fix", "name an amount"],
  [
    "1 USD MXN --country mex --type fix --rule nearest",
    "--rule nearest: one of in_force, previous_business_day",
  ],
])("a conversion without its words is refused: %s", async (rest, message) => {
  const { code, err } = await run(`official convert ${rest}`);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});

test("a country lists its tables; an unknown table or publication is refused by the server", async () => {
  expect((await run("official mex")).out).toMatch(/^country .*\nmex +fix /);
  expect((await run("official pol")).out).not.toContain("mex");
  for (const words of ["mex weekly", "mex fix 1999-01-01"])
    expect(await run(`official ${words}`)).toMatchObject({ code: 3 });
});
