/** `crossrate import`: pair, zone, side and columns as they are written, files that change nothing, and an import that is removed. */

import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInProcess } from "#test/commands/process.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const DATA_DIR = temporaryDirectory();
const folder = temporaryDirectory();
const environment = { DATA_DIR, LIVE_FEED: "off", NOW: "2026-03-10T12:00:00Z" };
const run = (...words: readonly string[]) => runInProcess(["import", ...words], environment);
/** Of files with a time in UTC and one price a line. */
const MIDS = ["--zone", "+00:00", "--columns", "time=Date,price=Last", "--side", "mid"];

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

test("a file is imported once, as its options say: hours of its zone, the pair, the column of the price, the side; its bars can be exported", async () => {
  const path = file("desk.csv", "Date,Last\n2026-01-05 09:00:00,17.5\n2026-01-05 09:01:00,17.6\n");
  const wishes = "--zone -05:30 --columns time=Date,price=Last --side BID --label desk".split(" ");
  const imported = await run("quotes", path, "--pair", "usd/mxn", ...wishes);
  expect(imported).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /^desk\.csv: 2 rows, 2 quotes; USD\/MXN, bid prices only, 2026-01-05T14:30:00Z to 2026-01-05T14:31:00Z, sha256 [0-9a-f]{64}, desk\n$/,
    ),
  });
  const again = await run("quotes", path, "--pair", "USDMXN", ...wishes);
  expect(again.out).toMatch(/is in the archive since 2026-03-10T12:00:\S+, nothing changed; USD\/MXN/);
  const bars = "export USD/MXN 2026-01-05 2026-01-05 --interval 1h --side bid";
  expect((await runInProcess(bars.split(" "), environment)).out).toEndWith(
    "\n2026-01-05T14:00:00.000Z,USD,MXN,17.5,17.6,17.5,17.6,17.55,2,imported\n",
  );
  expect(await run("remove", "desk")).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /^desk: no import has this name; nothing was removed\n {2}desk\.csv: USD\/MXN/,
    ),
  });
  expect(await run("remove", "desk.csv")).toMatchObject({
    code: 0,
    out: expect.stringContaining("desk.csv: removed 2 quotes of 1 days; USD/MXN"),
  });
});

test("a file with a fault changes nothing, is named with it, and ends the command", async () => {
  const faulty = file("faulty.csv", "Date,Last\n2026-01-05 09:00:00,none\n");
  const later = file("later.csv", "Date,Last\n2026-01-05 09:00:00,17.5\n");
  for (const path of [faulty, join(folder, "absent.csv")])
    expect(await run("quotes", path, later, "--pair", "USD/MXN", ...MIDS)).toMatchObject({
      ...{ code: 1, out: "" },
      err: expect.stringContaining("; nothing of it was imported"),
    });
});

test("what a file has in its name, its header and its cells does not steer the terminal", async () => {
  const wishes = ["--pair", "EUR/USD", ...MIDS];
  const faults = ["Da\x1b[2Jte,Last\n", "Date,Last\n2026-01-05 09:00:00,1\u009b2J7.5\n"];
  for (const text of faults) {
    const { err } = await run("quotes", file("steers.csv", text), ...wishes);
    expect(err).toMatch(/^steers\.csv: line \d.*nothing of it was imported\n$/);
    expect(err.trimEnd()).not.toMatch(/\p{C}/u);
  }
  const path = file("st\x1b[2Jeers.csv", "Date,Last\n2026-01-05 09:00:00,1.17\n");
  const { out } = await run("quotes", path, ...wishes, "--label", "de\x1b[2Jsk");
  expect(out).toMatch(/^st\?\[2Jeers\.csv: 1 rows.* de\?\[2Jsk\n$/);
});

test.each([
  [["--pair", "dollar"], "--pair dollar: two currencies of the catalog are needed"],
  [["--columns", "when=Date"], "--columns when=Date: name columns like time=Date"],
  [["--columns", "time="], "--columns time=: name columns like time=Date"],
  [["--zone", "CET"], "--zone CET"],
  [["--side", "last"], "--side last"],
])("%j is refused by name", async (words, said) => {
  expect(await run("quotes", "absent.csv", ...words)).toMatchObject({
    code: 2,
    err: expect.stringContaining(said),
  });
});
