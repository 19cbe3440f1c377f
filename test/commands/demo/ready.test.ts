/** The demo prints its address with the first rate and its calls when every source is read. */

import { expect, test } from "bun:test";
import { connect, createServer } from "node:net";
import { type DemoStatus, nothingYet, unread } from "#commands/demo.ts";
import { runInProcess, startCommand } from "#test/commands/process.ts";
import { openProduct } from "#test/support/product.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

function statusOf(live: string, fred: string, fix: string, liveCurrencies = 0): DemoStatus {
  return {
    status: "degraded",
    checks: {
      live_data: { status: live, live_currencies: liveCurrencies },
      daily: { ecb_daily: { status: "ok" }, fred_daily: { status: fred } },
      official: { mex_fix: { status: fix } },
    },
  };
}

test.each([
  [statusOf("ok", "ok", "ok"), []],
  [statusOf("missing", "ok", "ok"), ["live rates"]],
  [statusOf("refused", "ok", "ok"), ["live rates"]],
  [statusOf("ok", "missing", "ok"), ["fred_daily"]],
  [statusOf("ok", "ok", "missing"), ["mex_fix"]],
  // What is off, closed or late is not waited for.
  [statusOf("off", "stale", "stale"), []],
  [statusOf("waiting", "ok", "ok"), []],
  // Some are refused for good, as where a currency has no reference yet.
  [statusOf("refused", "ok", "ok", 18), []],
])("%j lacks %j", (status, missing) => {
  expect(unread(status)).toEqual(missing);
});

test("the first rate is of a daily source or live", () => {
  const { checks, ...rest } = statusOf("refused", "missing", "missing");
  const empty = { ...rest, checks: { ...checks, daily: { ecb_daily: { status: "missing" } } } };
  expect(nothingYet(empty)).toEqual(["a first rate"]);
  expect(nothingYet(statusOf("off", "missing", "missing"))).toEqual([]);
  const live = { ...empty.checks, live_data: { status: "ok", live_currencies: 1 } };
  expect(nothingYet({ ...empty, checks: live })).toEqual([]);
});

test("the printed key is one of the plan pro again at the next start, whatever was given, suspended or revoked", async () => {
  const DATA_DIR = temporaryDirectory();
  const accounts = async (...args: string[]) => {
    const { code, out } = await runInProcess(["accounts", ...args, "--json"], { DATA_DIR });
    expect(code).toBe(0);
    return JSON.parse(out);
  };
  const first = await demoKey(DATA_DIR);
  const [{ organization, tier }] = await accounts("list");
  expect(tier).toBe("pro");
  expect(await demoKey(DATA_DIR)).toBe(first);

  await accounts("tier", organization, "free");
  await accounts("suspend", organization);
  expect(await demoKey(DATA_DIR)).toBe(first);
  const [found] = await accounts("find", first);
  expect(found.organization).toMatchObject({ tier: "pro", tier_in_force: "pro", status: "active" });
  await runInProcess(["admin", "keys", "revoke", found.keys[0].id], { DATA_DIR });
  expect(await demoKey(DATA_DIR)).not.toBe(first);
});

async function demoKey(directory: string): Promise<string> {
  const settings = { DATA_DIR: directory, UPSTREAM_BASE: "http://127.0.0.1:9" };
  const crossrate = await openProduct(settings, { now: () => Date.parse("2026-04-13T16:30:00Z") });
  const account = await crossrate.demoAccount();
  await crossrate.close();
  if (account === null) throw new Error("the demo is metered");
  return account.key;
}

let connections = 0;
const store = createServer((socket) => {
  connections += 1;
  socket.destroy();
}).listen(0, "127.0.0.1");
const { port } = store.address() as { readonly port: number };

test("with REDIS_URL and DATABASE_URL of a real server no simulated quote, publication or account goes there", async () => {
  const demo = startCommand(["demo"], {
    ...{ DATA_DIR: temporaryDirectory(), HOST: "127.0.0.1", PORT: "0", NOW: "1999-06-15T14:30:00Z" },
    ROLE: "api",
    ...{ REDIS_URL: `redis://127.0.0.1:${port}`, DATABASE_URL: `postgres://u:p@127.0.0.1:${port}/real` },
  });
  await demo.until("out", /Every source is read/);
  await demo.end();
  expect(connections).toBe(0);
  // The store would have noticed.
  await new Promise((done) => connect(port, "127.0.0.1").on("close", done));
  expect(connections).toBe(1);
  store.close();
});
