/** `crossrate official` on a server that has one table with one publication. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { createApp } from "#api/server.ts";
import { NOW, openTestApp } from "#test/api/harness.ts";
import { sampleOfficial } from "#test/api/sample-official.ts";
import { runInProcess } from "#test/commands/process.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

let server: ReturnType<typeof serve>;
beforeAll(() => {
  server = serve();
});
afterAll(() => server.stop(true));

function serve() {
  const official = sampleOfficial({ now: () => NOW }, "a secret of this test");
  const { deps } = openTestApp({ official });
  const app = createApp(deps);
  return Bun.serve({ port: 0, hostname: "127.0.0.1", development: false, fetch: app.answer });
}

const run = (line: string) =>
  runInProcess(line.split(" "), {
    CROSSRATE_URL: `http://127.0.0.1:${server.port}`,
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

test("changes continue after an answer by its cursor", async () => {
  const { resume_cursor } = JSON.parse((await run("official changes --json")).out);
  expect((await run(`official changes --cursor ${resume_cursor}`)).out).toEndWith("nothing has changed\n");
  expect(await run("official changes --cursor nonsense")).toMatchObject({ code: 2 });
});

test("an unknown table is refused with where to look; an unknown publication by the server", async () => {
  expect(await run("official narnia")).toMatchObject({
    code: 2,
    err: expect.stringContaining("Unknown official table narnia; crossrate official lists the tables"),
  });
  expect(await run("official mex fix 1999-01-01")).toMatchObject({ code: 3 });
  expect(await run("official mexico 1999-01-01")).toMatchObject({ code: 3 });
});
