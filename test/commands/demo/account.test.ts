import { expect, test } from "bun:test";
import { runInProcess } from "#test/commands/process.ts";
import { openProduct } from "#test/support/product.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

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
