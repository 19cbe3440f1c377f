/** `crossrate convert --file`: a whole table or nothing, in pieces, and within the limits of a plan. */

import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openPackaged } from "#commands/open-product.ts";
import { captured } from "#test/commands/captured.ts";
import { runInProcess } from "#test/commands/process.ts";
import { bearer, join as joinServer } from "#test/metered/client.ts";
import { fixedClock, openReplica } from "#test/metered/replica.ts";
import { atEnd } from "#test/support/at-end.ts";
import { listen } from "#test/support/listen.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const folder = temporaryDirectory();
const out = join(folder, "converted.csv");

function fileOf(...lines: readonly string[]): string {
  const path = join(folder, "expenses.csv");
  writeFileSync(path, lines.join("\r\n"));
  return path;
}

const HEAD = "memo,from,to,amount,date";
const ADDED = "rate,converted,rate_date,source,derived,is_filled,citation";
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, nth) => `row ${nth},USD,EUR,${nth},2024-03-01`);

describe("on the packaged history, with open access", async () => {
  const opened = await openPackaged(captured().context({ DATA_DIR: join(folder, "data") }));
  if (opened === null) throw new Error("there is a lake");
  atEnd(opened.close);
  const environment = { CROSSRATE_URL: listen(opened.crossrate.app.answer).url, XDG_CONFIG_HOME: folder };
  const run = (...words: readonly string[]) => runInProcess(["convert", "--file", ...words], environment);

  test("a table of several calls comes back whole and in its order", async () => {
    const file = fileOf(
      `\uFEFF${HEAD}`,
      ...rowsOf(2300),
      `${"long ".repeat(40_000)},USD,EUR,1,2024-03-02`,
      "",
    );
    const { code, err } = await run(file, "--out", out);
    expect([code, err]).toEqual([0, expect.stringContaining(`${out}: 2,301 rows`)]);
    const [head, ...rows] = readFileSync(out, "utf8").split("\r\n");
    expect(head).toBe(`\uFEFF${HEAD},${ADDED}`);
    expect(rows.map((row) => row.split(",")[0]).slice(0, 2300)).toEqual(
      Array.from({ length: 2300 }, (_, nth) => `row ${nth}`),
    );
    expect(rows[2299]).toStartWith(
      "row 2299,USD,EUR,2299,2024-03-01,0.9248127254,2126.1444556946,2024-03-01,ecb_daily,",
    );
    expect(rows[2300]).toContain(",USD,EUR,1,2024-03-02,0.9248127254,0.9248127254,2024-03-01,");
    expect(rows.slice(2301)).toEqual([""]);
    expect(existsSync(`${out}.part`)).toBe(false);
  });

  test("every faulty line of the file is named, and nothing is written", async () => {
    const target = join(folder, "none.csv");
    const form = await run(
      fileOf(HEAD, "a,USD,EUX,1,2024-03-01", '"b\r\nb",USD,EUR,1', "c,USD,EUR,x,2024-03-01"),
      "--out",
      target,
    );
    expect(form.code).toBe(3);
    for (const place of ["line 2, to: EUX", "line 3: 4 columns", "line 5, amount: not an acceptable amount"])
      expect(form.err).toContain(`expenses.csv, ${place}`);
    const late = ["x,USD,EUR,1,1998-12-31", '"two\r\nlines",USD,EUR,1,2024-03-01', "y,EUR,ISK,1,2012-01-02"];
    const missing = await run(fileOf(HEAD, ...rowsOf(1200), ...late), "--out", target);
    expect([missing.code, missing.out]).toEqual([3, ""]);
    for (const place of ["line 1202: 1998-12-31 is before", "line 1205: no requested rate"])
      expect(missing.err).toContain(place);
    expect(missing.err).toEndWith("nothing was converted\n");
    expect(existsSync(target)).toBe(false);
  });

  test("what is no table, or cannot be read, is named", async () => {
    const noTable = await run(fileOf("a;b"));
    expect([noTable.code, noTable.err]).toEqual([
      3,
      expect.stringContaining("line 1 has no column from, to, amount, date"),
    ]);
    const absent = await run(join(folder, "absent.csv"));
    expect([absent.code, absent.err]).toEqual([1, expect.stringContaining("no such file")]);
    const file = fileOf(HEAD, ...rowsOf(1));
    for (const words of [
      ["--out", file],
      ["--on", "2024-03-01"],
      ["100", "USD", "EUR"],
    ])
      expect((await run(file, ...words)).code).toBe(2);
    expect((await runInProcess(["convert", "1", "USD", "EUR", "--out", out], environment)).code).toBe(2);
  });
});

describe("with a key", async () => {
  const clock = fixedClock();
  const replica = await openReplica({ reach: "history", clock });
  const member = await joinServer(replica.url);

  const waits: number[] = [];
  const run = (sleep: (milliseconds: number) => Promise<void>, ...words: readonly string[]) =>
    runInProcess(
      ["convert", "--file", ...words],
      { CROSSRATE_URL: replica.url, CROSSRATE_API_KEY: member.key, XDG_CONFIG_HOME: folder },
      [],
      { clock: { now: clock.now, sleep } },
    );
  const recent = (count: number) =>
    Array.from({ length: count }, (_, nth) => `row ${nth},USD,EUR,${nth},2026-04-10`);

  test("a file above the limit of a minute goes in pieces, and waits for room beside other calls", async () => {
    // As long as a wait can be: almost two windows, in whole seconds.
    clock.at += 60_000 - (clock.at % 60_000) + 999;
    // From then on the key is used elsewhere as well.
    let nextElsewhere = clock.at + 130_000;
    const pass = async (milliseconds: number) => {
      waits.push(milliseconds);
      clock.at += milliseconds;
      if (clock.at < nextElsewhere) return;
      nextElsewhere = clock.at + 60_000;
      const elsewhere = await fetch(`${replica.url}/v1/latest`, { headers: bearer(member.key) });
      expect(elsewhere.status).toBe(200);
    };
    for (const rows of [12, 12, 30]) {
      const { code, err } = await run(pass, fileOf(HEAD, ...recent(rows)), "--out", out);
      expect([code, err]).toEqual([0, expect.stringContaining(`${rows} rows`)]);
    }
    expect(waits[0]).toBe(121_000);
    expect(waits.length).toBeGreaterThan(2);
    expect(readFileSync(out, "utf8").split("\r\n").length).toBe(32);
  });

  test("when a limit ends it, what was converted is beside the file", async () => {
    clock.at += 3_600_000;
    const target = join(folder, "half.csv");
    const { code, err } = await run(async () => {}, fileOf(HEAD, ...recent(20)), "--out", target);
    expect([code, err]).toEqual([5, expect.stringContaining("half.csv.part has the first 12 rows")]);
    expect(readFileSync(`${target}.part`, "utf8").split("\r\n").length).toBe(14);
    expect(existsSync(target)).toBe(false);
  });
});
