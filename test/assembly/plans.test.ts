import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { OTHER_PLANS, watchPlans } from "#assembly/ledger.ts";
import { readConfig } from "#config.ts";
import type { CountersState } from "#ports/ledger.ts";
import { openLedger } from "#store/ledger/ledger.ts";
import { runInProcess } from "#test/commands/process.ts";
import { optionsOf } from "#test/store/ledger/ledgers.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const DATA_DIR = temporaryDirectory();
const PLANS_FILE = join(DATA_DIR, "plans.json");
writeFileSync(PLANS_FILE, JSON.stringify({ free: { webhooks: 2 } }));
const LIMITS: CountersState = { kind: "redis", status: "ok", detail: null, callers: 0, crowded: 0 };

test("the process that has another table than the server that started last says so until that ends", async () => {
  const ledger = await openLedger({ directory: DATA_DIR }, optionsOf());
  const emitted: string[] = [];
  const start = (settings: Record<string, string>, hasAccounts = true) =>
    watchPlans(readConfig({ DATA_DIR, ...settings }), ledger, ({ kind }) => emitted.push(kind), hasAccounts);
  const doctor = async () => (await runInProcess(["doctor", "--local"], { DATA_DIR, ACCESS: "metered" })).out;

  const first = await start({});
  expect(first.shown(LIMITS)).toBe(LIMITS);
  const second = await start({ PLANS_FILE, LIVE_DELAY_MINUTES: "10" });
  expect(second.shown(LIMITS)).toBe(LIMITS);
  await Promise.all([first.look(), second.look()]);
  await first.look();
  expect(emitted).toEqual(["plans_differ"]);
  expect(first.shown(LIMITS)).toEqual({ ...LIMITS, status: "degraded", detail: OTHER_PLANS });
  expect(second.shown(LIMITS)).toBe(LIMITS);
  expect(await doctor()).toContain(OTHER_PLANS.slice(0, 40));

  // A collector without accounts queues by its table, and says at its start that it is another one.
  await start({ ACCESS: "open" }, false);
  expect(emitted).toEqual(["plans_differ", "plans_differ"]);
  await second.look();
  expect(second.shown(LIMITS)).toBe(LIMITS);

  await start({});
  await first.look();
  expect(first.shown(LIMITS)).toBe(LIMITS);
  expect(await doctor()).not.toContain("another table of plans");
  await ledger.close();
});
