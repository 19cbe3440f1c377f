/** The disk of the embedded ledger fills up under load: keys continue to work, changes are refused with their reason, and no served call is lost. */

import { expect, test } from "bun:test";
import { cpSync, rmSync } from "node:fs";
import { join as pathOf } from "node:path";
import { smallDisk } from "#test/support/small-disk.ts";
import { until } from "#test/support/until.ts";
import { bearer, join, json, post, statusOf } from "./client.ts";
import { dataDirectory } from "./history.ts";
import { outcomesOf, servedToKeys, startLoad, usageInLedger } from "./load.ts";
import { openReplica, runningClock } from "./replica.ts";

const DISK_BYTES = 96 * 1024 * 1024;
const disk = smallDisk("a disk that fills up under a server", DISK_BYTES);

test.skipIf(!disk.isMounted)("full, and with room again", async () => {
  const dataDir = pathOf(disk.path, "data");
  cpSync(await dataDirectory(), dataDir, { recursive: true });
  const plans = { free: { minute: 50_000, month: 1_000_000 } };
  const clock = runningClock();
  const replica = await openReplica({ dataDir, clock, plans });
  const { url } = replica;
  const member = await join(url);
  const person = bearer(member.token);
  const load = startLoad({ urls: [url], keys: [member.key, member.key] });
  const more = async (calls: number) => {
    const wanted = load.answered.length + calls;
    await until("more was called", () => load.answered.length >= wanted);
  };
  const status = async () => {
    const answer = await fetch(`${url}/status`);
    return [answer.status, (await answer.json()).checks.database.status];
  };
  const accept = (nth: number) => statusOf(`${url}/v1/consent`, post({ policy_version: `v${nth}` }, person));
  await more(100);

  const filler = pathOf(disk.path, "filler");
  disk.fill(filler, 0);
  // The file of the log has some room of its own left.
  let consents = 0;
  await until("changes are refused", async () => (await accept(consents++)) === 503);
  await until("/status says so", async () => (await status()).join() === "503,failed");
  load.sinceLast();
  // Long enough for a write of usage to fail and stay pending.
  clock.at += 10_000;
  await more(600);
  expect(outcomesOf(load.sinceLast())).toEqual(["key 200", "stranger 200"]);
  expect((await json(await fetch(`${url}/v1/account`, { headers: person }))).org.id).toBe(
    member.organizationId,
  );
  expect((await fetch(`${url}/v1/keys/rotate`, { method: "POST", headers: person })).status).toBe(503);
  expect((await fetch(`${url}/v1/keys`, { method: "DELETE", headers: person })).status).toBe(503);

  rmSync(filler);
  await until("/status is well again", async () => (await status()).join() === "200,ok");
  expect(await accept(consents)).toBe(200);
  await more(100);
  await load.stop();
  await replica.close();
  const again = await openReplica({ dataDir, clock });
  const { served, calls } = servedToKeys(load.answered);
  expect(await usageInLedger(again, clock, [member.organizationId])).toEqual({
    served,
    calls,
    rateLimited: 0,
  });
  // Nothing that was refused has happened all the same.
  const { key } = await json(await fetch(`${again.url}/v1/account`, { headers: person }));
  expect(key.plaintext).toBe(member.key);
});
