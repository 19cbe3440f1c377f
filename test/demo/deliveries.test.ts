/** The whole product on the simulated authorities: what they publish and correct is collected, served, and sent to a receiver. */

import { expect, test } from "bun:test";
import { type Received, startReceiver } from "#cli/receiver.ts";
import { atEnd } from "#test/support/at-end.ts";
import { startFullSimulator } from "#test/support/official/simulator.ts";
import { openProduct } from "#test/support/product.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { until } from "#test/support/until.ts";

let now = Date.parse("2026-04-14T17:59:00Z");
const clock = { now: () => now };
const simulator = await startFullSimulator(clock);
const receiver = startReceiver({ ...clock, secret: "none yet", port: 0 });
const settings = {
  DATA_DIR: temporaryDirectory(),
  UPSTREAM_BASE: simulator.base,
  LIVE_FEED: "off",
  BANXICO_TOKEN: "0".repeat(64),
  ALLOW_PRIVATE_WEBHOOKS: "yes",
};
const crossrate = await openProduct(settings, clock);
atEnd(receiver.stop);

async function collect(reach: "recent" | "latest"): Promise<void> {
  const official = await crossrate.openOfficial();
  await official?.collector.collect("mex_fix", reach);
}

type Event = Received & {
  readonly type: string;
  readonly id: string;
  readonly data: Record<string, unknown>;
};
const events = () => receiver.received().map((one): Event => ({ ...one, ...JSON.parse(one.body) }));

async function received(isMeant: (one: Event) => boolean): Promise<Event> {
  await until("the event has come", () => events().some(isMeant));
  return events().find(isMeant) as Event;
}
const withId = (id: string) => (one: Event) => one.id === id;

const publishedOn = (path: string) => crossrate.json(`/v1/official/mex/fix/publications/${path}`);

test("the demo's receiver gets a test event at once, signed with the secret it was given, and at the next start again", async () => {
  await crossrate.demoAccount(receiver);
  const first = await received(({ type }) => type === "webhook.test");
  now += 1000;
  await crossrate.demoAccount(receiver);
  const second = await received(({ type, id }) => type === "webhook.test" && id !== first.id);
  expect([first.verdict, second.verdict]).toEqual(["genuine", "genuine"]);
  // The endpoint of the first start has made room.
  expect(second.data["endpoint"]).not.toBe(first.data["endpoint"]);
});

test("a FIX that is announced at noon reaches the receiver, and its correction, once it is read again, as version 2 beside the first", async () => {
  await collect("recent");
  const before = await received(withId("evt_mex_fix_2026-04-13_v1"));
  expect(before.type).toBe("official.published");
  expect(events().some(withId("evt_mex_fix_2026-04-14_v1"))).toBe(false);

  now = Date.parse("2026-04-14T18:00:00Z");
  await collect("latest");
  const published = await received(withId("evt_mex_fix_2026-04-14_v1"));
  expect(published.data).toMatchObject({
    country: "MEX",
    version: 1,
    valid_from: "2026-04-14",
  });
  const first = await publishedOn("2026-04-14");

  now = Date.parse("2026-04-14T19:00:00Z");
  simulator.misbehave("/www.banxico.org.mx/", { kind: "correction", currency: "USD", date: "2026-04-14" });
  await collect("recent");
  expect(await publishedOn("2026-04-14")).toEqual(first);
  now += 3_600_000;
  await collect("latest");
  const corrected = await received(withId("evt_mex_fix_2026-04-14_v2"));
  expect(corrected.type).toBe("official.corrected");
  const second = await publishedOn("2026-04-14");
  expect([first.version, second.version]).toEqual([1, 2]);
  expect(second.rows[0].rate / first.rows[0].rate).toBeCloseTo(1.01, 4);
  expect((await publishedOn("2026-04-14?version=1")).rows).toEqual(first.rows);
});
