/** A serving process sends what another one published, by an operator's own plans, and counts it. */

import { expect, test } from "bun:test";
import { openLedger } from "#store/ledger/ledger.ts";
import { startReplica } from "#test/live-redis/replica-process.ts";
import { optionsOf } from "#test/store/ledger/ledgers.ts";
import { news } from "#test/store/ledger/publications/publishing.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { until } from "#test/support/until.ts";
import { startReceiver } from "#test/webhooks/receiver.ts";
import { bearer, join, json, post } from "./client.ts";
import { NOON, processSettings } from "./history.ts";
import { plansIn } from "./replica.ts";

test("a stop waits for the attempt under way and notes it; what comes later is the next start's", async () => {
  const directory = temporaryDirectory();
  const environment = {
    ...plansIn(directory, { free: { webhooks: 2 } }),
    ...processSettings(directory),
    ...{ ALLOW_PRIVATE_WEBHOOKS: "yes", METRICS_PORT: "0" },
  };
  const publish = async (publication: string) => {
    const endpointLimits = { free: 2, basic: 0, plus: 5, pro: 25 };
    const ledger = await openLedger({ directory }, { ...optionsOf(), endpointLimits });
    await ledger.outbox.publish([news(publication)], NOON);
    await ledger.close();
  };
  const open = Promise.withResolvers<number>();
  const receiver = startReceiver((nth) => (nth === 1 ? open.promise : 200));
  const server = await startReplica(environment);
  const headers = bearer((await join(server.url)).token);
  const endpoints = "/dashboard/api/webhooks";
  const { endpoint } = await json(
    await fetch(server.url + endpoints, post({ url: receiver.url }, headers)),
    201,
  );
  await publish("2026-04-10");
  await receiver.came(1);
  const ended = server.end();
  await publish("2026-04-13");
  open.resolve(200);
  expect(await ended).toBe(0);

  const again = await startReplica(environment);
  await receiver.came(2);
  await until("both are noted", async () => {
    const answer = await fetch(`${again.url}${endpoints}/${endpoint.id}/deliveries`, { headers });
    const { deliveries } = await json(answer);
    expect(deliveries.at(-1)).toMatchObject({ event_id: "evt_mex_fix_2026-04-10_v1", state: "delivered" });
    return deliveries[0].state === "delivered";
  });
  expect(new Set(receiver.ids()).size).toBe(2);
  const scraped = /"metrics","url":"(http:\/\/[\w.:]+)/.exec(again.log().join("\n"))?.[1] ?? "";
  const metrics = await (await fetch(`${scraped}/metrics`)).text();
  expect(metrics).toContain("crossrate_webhook_due_deliveries 0");
  expect(metrics).toContain('crossrate_webhook_attempts_total{outcome="2xx"} 1');
  expect(await again.end()).toBe(0);
  await receiver.stop();
});
