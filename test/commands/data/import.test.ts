import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { addQuotes, environmentOf } from "#test/commands/lakes.ts";
import { runInProcess } from "#test/commands/process.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

test("a file comes into the archive, once, and its bars can be exported; one with a fault changes nothing", async () => {
  const directory = temporaryDirectory();
  await addQuotes(directory);
  const run = (...args: readonly string[]) => runInProcess(args, environmentOf(directory));
  const written = (name: string, text: string) => {
    const path = join(directory, name);
    writeFileSync(path, text);
    return path;
  };
  const path = written(
    "DAT_ASCII_EURUSD_M1_2026.csv",
    "20260105 190000;1.17;1.19;1.16;1.18;0\r\n20260105 190100;1.18;1.18;1.18;1.18;0\r\n",
  );
  const first = await run("import", "quotes", path, "--label", "HistData.com");
  expect(first.code).toBe(0);
  expect(first.out).toMatch(
    /^DAT_ASCII_EURUSD_M1_2026\.csv: 2 rows, 5 quotes; EUR\/USD, bid prices only, 2026-01-06T00:00:00Z to 2026-01-06T00:01:00Z, sha256 [0-9a-f]{64}, HistData\.com\n$/,
  );
  const again = await run("import", "quotes", path);
  expect(again.code).toBe(0);
  expect(again.out).toContain("nothing changed");
  const bars = await run("export", "EUR/USD", "2026-01-06", "2026-01-06", "--interval", "1m");
  expect(bars.out).toBe(
    "start,base,symbol,open,high,low,close,mean,ticks,source\n" +
      "2026-01-06T00:00:00.000Z,EUR,USD,1.17,1.19,1.16,1.18,1.175,4,imported\n" +
      "2026-01-06T00:01:00.000Z,EUR,USD,1.18,1.18,1.18,1.18,1.18,1,imported\n",
  );
  const wrong = await run("import", "quotes", written("GBPUSD.csv", "20260105 190000000,1.34,1.33,0\n"));
  expect(wrong).toMatchObject({ code: 1, out: "" });
  expect(wrong.err).toContain(
    "GBPUSD.csv: line 1: its bid 1.34 is above its ask 1.33; nothing of it was imported",
  );
  expect((await run("import", "quotes", join(directory, "missing.csv"))).code).toBe(1);
  expect((await run("import", "quotes", path, "--columns", "bit=Bid")).code).toBe(2);
  expect((await run("import", "quotes", path, "--zone", "Berlin")).code).toBe(2);
});
