/** Commands where no server answers and no lake is there: the packaged history of the ECB answers, and says so. */

import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { runInProcess } from "./process.ts";

const SAID = /no server and no lake here: the packaged history of the ECB is asked, to 2026-10-30/;

/** Nothing listens on port 9, and the home has no login. */
function nowhere() {
  const directory = temporaryDirectory();
  return { HOME: directory, DATA_DIR: join(directory, "data"), PORT: "9" };
}

describe("without a server", () => {
  // The other commands about rates ask like convert.
  test.each([
    [["convert", "100", "EUR", "CHF", "--on", "2015-01-15", "--json"], '"converted":102.8'],
    [["export", "EUR", "CHF", "2015-01-14", "2015-01-15"], "2015-01-15,EUR,CHF,1.028,ecb_daily"],
  ])("%j answers what the ECB published", async (words, published) => {
    const environment = nowhere();
    const { code, out, err } = await runInProcess(words, environment);
    expect([code, err]).toEqual([0, expect.stringMatching(SAID)]);
    expect(out.replace(/:\s+/g, ":")).toContain(published);
    expect(existsSync(environment.DATA_DIR)).toBe(false);
  });

  test("a server that was named, or a lake, is not passed over", async () => {
    const environment = nowhere();
    const named = await runInProcess(["latest"], { ...environment, CROSSRATE_URL: "http://127.0.0.1:9" });
    mkdirSync(join(environment.DATA_DIR, "lake"), { recursive: true });
    const stopped = await runInProcess(["latest"], environment);
    for (const { code, err } of [named, stopped]) {
      expect([code, err]).toEqual([4, expect.stringContaining("nothing listens there")]);
      expect(err).not.toMatch(SAID);
    }
  });

  test("what past days of the ECB do not have is refused so, and not as what a server will have soon", async () => {
    const { code, err } = await runInProcess(["official"], nowhere());
    expect([code, err]).toEqual([4, expect.stringContaining("has past days of the ECB alone")]);
    expect(err).not.toMatch(/again|trying/);
  });

  test("without a folder for the history the setting is named", async () => {
    const environment = nowhere();
    const before = process.env["TMPDIR"];
    process.env["TMPDIR"] = "/dev/null";
    const { code, err } = await runInProcess(["latest"], environment).finally(() => {
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
    });
    expect([code, err]).toEqual([1, expect.stringContaining("latest: TMPDIR=/dev/null: takes no folder")]);
  });

  test("an account is not made up", async () => {
    const { code, err } = await runInProcess(["usage"], nowhere());
    expect([code, err]).toEqual([3, expect.stringContaining("crossrate login signs in")]);
  });
});
