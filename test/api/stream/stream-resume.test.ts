/** Reconnecting to the stream with the id of the last event: no event is missed, and no unknown id is accepted. */

import { describe, expect, test } from "bun:test";
import { NOW } from "#test/api/harness.ts";
import type { SseReader } from "./sse.ts";
import { openLiveFixture, openStreamFixture, PRICES } from "./streaming.ts";

async function left(path = "/v1/stream") {
  const fixture = await openLiveFixture();
  const reader = await fixture.connect(path);
  await reader.leave();
  return { fixture, id: reader.events[0]?.id as string };
}

describe("with the id of a state that is known", () => {
  test("only a comment is sent when nothing has changed, and later changes are sent", async () => {
    const { fixture, id } = await left();
    const reader = await fixture.connect("/v1/stream", { "last-event-id": id });
    expect(reader.events).toEqual([]);
    expect(reader.comments).toEqual(["2026-04-13T16:30:00Z"]);
    await fixture.publishAfter(5, { GBP: "0.7470" });
    await reader.settle();
    expect(reader.events.map(({ data }) => Object.keys(data.rates))).toEqual([["GBP"]]);
  });
  test("the query can carry the id, and the header is newer", async () => {
    const { fixture, id } = await left();
    const unset = await fixture.connect(`/v1/stream?last_event_id=${id}`);
    expect(unset.events).toEqual([]);
    await fixture.publishAfter(5, { GBP: "0.7470" });
    await unset.settle();
    const newer = unset.events[0]?.id as string;
    const reader = await fixture.connect(`/v1/stream?last_event_id=${id}`, { "last-event-id": newer });
    expect(reader.events).toEqual([]);
  });
});

describe("a snapshot is sent", () => {
  test.each([
    ["nonsense", "nonsense"],
    ["an empty id", "-"],
    ["an id of another form", "12345"],
    ["a long one", "a".repeat(5000)],
    ["one with strange characters", "__proto__-constructor"],
    ["a known one with more behind it", "#-"],
  ])("to %s", async (_, text) => {
    const { fixture, id } = await left();
    const reader = await fixture.connect("/v1/stream", { "last-event-id": text.replace("#", id) });
    expect(reader.events.map(({ name }) => name)).toEqual(["snapshot"]);
  });
  test("to an id of another query, whose state would be another", async () => {
    const { fixture, id } = await left("/v1/stream?symbols=EUR");
    for (const path of ["/v1/stream", "/v1/stream?symbols=EUR&dp=4", "/v1/stream?base=EUR&symbols=USD"]) {
      const reader = await fixture.connect(path, { "last-event-id": id });
      expect(reader.events.map(({ name }) => name)).toEqual(["snapshot"]);
    }
  });
  test("to the id of a process that knew something else", async () => {
    const { id } = await left();
    const other = openStreamFixture();
    await other.publish({ ...PRICES, EUR: "0.8561" });
    const reader = await other.connect("/v1/stream", { "last-event-id": id });
    expect(reader.events.map(({ name }) => name)).toEqual(["snapshot"]);
  });
  test("to an id so old that its state was dropped", async () => {
    const fixture = await openLiveFixture();
    const reader = await fixture.connect("/v1/stream?symbols=EUR");
    for (let change = 1; change <= 700; change++) {
      await fixture.publishAfter(change, { EUR: `0.8${1000 + change}` });
      await reader.settle();
    }
    expect(reader.events).toHaveLength(701);
    const names = [];
    for (const index of [50, 650]) {
      const id = reader.events[index]?.id as string;
      const back = await fixture.connect("/v1/stream?symbols=EUR", { "last-event-id": id });
      names.push(back.events[0]?.name);
    }
    expect(names).toEqual(["snapshot", "rates"]);
  });
});

test("among replicas equal content has equal ids, and one replica continues where the other ended", async () => {
  const [one, other] = [openStreamFixture(), openStreamFixture()];
  await one.publish(PRICES);
  // The other got there by another way.
  await other.publish({ EUR: "0.8", GBP: "0.7" }, NOW - 1000);
  await other.publish(PRICES);
  const before = await one.connect("/v1/stream");
  expect((await other.connect("/v1/stream")).events[0]?.id).toBe(before.events[0]?.id as string);
  for (const fixture of [one, other]) {
    await fixture.publishAfter(5, { JPY: "157.80" });
  }
  const reader = await other.connect("/v1/stream", { "last-event-id": before.events[0]?.id as string });
  await before.settle();
  const eventsOf = ({ events }: SseReader) => events.map(({ name, id, data }) => ({ name, id, data }));
  expect(eventsOf(reader)).toEqual(eventsOf(before).slice(1));
});
