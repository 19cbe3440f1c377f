/** kill -9 in the midst of a history: what was stored stays, nothing is stored twice, and the next run completes it. */

import { afterAll, expect, test } from "bun:test";
import { openLedger } from "#store/ledger/ledger.ts";
import { runCommand, until } from "#test/commands/process.ts";
import { newId } from "#test/store/ledger/ledgers.ts";
import { startFullSimulator } from "#test/support/official/simulator.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

/** The table began in 2005 with a document a year: long enough to be killed in two of them. */
const NOW = "2013-11-20T16:00:00Z";
const TABLE = "rou_reference";
const simulator = await startFullSimulator({ now: () => Date.parse(NOW) });
afterAll(() => simulator.stop());

const settings = (directory: string) => ({
  ...{ DATA_DIR: directory, UPSTREAM_BASE: simulator.base, NOW, LIVE_FEED: "off", ACCESS: "open" },
  ...{ LOG_LEVEL: "silent" },
});

/** Name and version of every publication, and every event in the order of commits. */
async function stored(directory: string) {
  const clock = { now: () => Date.parse(NOW) };
  const ledger = await openLedger({ directory }, { emit: () => {}, newId, clock });
  const query = { table: TABLE, from: null, to: null, after: null, limit: 20_000 };
  const publications = await ledger.publications.list(query);
  const events = await ledger.outbox.changes({ after: null, since: null, tables: null, limit: 1000 });
  await ledger.close();
  return {
    publications: publications.map(({ publication, version }) => `${publication} v${version}`),
    events: events.map(({ id }) => id),
  };
}

const requestCount = () => simulator.requests().filter(({ path }) => path.includes("nbrfxrates")).length;

test("a history that is killed again and again ends as one that was not", async () => {
  const [killed, whole] = [temporaryDirectory(), temporaryDirectory()];
  for (const documents of [3, 6]) {
    const before = requestCount();
    const child = Bun.spawn([process.execPath, "src/main.ts", "collect", TABLE, "history"], {
      ...{ cwd: `${import.meta.dir}/../../..`, stdout: "ignore", stderr: "ignore" },
      env: { ...process.env, ...settings(killed) },
    });
    await until(
      async () => requestCount() - before,
      (count) => count >= documents,
    );
    child.kill("SIGKILL");
    await child.exited;
  }
  expect((await stored(killed)).publications.length).toBeGreaterThan(500);
  for (const directory of [killed, whole])
    expect((await runCommand(["collect", TABLE, "history"], settings(directory))).code).toBe(0);
  const [after, expected] = [await stored(killed), await stored(whole)];
  expect(after).toEqual(expected);
  expect(expected.publications.length).toBeGreaterThan(2000);
  expect(expected.events.length).toBeGreaterThan(5);
}, 180_000);
