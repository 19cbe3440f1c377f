/** Serving processes send events: a test event at once, what another process published within a second, by an operator's own plans. */

import { expect, test } from "bun:test";
import { checkSignature } from "#domain/webhook/endpoint.ts";
import { openLedger } from "#store/ledger/ledger.ts";
import { startReplica } from "#test/live-redis/replica-process.ts";
import { optionsOf } from "#test/store/ledger/ledgers.ts";
import { news } from "#test/store/ledger/publications/publishing.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { startReceiver } from "#test/webhooks/receiver.ts";
import { bearer, join, json, type Member, post } from "./client.ts";
import { NOON, processSettings } from "./history.ts";
import { plansIn } from "./replica.ts";

async function opened(answers?: Parameters<typeof startReceiver>[0]) {
  const dataDir = temporaryDirectory();
  const environment = {
    ...plansIn(dataDir, { free: { webhooks: 2 } }),
    ...processSettings(dataDir),
    ...{ ALLOW_PRIVATE_WEBHOOKS: "yes", METRICS_PORT: "0" },
  };
  const receiver = startReceiver(answers);
  return {
    environment,
    receiver,
    publish: async (publication: string) => {
      const ledger = await openLedger(
        { directory: dataDir },
        { ...optionsOf(), endpointLimits: { free: 2, basic: 0, plus: 5, pro: 25 } },
      );
      await ledger.outbox.publish([news(publication)], NOON);
      await ledger.close();
    },
    close: receiver.stop,
  };
}

async function endpointOf(url: string, { token }: Member, to: string) {
  const made = await json(
    await fetch(`${url}/dashboard/api/webhooks`, post({ url: to }, bearer(token))),
    201,
  );
  return { id: made.endpoint.id as string, secret: made.secret as string };
}

async function deliveriesOf(url: string, { token }: Member, id: string) {
  const answer = await fetch(`${url}/dashboard/api/webhooks/${id}/deliveries`, { headers: bearer(token) });
  return (await json(answer)).deliveries;
}

test("a test event comes at once, a publication of another process within a second, each signed", async () => {
  const { environment, receiver, publish, close } = await opened();
  const server = await startReplica(environment);
  const member = await join(server.url);
  const { id, secret } = await endpointOf(server.url, member, `${receiver.url}/hook`);
  const headers = bearer(member.token);
  await json(
    await fetch(`${server.url}/dashboard/api/webhooks/${id}/test`, { method: "POST", headers }),
    202,
  );
  await receiver.came(1);
  await publish("2026-04-13");
  await receiver.came(2);
  expect(receiver.ids()[1]).toBe("evt_mex_fix_2026-04-13_v1");
  for (const { headers: sent, body } of receiver.received) {
    const signature = sent.get("webhook-signature") ?? "";
    const at = Number(/^t=(\d+),/.exec(signature)?.[1]) * 1000;
    expect(checkSignature(signature, body, secret, at)).toBe("genuine");
    expect(at).toBeGreaterThanOrEqual(NOON);
  }
  const emitted = server.log().join("\n");
  const scraped = /"metrics","url":"(http:\/\/[\w.:]+)/.exec(emitted)?.[1] ?? "";
  const metrics = await (await fetch(`${scraped}/metrics`)).text();
  expect(metrics).toContain("crossrate_webhook_due_deliveries 0");
  expect(metrics).toMatch(/crossrate_webhook_attempts_total\{outcome="2xx"\} [12]/);
  expect(await server.end()).toBe(0);
  expect(server.log().join("\n")).not.toContain(secret);
  await close();
});

test("a stop waits for the attempt under way and notes it; what comes later is the next start's", async () => {
  const open = Promise.withResolvers<number>();
  const { environment, receiver, publish, close } = await opened((nth) => (nth === 1 ? open.promise : 200));
  const server = await startReplica(environment);
  const member = await join(server.url);
  const { id } = await endpointOf(server.url, member, receiver.url);
  await publish("2026-04-10");
  await receiver.came(1);
  const ended = server.end();
  await publish("2026-04-13");
  open.resolve(200);
  expect(await ended).toBe(0);
  const again = await startReplica(environment);
  await receiver.came(2);
  const seen = await deliveriesOf(again.url, member, id);
  expect(seen.at(-1)).toMatchObject({ event_id: "evt_mex_fix_2026-04-10_v1", state: "delivered" });
  expect(new Set(receiver.ids()).size).toBe(2);
  expect(await again.end()).toBe(0);
  await close();
});
