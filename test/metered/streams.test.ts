/** A stream that has begun continues for as long as its caller would be admitted, on the same terms. */

import { expect, test } from "bun:test";
import { until } from "#test/support/until.ts";
import { bearer, from, join, json, type Member } from "./client.ts";
import { fixedClock, openReplica } from "./replica.ts";

const clock = fixedClock();
/** Longer than a heartbeat takes, and than a lookup of a key is trusted. */
const A_WHILE = 20_000;
const plans = { free: { live_delay_minutes: 15 }, plus: { live_delay_minutes: 0 } };
const replica = await openReplica({ clock, plans });

async function listen(headers: Record<string, string>) {
  const answer = await fetch(`${replica.url}/v1/stream?symbols=JPY`, { headers });
  expect(answer.status).toBe(200);
  const received = { bytes: 0, isOver: false };
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  void (async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read())
      received.bytes += part.value.length;
    received.isOver = true;
  })().catch(() => {});
  await until("the stream begins", () => received.bytes > 0);
  return {
    isOver: () => received.isOver,
    next: async () => {
      const before = received.bytes;
      clock.at += A_WHILE;
      await until("more arrives", () => received.bytes > before || received.isOver);
    },
    stop: () => reader.cancel(),
  };
}

async function streamOf(member: Member) {
  const stream = await listen(bearer(member.key));
  await stream.next();
  expect(stream.isOver()).toBe(false);
  return stream;
}

test("a key that is revoked ends the streams that it has opened, and no others", async () => {
  const [ada, ben] = [await join(replica.url), await join(replica.url)];
  const [hers, his, strangers] = [await streamOf(ada), await streamOf(ben), await listen(from("192.0.2.9"))];
  await json(await fetch(`${replica.url}/v1/keys`, { method: "DELETE", headers: bearer(ada.token) }));
  // Where it was revoked; another process trusts its look-up for 5 seconds more.
  clock.at += 5_000;
  await until("her stream ends", hers.isOver);
  await his.next();
  await strangers.next();
  expect([his.isOver(), strangers.isOver()]).toEqual([false, false]);
  await Promise.all([his.stop(), strangers.stop()]);
});

test("a rotated key's stream continues for the hours of grace, and ends with them", async () => {
  const ada = await join(replica.url);
  const stream = await streamOf(ada);
  await json(await fetch(`${replica.url}/v1/keys/rotate`, { method: "POST", headers: bearer(ada.token) }));
  await stream.next();
  expect(stream.isOver()).toBe(false);
  clock.at += 86_400_000;
  await until("the stream ends", stream.isOver);
});

test("deleting the account and suspending the organization end its streams", async () => {
  const [ada, ben] = [await join(replica.url), await join(replica.url)];
  const [hers, his] = [await streamOf(ada), await streamOf(ben)];
  await json(await fetch(`${replica.url}/v1/account`, { method: "DELETE", headers: bearer(ada.token) }));
  await replica.change(ben.organizationId, { status: "suspended" });
  clock.at += A_WHILE;
  await until("both end", () => hers.isOver() && his.isOver());
});

test("a plan whose rates are later ends the stream of the one before, to be opened anew on its own terms", async () => {
  const ada = await join(replica.url);
  await replica.setTier(ada.organizationId, "plus");
  clock.at += A_WHILE;
  const stream = await streamOf(ada);
  await replica.setTier(ada.organizationId, "free");
  clock.at += A_WHILE;
  await until("the stream ends", stream.isOver);
});
